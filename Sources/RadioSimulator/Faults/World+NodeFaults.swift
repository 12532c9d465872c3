internal import CompanionProtocol
internal import MeshProtocol
public import RigBase
public import RunRecord

/// A lasting fault in place.
struct ActiveNodeFault {
    let id: String
    let node: Int
    let fault: NodeFault
}

/// Faults of nodes and of their firmware.
extension World {
    /// Lets a fault act on a node, now; false when there is nothing it could act on. A lasting one stays until
    /// `endNodeFault`.
    @discardableResult
    public func begin(
        _ fault: NodeFault, id: String, on name: String, random: inout Prng, cause: EventID? = nil
    ) -> Bool {
        let node = node(name)
        guard canAct(fault, on: node) else { return false }
        var facts = Self.facts(fault)
        facts["rule"] = FieldValue(id)
        facts["action"] = FieldValue(fault.name)
        let event = post(.fault, name, at: millisecond, cause: cause, facts)
        if fault.isLasting {
            nodeFaults.append(ActiveNodeFault(id: id, node: node.index, fault: fault))
            if case .powerLoss(let flash) = fault { losePower(node, flash, event) }
            refresh(node)
        } else {
            act(fault, on: node, &random, event)
        }
        return true
    }

    /// Ends a lasting fault and puts right what it did; harmless when there is none of that id.
    public func endNodeFault(_ id: String) {
        guard let place = nodeFaults.firstIndex(where: { $0.id == id }) else { return }
        let ended = nodeFaults.remove(at: place)
        let node = nodes[ended.node]
        let event = post(.faultEnded, node.name, at: millisecond, ["rule": FieldValue(id)])
        refresh(node)
        guard case .powerLoss = ended.fault, !node.isOn, !isWithoutPower(node) else { return }
        node.cause = event
        power(node.name, on: true)
        node.cause = nil
    }

    /// Ends the wait of a node for its flash.
    public func endFlashStall(of name: String) {
        let node = node(name)
        node.stalledUntil = min(node.stalledUntil, millisecond)
        touch(node)
    }

    private func isWithoutPower(_ node: Node) -> Bool {
        nodeFaults.contains { active in
            guard case .powerLoss = active.fault else { return false }
            return active.node == node.index
        }
    }

    private func canAct(_ fault: NodeFault, on node: Node) -> Bool {
        guard node.isOn else { return false }
        switch fault {
        case .forgedAck(let choice):
            guard choice != .nobody, let companion = node.role as? Companion else { return true }
            return companion.expectedAcks.awaited(choice) != nil
        case .evictContact: return (node.role as? Companion)?.evictable != nil
        case .corruptStorage: return (node.role as? Companion)?.flash.contacts.isEmpty == false
        default: return true
        }
    }

    private static func facts(_ fault: NodeFault) -> Fields {
        switch fault {
        case .clockJump(let seconds): ["seconds": FieldValue(seconds)]
        case .flashStall(let milliseconds): ["for": FieldValue(milliseconds)]
        case .forgedAck(let choice): ["of": FieldValue(choice.rawValue)]
        case .powerLoss(let flash): ["flash": FieldValue(flash.rawValue)]
        case .clockDrift(let drift): ["ppm": FieldValue(drift)]
        case .packetPool(let count), .queueLimit(let count): ["size": FieldValue(count)]
        case .quirks(let switches):
            ["quirks": .list(switches.map { .text("\($0.name): \($0.isOn)") })]
        case .fullStorage: ["state": "full"]
        case .corruptStorage: ["state": "corrupt"]
        case .crash, .reboot, .evictContact: [:]
        }
    }

    private func act(_ fault: NodeFault, on node: Node, _ random: inout Prng, _ event: EventID) {
        node.now = max(node.now, millisecond)
        node.cause = event
        defer { node.cause = nil }
        switch fault {
        case .crash:
            node.crash("a fault of the scenario")
            restart(node)
            reschedule(node)
        case .reboot: reboot(node.name)
        case .clockJump(let seconds):
            let time = Int64(node.clock.seconds(at: millisecond)) + seconds
            node.clock.set(UInt32(clamping: time), at: millisecond)
            touch(node)
        case .flashStall(let milliseconds):
            node.stalledUntil = max(node.stalledUntil, millisecond + milliseconds)
            touch(node)
        case .corruptStorage: (node.role as? Companion)?.damageStoredContacts(&random)
        case .forgedAck(let choice):
            let code = (node.role as? Companion)?.expectedAcks.awaited(choice) ?? random.bytes(4)
            plans.insert(.forgedAck(node: node.index, code: code, cause: event), at: millisecond + 1)
        case .evictContact:
            (node.role as? Companion)?.evictContact(for: PublicKey(random.bytes(32)))
            touch(node)
        case .powerLoss, .clockDrift, .fullStorage, .packetPool, .queueLimit, .quirks: break
        }
    }

    /// Lets a node hear an acknowledgement, when it has sent what it is sending.
    func forgeAck(_ code: [UInt8], at node: Node, _ cause: EventID) {
        if let end = node.transmission?.air.end, end >= millisecond {
            plans.insert(.forgedAck(node: node.index, code: code, cause: cause), at: end + 2)
        } else {
            inject(packet: Packet.flood(.ack, code).encoded, to: node.name, cause: cause)
        }
    }

    private func losePower(_ node: Node, _ flash: NodeFault.FlashState, _ event: EventID) {
        node.cause = event
        power(node.name, on: false)
        node.cause = nil
        guard let companion = node.role as? Companion else { return }
        switch flash {
        case .kept: break
        case .torn: companion.flash.contacts.removeLast((companion.flash.contacts.count + 1) / 2)
        case .erased:
            companion.flash.contacts = []
            companion.flash.adverts = [:]
            companion.flash.channels = NodeBuilder.freshChannels(companion.board)
            companion.flash.hasChannels = false
        }
    }

    /// Makes a node what the faults that are in place want it to be, and what it is by itself where none does.
    private func refresh(_ node: Node) {
        let own = spec.nodes[node.index]
        var (drift, pool, queue, isFull) = (own.clockDrift, Int?.none, Int?.none, false)
        var switches: [NodeFault.Quirk] = []
        for active in nodeFaults where active.node == node.index {
            switch active.fault {
            case .clockDrift(let more): drift = Int32(clamping: Int64(drift) + Int64(more))
            case .packetPool(let count): pool = min(pool ?? count, count)
            case .queueLimit(let count): queue = min(queue ?? count, count)
            case .fullStorage: isFull = true
            case .quirks(let more): switches += more
            default: break
            }
        }
        node.poolLimit = pool
        node.clock.setDrift(drift, at: max(node.now, millisecond))
        if let companion = node.role as? Companion {
            companion.queueLimit = queue
            companion.isStorageFull = isFull
            companion.overlay(switches)
        }
        if node.isOn { touch(node) }
    }
}
