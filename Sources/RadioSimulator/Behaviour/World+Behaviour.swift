internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// One behaviour of one node, and how far it has got.
struct Behaviour {
    let node: Int
    let spec: BehaviourSpec
    var random: Prng
    /// How often it acted.
    var acted = 0
}

/// Something a behaviour will do at its time.
struct BehaviourAction: Sendable {
    enum Deed: Sendable {
        /// The next beat of a behaviour that has a pace.
        case beat
        case text(to: [UInt8], String)
        case packet([UInt8])
    }

    var behaviour: Int
    var deed: Deed
    var cause: EventID?
}

/// Behaviours see what their node's radio hears, act through its firmware and tell the journal what they did.
extension World {
    /// The lowest priority of the firmware that is sent: behind all that the node has to say itself.
    private static let priority: UInt8 = 4

    func startBehaviours() {
        for (index, node) in spec.nodes.enumerated() {
            for (number, behaviour) in node.behaviours.enumerated() {
                let stream = random.fork("behaviour", node.name, behaviour.name, "\(number)")
                behaviours.append(Behaviour(node: index, spec: behaviour, random: stream))
                plan(nextBeatOf: behaviours.count - 1)
            }
        }
    }

    private func plan(nextBeatOf index: Int) {
        let wait: Int64
        switch behaviours[index].spec {
        case .chatter(let chatter):
            guard behaviours[index].acted < chatter.limit else { return }
            wait = chatter.isRandom ? Self.exponential(chatter.every, &behaviours[index].random) : chatter.every
        case .advertFlood(let every, let limit):
            guard behaviours[index].acted < limit else { return }
            wait = every
        case .autoReply, .forgedAck, .replay: return
        }
        deeds.insert(BehaviourAction(behaviour: index, deed: .beat), at: millisecond + max(1, wait))
    }

    /// An interval of a Poisson process with that mean, by von Neumann's comparison of even draws.
    static func exponential(_ mean: Int64, _ random: inout Prng) -> Int64 {
        var whole: Int64 = 0
        while true {
            let first = random.next() >> 32
            var (last, count) = (first, 1)
            while true {
                let draw = random.next() >> 32
                if draw >= last { break }
                (last, count) = (draw, count + 1)
            }
            if !count.isMultiple(of: 2) { return whole * mean + Int64(FixedPoint.product(UInt64(mean), first)) }
            whole += 1
        }
    }

    /// Carries out the deed that is due.
    func doDeed() {
        guard let (_, action) = deeds.pop() else { return }
        let behaviour = behaviours[action.behaviour]
        let node = nodes[behaviour.node]
        defer { if case .beat = action.deed { plan(nextBeatOf: action.behaviour) } }
        guard node.isOn else { return }
        behaviours[action.behaviour].acted += 1
        let cause = post(
            .behaviour, node.name, at: millisecond, cause: action.cause, ["what": FieldValue(behaviour.spec.name)])
        switch action.deed {
        case .text(let prefix, let text): send(text, to: prefix, from: node, cause)
        case .packet(let bytes): send(bytes, from: node, cause)
        case .beat: beat(action.behaviour, node, cause)
        }
    }

    private func beat(_ index: Int, _ node: Node, _ cause: EventID) {
        let number = behaviours[index].acted
        switch behaviours[index].spec {
        case .chatter(let chatter):
            let text = "\(chatter.text) \(number)"
            switch chatter.to {
            case .node(let other): send(text, to: publicKey(of: other).bytes, from: node, cause)
            case .channel(let slot): sendChannelText(as: node.name, channel: slot, text, cause: cause)
            }
        case .advertFlood:
            var seed: [UInt8] = []
            while seed.count < 32 { seed.append(UInt8(truncatingIfNeeded: behaviours[index].random.next())) }
            let contents = AdvertContents(nodeType: .chat, name: Array("ghost \(number)".utf8))
            let advert = Advert(
                identity: Identity(seed: seed), timestamp: clock(of: node.name), appData: contents.encoded)
            send(Packet.flood(.advert, advert.encoded).encoded, from: node, cause)
        case .autoReply, .forgedAck, .replay: break
        }
    }

    private func send(_ text: String, to prefix: [UInt8], from node: Node, _ cause: EventID) {
        guard let key = (node.role as? Companion)?.contacts.first(where: { $0.key.matches(prefix: prefix) })?.key else {
            return
        }
        sendText(as: node.name, to: key, text, cause: cause)
    }

    private func send(_ packet: [UInt8], from node: Node, _ cause: EventID) {
        command([CommandCode.sendRawPacket.rawValue, Self.priority] + packet, as: node.name, cause: cause)
    }

    /// A node's radio has received a frame, whoever it is for.
    func overheard(_ air: Transmission, at node: Node, _ event: EventID) {
        for index in behaviours.indices where behaviours[index].node == node.index {
            switch behaviours[index].spec {
            case .forgedAck(let delay):
                guard let packet = air.packet, packet.type == .textMessage, let addressee = packet.payload.first,
                    addressee != node.publicKey.nodeHash
                else { continue }
                let code = (0..<4).map { _ in UInt8(truncatingIfNeeded: behaviours[index].random.next()) }
                later(index, .packet(Packet.flood(.ack, code).encoded), delay, event)
            case .replay(let delay, let limit):
                // What is under way counts too, else a busy minute would be over the limit.
                guard behaviours[index].acted < limit, air.packet != nil else { continue }
                later(index, .packet(air.bytes), delay, event)
            case .autoReply, .chatter, .advertFlood: continue
            }
        }
    }

    /// A companion without a client has fetched a message.
    func fetched(_ frame: [UInt8], by node: Node, _ event: EventID) {
        for index in behaviours.indices where behaviours[index].node == node.index {
            guard case .autoReply(let text, let delay) = behaviours[index].spec,
                case .directMessage(let message) = RadioFrame.decode(frame), message.type == .plain
            else { continue }
            later(index, .text(to: message.senderPrefix, text), delay, event)
        }
    }

    private func later(_ index: Int, _ deed: BehaviourAction.Deed, _ delay: Int64, _ cause: EventID) {
        deeds.insert(
            BehaviourAction(behaviour: index, deed: deed, cause: cause == .forgotten ? nil : cause),
            at: millisecond + max(1, delay))
    }
}
