"""Checks with the `meshcore` library over TCP."""

import asyncio
import time

from meshcore import EventType, MeshCore


async def connect(node):
    return await asyncio.wait_for(MeshCore.create_tcp("127.0.0.1", node["port"]), 15)


async def send_until_confirmed(client, contact, text, attempts=4):
    """Sends a text the way an app does: again, with the same timestamp, until its confirmation comes."""
    timestamp = int(time.time())
    for attempt in range(attempts):
        waiter = asyncio.ensure_future(client.wait_for_event(EventType.ACK, timeout=30))
        sent = await client.commands.send_msg(contact, text, timestamp=timestamp, attempt=attempt)
        if sent.type == EventType.ERROR:
            waiter.cancel()
            return sent, None
        code = sent.payload["expected_ack"].hex()
        limit = sent.payload["suggested_timeout"] / 1000 * 1.2
        try:
            confirmed = await asyncio.wait_for(waiter, limit)
        except asyncio.TimeoutError:
            continue
        if confirmed is not None and confirmed.payload.get("code") == code:
            return sent, confirmed
    return sent, None


async def receive(client, wanted, seconds=60):
    """Fetches messages until one satisfies `wanted`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        message = await client.commands.get_msg(timeout=10)
        if message.type == EventType.NO_MORE_MSGS:
            await client.wait_for_event(EventType.MESSAGES_WAITING, timeout=1)
        elif message.type == EventType.ERROR:
            return None
        elif wanted(message.payload):
            return message.payload
    return None


async def reads(report, world):
    """What the radio tells without being changed."""
    alice = world.node("alice")
    client = await connect(alice)
    if not report.check("connects", client is not None):
        return
    info = client.self_info
    report.equal("public key", info["public_key"], alice["publicKey"])
    report.equal("name", info["name"], alice["name"])
    report.equal("frequency", round(info["radio_freq"] * 1000), alice["radio"]["frequencyKHz"])
    report.equal("bandwidth", round(info["radio_bw"] * 1000), alice["radio"]["bandwidthHz"])
    report.equal("spreading factor", info["radio_sf"], alice["radio"]["spreadingFactor"])
    report.equal("latitude", round(info["adv_lat"] * 1e6), alice["position"]["latitude"])

    contacts = await client.commands.get_contacts()
    seen = sorted((c["adv_name"], c["public_key"], c["type"]) for c in contacts.payload.values())
    known = sorted((c["name"], c["publicKey"], c["type"]) for c in alice["contacts"])
    report.equal("contacts", seen, known)

    channels = []
    for index in range(100):
        channel = await client.commands.get_channel(index)
        if channel.type == EventType.ERROR:
            break
        if channel.payload["channel_name"]:
            channels.append((index, channel.payload["channel_name"]))
    report.equal("channels", channels, [(c["index"], c["name"]) for c in alice["channels"]])
    report.check("channel slots end", 1 < index < 99, f"{index} slots")

    device = await client.commands.send_device_query()
    report.equal("device query", device.type, EventType.DEVICE_INFO)
    report.check("firmware version code", device.payload["fw ver"] >= 10, device.payload)
    battery = await client.commands.get_bat()
    report.check("battery", 2500 < battery.payload["level"] < 5000, battery.payload)
    core = await client.commands.get_stats_core()
    report.equal("battery in the statistics", core.payload["battery_mv"], battery.payload["level"])
    radio = await client.commands.get_stats_radio()
    report.check("radio statistics", radio.type == EventType.STATS_RADIO and "noise_floor" in radio.payload, radio.payload)
    packets = await client.commands.get_stats_packets()
    report.check("packet statistics", packets.type == EventType.STATS_PACKETS, packets.payload)
    wrong = await client.commands.has_connection()
    report.equal("a command cut short is refused", wrong.type, EventType.ERROR)
    await client.disconnect()


async def settings(report, world):
    """What the client changes, as the world sees it."""
    client = await connect(world.node("alice"))
    if not report.check("connects", client is not None):
        return
    before = world.node("alice")
    report.equal("name is taken", (await client.commands.set_name("Alice Two")).type, EventType.OK)
    node = await world.until("alice", lambda node: node["name"] == "Alice Two")
    report.equal("name in the world", node["name"], "Alice Two")
    again = await client.commands.send_appstart()
    report.equal("name in the next self info", again.payload["name"], "Alice Two")

    later = int(time.time()) + 3600
    report.equal("time is taken", (await client.commands.set_time(later)).type, EventType.OK)
    shown = await client.commands.get_time()
    report.check("time is kept", later <= shown.payload["time"] <= later + 5, shown.payload)
    node = await world.until("alice", lambda node: node["clock"] >= later)
    report.check("time in the world", later <= node["clock"] <= later + 30, node["clock"])

    report.equal("position is taken", (await client.commands.set_coords(46.5, -7.25)).type, EventType.OK)
    node = await world.until("alice", lambda node: node["position"]["latitude"] == 46_500_000)
    report.equal("position in the world", node["position"], {"latitude": 46_500_000, "longitude": -7_250_000})

    def knows_new_name(node):
        return any(c["name"] == "Alice Two" for c in node["contacts"])

    for _ in range(5):
        sent = await client.commands.send_advert(flood=True)
        node = await world.until("bob", knows_new_name, seconds=8)
        if knows_new_name(node):
            break
    report.equal("advert is taken", sent.type, EventType.OK)
    report.check("another node learns the name from the advert", knows_new_name(node), node["contacts"])

    card = await client.commands.export_contact()
    report.check("own card", card.payload["uri"].startswith("meshcore://"), card.payload)
    await client.commands.set_name(before["name"])
    await client.commands.set_coords(before["position"]["latitude"] / 1e6, before["position"]["longitude"] / 1e6)
    await client.disconnect()


async def chat(report, world):
    """Messages to a node without a client, and between two clients."""
    alice = await connect(world.node("alice"))
    carol = await connect(world.node("carol"))
    if not report.check("two clients connect", alice is not None and carol is not None):
        return
    await alice.commands.send_device_query()
    await carol.commands.send_device_query()
    bob = world.node("bob")["publicKey"]
    sent, confirmed = await send_until_confirmed(alice, bob, "hello bob")
    report.check("a text to another node is confirmed", confirmed is not None, sent.payload)
    if confirmed is not None:
        report.check("with the time it took", confirmed.payload.get("trip_time", 0) > 0, confirmed.payload)
    answer = await receive(alice, lambda m: m["text"].endswith("hello bob"))
    report.check("the node's answer is received", answer is not None)
    if answer is not None:
        report.equal("the answer's sender", answer["pubkey_prefix"], bob[:12])
        report.check("the answer has an SNR", "SNR" in answer, answer)

    for sender, receiver, name, text in [
        (alice, carol, "carol", "from alice: grüezi"),
        (carol, alice, "alice", "from carol: ciao"),
    ]:
        sent, confirmed = await send_until_confirmed(sender, world.node(name)["publicKey"], text)
        report.check(f"a text to {name}'s client is confirmed", confirmed is not None, sent.payload)
        message = await receive(receiver, lambda m: m["text"] == text)
        report.check(f"{name}'s client receives it", message is not None)

    heard = None
    for attempt in range(5):
        text = f"to everybody {attempt}"
        result = await alice.commands.send_chan_msg(0, text)
        heard = await receive(carol, lambda m: m.get("channel_idx") == 0 and m["text"].endswith(text), seconds=8)
        if heard is not None:
            break
    report.equal("a channel text is taken", result.type, EventType.OK)
    report.check("a channel text reaches the other client", heard is not None)
    if heard is not None:
        report.check("the radio put the sender's name before it", heard["text"] == f"alice: {text}", heard)

    unknown = await alice.commands.send_msg("a5" * 32, "nobody")
    report.equal("a text to a stranger is refused", unknown.type, EventType.ERROR)
    await alice.disconnect()
    await carol.disconnect()


async def takeover(report, world):
    """The newest client wins; a reboot closes the link."""
    first = await connect(world.node("carol"))
    gone = asyncio.ensure_future(first.wait_for_event(EventType.DISCONNECTED, timeout=10))
    await asyncio.sleep(0)
    second = await connect(world.node("carol"))
    report.check("the second client connects", second is not None)
    report.check("the first one is disconnected", await gone is not None)
    time_now = await second.commands.get_time()
    report.equal("the second one is served", time_now.type, EventType.CURRENT_TIME)
    gone = asyncio.ensure_future(second.wait_for_event(EventType.DISCONNECTED, timeout=10))
    await asyncio.sleep(0)
    await second.commands.reboot()
    report.check("a reboot disconnects", await gone is not None)
    third = await connect(world.node("carol"))
    report.check("after it the radio is the same", third is not None and third.self_info["name"] == world.node("carol")["name"])
    await third.disconnect()


GROUPS = [("library reads", reads), ("library settings", settings), ("library chat", chat), ("library links", takeover)]
