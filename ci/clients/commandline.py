"""Checks with `meshcli`, over TCP and over a pseudo-terminal. It exits 0 whatever happens, so its JSON is judged."""

import asyncio
import json
import os
import sys


class Meshcli:
    def __init__(self, target, home, library=None):
        self.target = target
        self.environment = dict(os.environ, HOME=home)
        if library:
            self.environment["LD_PRELOAD"] = library
            self.environment["PTY_MODEM_LOG"] = os.path.join(home, "modem.log")

    async def run(self, *words, seconds=60):
        """The JSON values printed, in order."""
        program = os.path.join(os.path.dirname(sys.executable), "meshcli")
        process = await asyncio.create_subprocess_exec(
            program, "-j", *self.target, *words, env=self.environment, stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
        try:
            out, error = await asyncio.wait_for(process.communicate(), seconds)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()
            raise
        self.error = error.decode(errors="replace")
        return list(values(out.decode()))


def values(text):
    decoder = json.JSONDecoder()
    position = 0
    while True:
        while position < len(text) and text[position] not in "{[":
            position += 1
        if position >= len(text):
            return
        try:
            value, position = decoder.raw_decode(text, position)
            yield value
        except json.JSONDecodeError:
            position += 1


async def session(report, world, cli, peer):
    """The same words whatever the link is."""
    alice = world.node("alice")
    found = await cli.run("infos")
    if not report.check("infos answers", len(found) == 1, cli.error):
        return
    report.equal("public key", found[0]["public_key"], alice["publicKey"])
    report.equal("name", found[0]["name"], alice["name"])
    contacts = await cli.run("contacts")
    known = {c["publicKey"]: c["name"] for c in alice["contacts"]}
    report.equal("contacts", {key: c["adv_name"] for key, c in contacts[0].items()} if contacts else None, known)
    # Several words are one session: clock and version come back in the order asked for.
    both = await cli.run("clock", "ver")
    report.check("clock", len(both) == 2 and abs(both[0]["time"] - world.node("alice")["clock"]) < 10, both)
    report.check("version", len(both) == 2 and both[1].get("fw ver", 0) >= 10, both)

    text = f"hello {peer} over {cli.target[0]}"
    confirmed = False
    for _ in range(4):
        sent = await cli.run("msg", peer, text, "wait_ack")
        if len(sent) == 2 and sent[1].get("code") == sent[0].get("expected_ack"):
            confirmed = True
            break
    report.check("msg is confirmed", confirmed, sent)
    messages = []
    for _ in range(20):
        for value in await cli.run("sync_msgs"):
            messages += value if isinstance(value, list) else [value]
        if any(m.get("text", "").endswith(text) for m in messages):
            break
        await asyncio.sleep(1)
    prefix = world.node(peer)["publicKey"][:12]
    answers = [m for m in messages if m.get("text", "").endswith(text)]
    report.check("sync_msgs brings the answer", bool(answers), messages)
    if answers:
        report.equal("the answer's sender", answers[0]["pubkey_prefix"], prefix)
    unknown = await cli.run("msg", "nobody-here", "hi")
    report.check("msg to nobody gives no confirmation code", not any("expected_ack" in v for v in unknown if isinstance(v, dict)))


async def over_tcp(report, world, folder):
    node = world.node("alice")
    await session(report, world, Meshcli(["-t", "127.0.0.1", "-p", str(node["port"])], folder), "bob")


async def over_terminal(report, world, folder):
    node = world.node("alice")
    libraries = [name for name in os.listdir(os.path.dirname(node["terminal"])) if name.endswith(".so")]
    if not report.check("the modem-line library is there", len(libraries) == 1, libraries):
        return
    library = os.path.join(os.path.dirname(node["terminal"]), libraries[0])
    await session(report, world, Meshcli(["-s", node["terminal"]], folder, library), "bob")
    with open(os.path.join(folder, "modem.log"), encoding="utf-8") as log:
        edges = [line.split(" ", 1)[1].strip() for line in log]
    report.equal("the client raises DTR on opening, then lowers RTS", (edges[0], edges[-1]), ("dtr=1 rts=0", "dtr=1 rts=0"))


GROUPS = [("meshcli tcp", over_tcp), ("meshcli serial", over_terminal)]
