internal import RigBase

/// The envelope of REQ, RESPONSE, TXT_MSG and PATH: two node hashes and a sealed text (mesh-protocol §2.7.1).
public struct PeerEnvelope: Hashable, Sendable {
    /// First byte of the addressee's key.
    public var destination: UInt8
    /// First byte of the sender's key.
    public var source: UInt8
    /// MAC and ciphertext under the pair's secret.
    public var sealed: [UInt8]

    public init(destination: UInt8, source: UInt8, sealed: [UInt8]) {
        self.destination = destination
        self.source = source
        self.sealed = sealed
    }

    /// Seals `plaintext` from one node to another.
    public init(_ plaintext: [UInt8], from sender: PublicKey, to recipient: PublicKey, secret: SharedSecret) {
        self.init(destination: recipient.nodeHash, source: sender.nodeHash, sealed: secret.seal(plaintext))
    }

    /// Nil below the five bytes a receiver asks for.
    public init?(parsing payload: [UInt8]) {
        guard payload.count >= 5 else { return nil }
        self.init(destination: payload[0], source: payload[1], sealed: Array(payload[2...]))
    }

    public var encoded: [UInt8] { [destination, source] + sealed }
}

/// A request from a node the receiver need not know: the sender's whole key travels with it (mesh-protocol §2.7.8).
public struct AnonymousEnvelope: Hashable, Sendable {
    public var destination: UInt8
    public var sender: PublicKey
    public var sealed: [UInt8]

    public init(_ plaintext: [UInt8], from sender: PublicKey, to recipient: PublicKey, secret: SharedSecret) {
        destination = recipient.nodeHash
        self.sender = sender
        sealed = secret.seal(plaintext)
    }

    /// Nil below 36 bytes.
    public init?(parsing payload: [UInt8]) {
        guard payload.count >= 36, let key = PublicKey(checking: payload[1..<33]) else { return nil }
        destination = payload[0]
        sender = key
        sealed = Array(payload[33...])
    }

    public var encoded: [UInt8] { [destination] + sender.bytes + sealed }
}

/// A sealed text or datagram of a group channel (mesh-protocol §2.7.9).
public struct ChannelEnvelope: Hashable, Sendable {
    public var channelHash: UInt8
    public var sealed: [UInt8]

    public init(_ plaintext: [UInt8], channel: ChannelSecret) {
        channelHash = channel.hash
        sealed = channel.seal(plaintext)
    }

    /// Nil below four bytes.
    public init?(parsing payload: [UInt8]) {
        guard payload.count >= 4 else { return nil }
        channelHash = payload[0]
        sealed = Array(payload[1...])
    }

    public var encoded: [UInt8] { [channelHash] + sealed }
}
