internal import CompanionProtocol
internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import ScenarioModel

/// Scripts of nodes: from the file's words to what the world carries out.
extension WorldBuilder {
    /// Keys tried for a twin; one in 256 fits.
    private static let twinLimit = 100_000

    func apply(_ script: BehaviourDocument, of document: NodeDocument, to node: inout NodeSpec) {
        if let other = script.twinOf { node.identity = twin(of: other, named: document) ?? node.identity }
        if let reply = script.autoReply {
            node.isAutonomous = true
            node.behaviours.append(
                .autoReply(text: reply.text, delay: reply.pace.interval.wholeMilliseconds, limit: reply.pace.count))
        }
        if let chatter = script.chatter, let destination = destination(of: chatter, from: document) {
            node.behaviours.append(
                .chatter(
                    .init(
                        to: destination, text: chatter.text, every: chatter.pace.interval.wholeMilliseconds,
                        isRandom: chatter.isRandom, limit: chatter.pace.count)))
        }
        if let delay = script.forgedAckDelay { node.behaviours.append(.forgedAck(delay: delay.wholeMilliseconds)) }
        if let replay = script.replay {
            node.behaviours.append(.replay(delay: replay.interval.wholeMilliseconds, limit: replay.count))
        }
        if let flood = script.advertFlood {
            node.behaviours.append(.advertFlood(every: flood.interval.wholeMilliseconds, limit: flood.count))
        }
        let lacking = node.profile.missingCommands.contains(CommandCode.sendRawPacket.rawValue)
        if lacking, script.forgedAckDelay != nil || script.replay != nil {
            problems.add(
                document.spot,
                "\(document.name) runs \(node.profile.name), which cannot send whole packets, as forged-ack and replay do"
            )
        }
        if document.role != .companion, !node.behaviours.isEmpty {
            problems.add(document.spot, "\(document.name) is no companion; of a script it can only be an evil-twin")
        }
    }

    private func destination(
        of chatter: BehaviourDocument.Chatter, from document: NodeDocument
    ) -> BehaviourSpec.Chatter.Destination? {
        if let to = chatter.to {
            let contacts = document.contacts.compactMap { contact in
                if case .node(let name) = contact.who { name } else { nil }
            }
            if !contacts.contains(to.name) {
                problems.add(to.spot, "\(document.name) has no contact \(to.name) to talk to")
            }
            return .node(to.name)
        }
        guard let channel = chatter.channel else { return nil }
        let slots = zip(document.channels, slots(of: document))
        let found = slots.first { $0.0.name == channel.name || "\($0.1)" == channel.name }?.1
        if found == nil { problems.add(channel.spot, "\(document.name) has no channel \"\(channel.name)\"") }
        return found.map { .channel(UInt8(clamping: $0)) }
    }

    /// A key that begins with the same byte as the other node's, found by trying seeds made of the twin's name.
    private func twin(of other: NameAtSpot, named document: NodeDocument) -> Identity? {
        guard let target = self.document.node(named: other.name), target.name != document.name else {
            problems.add(other.spot, "a twin is of another node")
            return nil
        }
        if document.key != nil { problems.add(other.spot, "a twin makes its own key; leave \"key\" out") }
        if target.script?.twinOf != nil {
            problems.add(other.spot, "\(other.name) is a twin itself")
            return nil
        }
        let original = target.key.flatMap { $0.count == 32 ? Identity(seed: $0) : Identity(privateKey: $0) }
        let wanted = (original ?? .named(target.name)).publicKey.nodeHash
        for number in 0..<Self.twinLimit {
            let identity = Identity.named("twin/\(document.name)/\(number)")
            if identity.publicKey.nodeHash == wanted { return identity }
        }
        problems.add(other.spot, "no key was found for a twin of \(other.name)")
        return nil
    }
}
