internal import CompanionProtocol
public import MeshProtocol
internal import RigBase
public import RunRecord

/// Companions that act without a client: their commands run through the same handlers as an app's, in the next
/// millisecond, and the answers go to the journal as `peer-command`.
extension World {
    /// Runs one command frame as if the companion's app had sent it.
    public func command(_ frame: [UInt8], as name: String, cause: EventID? = nil) {
        let companion = companion(name)
        guard companion.node.isOn, !frame.isEmpty else { return }
        companion.enqueueInternal(frame, cause: cause)
        touch(companion.node)
    }

    /// A direct text to a contact; the timestamp is the companion's clock unless one is given.
    public func sendText(
        as name: String, to contact: PublicKey, _ text: String, attempt: UInt8 = 0, timestamp: UInt32? = nil,
        cause: EventID? = nil
    ) {
        command(
            textCommand(as: name, to: contact, text, attempt: attempt, timestamp: timestamp), as: name, cause: cause)
    }

    /// A direct text to another node of the world.
    public func sendText(
        as name: String, toNode other: String, _ text: String, attempt: UInt8 = 0, timestamp: UInt32? = nil,
        cause: EventID? = nil
    ) {
        sendText(as: name, to: publicKey(of: other), text, attempt: attempt, timestamp: timestamp, cause: cause)
    }

    public func sendChannelText(
        as name: String, channel: UInt8, _ text: String, timestamp: UInt32? = nil, cause: EventID? = nil
    ) {
        command(channelTextCommand(as: name, channel: channel, text, timestamp: timestamp), as: name, cause: cause)
    }

    /// The command frame of a direct text.
    func textCommand(
        as name: String, to contact: PublicKey, _ text: String, attempt: UInt8 = 0, timestamp: UInt32? = nil
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([CommandCode.sendText.rawValue, 0, attempt])
        writer.u32(timestamp ?? clock(of: name))
        writer.append(contact.prefix(6))
        writer.append(text.utf8)
        return writer.bytes
    }

    /// The command frame of a channel text.
    func channelTextCommand(as name: String, channel: UInt8, _ text: String, timestamp: UInt32? = nil) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([CommandCode.sendChannelText.rawValue, 0, channel])
        writer.u32(timestamp ?? clock(of: name))
        writer.append(text.utf8)
        return writer.bytes
    }

    public func sendAdvert(as name: String, flood: Bool, cause: EventID? = nil) {
        guard node(name).role is Companion else {
            (node(name).role as? Server)?.advertise(flood: flood, cause: cause)
            return touch(node(name))
        }
        command([CommandCode.sendSelfAdvert.rawValue, flood ? 1 : 0], as: name, cause: cause)
    }

    public func publicKey(of name: String) -> PublicKey { node(name).publicKey }

    /// What the node's own clock shows now.
    public func clock(of name: String) -> UInt32 { node(name).clock.seconds(at: millisecond) }
}
