internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// One behaviour of one node, and how far it has got.
struct Behaviour {
    let node: Int
    let spec: BehaviourSpec
    var random: Prng
    /// What it has begun: deeds done, and those that wait for their time.
    var begun = 0
    /// Sender and time of the last texts it answered; a repeated attempt is the same text.
    var answered: [[UInt8]] = []
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
            guard behaviours[index].begun < chatter.limit else { return }
            wait = chatter.isRandom ? Self.exponential(chatter.every, &behaviours[index].random) : chatter.every
        case .advertFlood(let every, let limit):
            guard behaviours[index].begun < limit else { return }
            wait = every
        case .autoReply, .forgedAck, .replay: return
        }
        plans.insert(.deed(BehaviourAction(behaviour: index, deed: .beat)), at: millisecond + max(1, wait))
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

    /// Carries out a deed; one that the node's firmware would not even take is left undone, without a word.
    func carryOut(_ action: BehaviourAction) {
        let behaviour = behaviours[action.behaviour]
        let node = nodes[behaviour.node]
        if case .beat = action.deed {
            behaviours[action.behaviour].begun += 1
            plan(nextBeatOf: action.behaviour)
        }
        guard node.isOn, let companion = node.role as? Companion, let command = command(of: action, companion) else {
            return
        }
        let event = post(
            .behaviour, node.name, at: millisecond, cause: action.cause, ["what": FieldValue(behaviour.spec.name)])
        self.command(command, as: node.name, cause: event)
    }

    private func command(of action: BehaviourAction, _ companion: Companion) -> [UInt8]? {
        switch action.deed {
        case .text(let prefix, let text): command(text, to: prefix, companion)
        case .packet(let bytes): command(bytes, companion)
        case .beat: beat(action.behaviour, companion)
        }
    }

    private func beat(_ index: Int, _ companion: Companion) -> [UInt8]? {
        let number = behaviours[index].begun
        switch behaviours[index].spec {
        case .chatter(let chatter):
            let text = "\(chatter.text) \(number)"
            return switch chatter.to {
            case .node(let other): command(text, to: publicKey(of: other).bytes, companion)
            case .channel(let slot): channelTextCommand(as: companion.node.name, channel: slot, text)
            }
        case .advertFlood:
            var seed: [UInt8] = []
            while seed.count < 32 { seed.append(UInt8(truncatingIfNeeded: behaviours[index].random.next())) }
            let contents = AdvertContents(nodeType: .chat, name: Array("ghost \(number)".utf8))
            let advert = Advert(
                identity: Identity(seed: seed), timestamp: clock(of: companion.node.name), appData: contents.encoded)
            return command(Packet.flood(.advert, advert.encoded).encoded, companion)
        case .autoReply, .forgedAck, .replay: return nil
        }
    }

    /// A text to a contact; nil when it is none.
    private func command(_ text: String, to prefix: [UInt8], _ companion: Companion) -> [UInt8]? {
        companion.contacts.first { $0.key.matches(prefix: prefix) }
            .map { textCommand(as: companion.node.name, to: $0.key, text) }
    }

    /// A packet as it is; nil when no command of that release holds it.
    private func command(_ packet: [UInt8], _ companion: Companion) -> [UInt8]? {
        let command = [CommandCode.sendRawPacket.rawValue, Self.priority] + packet
        let isKnown = !companion.profile.missingCommands.contains(CommandCode.sendRawPacket.rawValue)
        return isKnown && command.count <= companion.profile.maximumFrame ? command : nil
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
                guard behaviours[index].begun < limit, air.packet != nil else { continue }
                later(index, .packet(air.bytes), delay, event)
            case .autoReply, .chatter, .advertFlood: continue
            }
        }
    }

    /// A companion without a client has fetched a message.
    func fetched(_ frame: [UInt8], by node: Node, _ event: EventID) {
        for index in behaviours.indices where behaviours[index].node == node.index {
            guard case .autoReply(let text, let delay, let limit) = behaviours[index].spec,
                behaviours[index].begun < limit, case .directMessage(let message) = RadioFrame.decode(frame),
                message.type == .plain
            else { continue }
            let mark = message.senderPrefix + withUnsafeBytes(of: message.timestamp.littleEndian, Array.init)
            if behaviours[index].answered.contains(mark) { continue }
            behaviours[index].answered = behaviours[index].answered.suffix(15) + [mark]
            later(index, .text(to: message.senderPrefix, text), delay, event)
        }
    }

    private func later(_ index: Int, _ deed: BehaviourAction.Deed, _ delay: Int64, _ cause: EventID) {
        behaviours[index].begun += 1
        plans.insert(
            .deed(BehaviourAction(behaviour: index, deed: deed, cause: cause == .forgotten ? nil : cause)),
            at: millisecond + max(1, delay))
    }
}
