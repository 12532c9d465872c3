internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// The mesh layer's part of a loop pass (mesh-protocol §4.1 to §4.4).
extension Node {
    func meshPass() {
        if let current = transmission {
            if now - current.air.start > 8_000 { errorFlags |= 4 }
            guard now >= current.air.end else { return }
            complete(current.held, air: current.air)
        }
        if receiveQueue.earliestDue <= now, let entry = receiveQueue.takeNext(at: now) {
            process(entry.packet)
            releaseBuffer()
        }
        if !inbox.isEmpty { receive(inbox.removeFirst()) }
        startTransmission()
    }

    private func complete(_ held: HeldPacket, air: Transmission) {
        let duration = now - air.start
        transmission = nil
        counters.transmitAirtime += duration
        counters.sent += 1
        if held.packet.route.isFlood { counters.sentFlood += 1 } else { counters.sentDirect += 1 }
        releaseBuffer()
        budget.finished(duration: duration, at: now)
        receiver.startReceiving(from: now + 1)
    }

    private func receive(_ reception: Reception) {
        cause = reception.event
        defer { cause = nil }
        lastSNR = reception.snrQuarterDB
        lastRSSI = reception.rssi
        counters.received += 1
        role.rawReceived(reception)
        guard takeBuffer(flagging: false) else {
            post(.packetIgnored, packet: reception.lineage, ["reason": "no-buffer"])
            return
        }
        guard let packet = reception.transmission.packet else {
            releaseBuffer()
            post(.packetIgnored, packet: reception.lineage, ["reason": "malformed"])
            return
        }
        let held = HeldPacket(
            packet: packet, snrQuarterDB: reception.snrQuarterDB, lineage: reception.lineage, cause: reception.event,
            facts: reception.transmission.facts(of: packet, world.work))
        let airtime = radio.airtimeMillis(length: reception.bytes.count)
        counters.receiveAirtime += Int64(airtime)
        if packet.route.isFlood { counters.receivedFlood += 1 } else { counters.receivedDirect += 1 }
        let delay = packet.route.isFlood ? receiveDelay(reception, airtime: airtime) : 0
        if delay > 0 {
            receiveQueue.add(held, priority: 0, due: now + delay)
        } else {
            process(held)
            releaseBuffer()
        }
    }

    private func receiveDelay(_ reception: Reception, airtime: Int) -> Int64 {
        let base = role.receiveDelayBase
        guard base > 0 else { return 0 }
        let score = radio.packetScore(
            snrQuarterDB: Int(reception.snrQuarterDB), length: reception.bytes.count)
        return Int64(ReceiveDelay.applied(base: base, score: score, airtimeMillis: airtime))
    }

    private func startTransmission() {
        guard sendQueue.earliestDue <= now else { return }
        let half = Int64(radio.airtimeMillis(length: 255) / 2)
        guard budget.allowsStart(at: now, half: half, dueSince: sendQueue.earliestDue) else {
            tellWait(for: half)
            return
        }
        if receiver.senses(at: now, delay: senseDelay) {
            let since = busySince ?? now
            busySince = since
            if now - since > 4_000 {
                errorFlags |= 2
            } else {
                let wait = 120 * Int64(random.number(from: 1, below: 4))
                budget.backOff(until: now + wait)
                post(.channelBusy, packet: sendQueue.next(at: now)?.packet.lineage, ["wait": FieldValue(wait)])
                return
            }
        }
        busySince = nil
        guard let entry = sendQueue.takeNext(at: now) else { return }
        let air = world.transmit(entry.packet, from: self)
        receiver.startTransmitting(air)
        transmission = (entry.packet, air)
    }

    /// Tells once for each packet that it waits for its node's share of air time.
    private func tellWait(for half: Int64) {
        guard budget.budget < half, let lineage = sendQueue.next(at: now)?.packet.lineage, lineage != toldToWait else {
            return
        }
        toldToWait = lineage
        post(.airtimeSpent, packet: lineage, ["wait": FieldValue(max(0, budget.nextStart - now))])
    }

    /// Takes a packet buffer; false when all are in use.
    func takeBuffer(flagging: Bool = true) -> Bool {
        guard buffersInUse < min(role.packetPool, poolLimit ?? .max) else {
            if flagging { errorFlags |= 1 }
            return false
        }
        buffersInUse += 1
        return true
    }

    func releaseBuffer() { buffersInUse -= 1 }
}
