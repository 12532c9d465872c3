internal import MeshProtocol
public import RigBase
internal import RunRecord

/// An air fault in place, with what it has seen and done.
struct ActiveAirFault {
    let fault: AirFault
    var random: Prng
    var tally = FaultTally()
    /// In the bad half of a burst.
    var isBad = false

    /// Whether a packet from one node to another is any of its business.
    func concerns(_ type: PayloadType?, from: String, to: String) -> Bool {
        if let links = fault.links, !links.contains(AirLink(from: from, to: to)) { return false }
        if !fault.types.isEmpty, type.map(fault.types.contains) != true { return false }
        guard case .partition(let groups) = fault.action else { return true }
        let sides = [from, to].map { node in groups.firstIndex { $0.contains(node) } }
        return sides[0] != nil && sides[1] != nil && sides[0] != sides[1]
    }

    /// Counts a packet that concerns it, draws, and says whether it acts.
    mutating func acts() -> Bool {
        tally.observed += 1
        if let nth = fault.nth, !nth.contains(tally.observed) { return false }
        if case .burst(let begin, let end) = fault.action {
            if random.chance(isBad ? end : begin) { isBad.toggle() }
            if !isBad { return false }
        }
        if fault.chance != .always, !random.chance(fault.chance) { return false }
        return tally.fired < fault.limit ?? .max
    }
}

/// A packet that will be heard at a time of its own.
struct HeardLater {
    let air: Transmission
    let node: Int
    let snrQuarterDB: Int8
    let rssi: Int8
    let event: EventID
}

/// Faults on radio links: they stand between a transmission and each of those who would hear it.
extension World {
    /// Puts a fault in place for the packets that are sent from now on; its choices are drawn from `random`.
    public func add(_ fault: AirFault, random: Prng) {
        precondition(!airFaults.contains { $0.fault.id == fault.id }, "two air faults are named \(fault.id)")
        airFaults.append(ActiveAirFault(fault: fault, random: random))
    }

    /// Takes a fault out and returns what it has seen and done; packets it has delayed are heard all the same.
    @discardableResult
    public func removeAirFault(_ id: String) -> FaultTally? {
        guard let place = airFaults.firstIndex(where: { $0.fault.id == id }) else { return nil }
        return airFaults.remove(at: place).tally
    }

    /// What a fault that is in place has seen and done; nil when there is none of that id.
    public func tally(ofAirFault id: String) -> FaultTally? { airFaults.first { $0.fault.id == id }?.tally }

    /// Lets a node hear a packet as the faults will have it: the first that acts decides.
    func hear(_ air: Transmission, from sender: Node, at listener: Node, _ heard: HeardFrame) {
        var chosen: Int?
        let type = air.packet?.type
        for index in airFaults.indices where airFaults[index].concerns(type, from: sender.name, to: listener.name) {
            let acts = airFaults[index].acts()
            if chosen == nil, acts { chosen = index }
        }
        // What would not have been received anyway is no matter for a fault.
        guard let chosen, heard.impossible == nil else { return hear(heard, at: listener) }
        airFaults[chosen].tally.fired += 1
        act(chosen, heard, from: sender, at: listener)
    }

    private func act(_ index: Int, _ heard: HeardFrame, from sender: Node, at listener: Node) {
        let air = heard.transmission
        let rule = airFaults[index].fault
        func report(_ details: Fields = [:]) -> EventID {
            let fields: Fields = [
                "rule": FieldValue(rule.id), "action": FieldValue(rule.action.name), "to": FieldValue(listener.name),
            ]
            return post(
                .fault, sender.name, at: sender.now, cause: air.event, packet: air.lineage, fields.merging(details))
        }
        func pass(_ air: Transmission, snr: Int8 = heard.snrQuarterDB, _ reason: MissReason? = nil) {
            hear(
                HeardFrame(
                    transmission: air, snrQuarterDB: snr, rssi: heard.rssi, visible: heard.visible,
                    impossible: reason, isNoticed: heard.isNoticed), at: listener)
        }
        func later(_ wait: Int64, _ event: EventID) {
            let copy = HeardLater(
                air: air, node: listener.index, snrQuarterDB: heard.snrQuarterDB, rssi: heard.rssi, event: event)
            hearings[nextHearing] = copy
            plans.insert(.hearing(nextHearing), at: max(millisecond, air.start) + max(1, wait))
            nextHearing += 1
        }
        switch rule.action {
        case .drop, .burst, .partition:
            pass(air.copy(event: report()), .fault)
        case .corrupt(let position, let flip):
            var bytes = air.bytes
            guard !bytes.isEmpty else { return pass(air) }
            let offset =
                position.map { min(max(0, $0 < 0 ? bytes.count + $0 : $0), bytes.count - 1) }
                ?? airFaults[index].random.index(below: bytes.count)
            let change = flip ?? UInt8(1 + airFaults[index].random.index(below: 255))
            bytes[offset] ^= change
            let event = report(["offset": FieldValue(offset), "flip": FieldValue(change)])
            pass(air.copy(bytes: bytes, event: event))
        case .again(let copies, let gap):
            let event = report(["copies": FieldValue(copies)])
            let length = air.end - air.start
            for number in 0..<Int64(copies) { later(length + max(1, gap) + number * (length + max(1, gap)), event) }
            pass(air)
        case .delay(let wait):
            later(wait, report(["by": FieldValue(wait)]))
        case .swizzle(let longest):
            let wait = Int64(airFaults[index].random.index(below: Int(longest) + 1))
            later(wait, report(["by": FieldValue(wait)]))
        case .weaken(let by):
            let snr = Int8(clamping: Int(heard.snrQuarterDB) - by)
            let event = report(["snr": FieldValue(snr)])
            let isLost = listener.radio.thresholdQuarterDB.map { Int(snr) < $0 } ?? false
            pass(air.copy(event: event), snr: snr, isLost ? .tooWeak : nil)
        }
    }

    /// A packet whose hearing was put off begins to be heard.
    func carryOut(hearing number: Int) {
        guard let hearing = hearings.removeValue(forKey: number) else { return }
        let node = nodes[hearing.node]
        let air = hearing.air.copy(start: millisecond, event: hearing.event)
        hear(
            HeardFrame(
                transmission: air, snrQuarterDB: hearing.snrQuarterDB, rssi: hearing.rssi, visible: millisecond + 1,
                impossible: node.isOn ? nil : .radioOff), at: node)
    }
}
