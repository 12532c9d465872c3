internal import RigBase

/// The keys someone has for reading packets of others; it opens payloads and never gives a key away.
public struct PacketKeys: Sendable {
    private struct Party: Sendable {
        var name: String
        var key: PublicKey
        var identity: Identity?
    }

    private var parties: [Party] = []
    private var channels: [(name: String, secret: ChannelSecret)] = []

    public init() {}

    public var isEmpty: Bool { parties.isEmpty && channels.isEmpty }

    /// A node whose private key is known.
    public mutating func add(_ name: String, _ identity: Identity) {
        parties.append(Party(name: name, key: identity.publicKey, identity: identity))
    }

    /// A node of which only the public key is known: it can be the other side of one whose private key is.
    public mutating func add(_ name: String, _ key: PublicKey) {
        parties.append(Party(name: name, key: key, identity: nil))
    }

    public mutating func add(channel name: String, _ secret: ChannelSecret) { channels.append((name, secret)) }

    /// A payload that one of the keys has opened, with the names of who it is between.
    public struct Opened: Sendable {
        public var from: String
        public var to: String
        public var plain: [UInt8]
    }

    /// Opens what two nodes say to each other. The addressee's hash and the sender's choose the keys that are tried.
    public func open(_ envelope: PeerEnvelope) -> Opened? {
        for to in parties where to.key.nodeHash == envelope.destination {
            for from in parties where from.key.nodeHash == envelope.source {
                if let plain = secret(from, to)?.open(envelope.sealed) {
                    return Opened(from: from.name, to: to.name, plain: plain)
                }
            }
        }
        return nil
    }

    public func open(_ envelope: AnonymousEnvelope) -> Opened? {
        let from =
            parties.first { $0.key == envelope.sender }
            ?? Party(name: envelope.sender.description, key: envelope.sender, identity: nil)
        for to in parties where to.key.nodeHash == envelope.destination {
            if let plain = secret(from, to)?.open(envelope.sealed) {
                return Opened(from: from.name, to: to.name, plain: plain)
            }
        }
        return nil
    }

    /// Opens what goes to a channel; `to` is the channel's name and `from` empty.
    public func open(_ envelope: ChannelEnvelope) -> Opened? {
        for channel in channels where channel.secret.hash == envelope.channelHash {
            if let plain = channel.secret.open(envelope.sealed) {
                return Opened(from: "", to: channel.name, plain: plain)
            }
        }
        return nil
    }

    private func secret(_ one: Party, _ other: Party) -> SharedSecret? {
        one.identity?.sharedSecret(with: other.key) ?? other.identity?.sharedSecret(with: one.key)
    }
}
