public import MeshProtocol
public import RigBase

/// What the world knows about a node, whatever its client believes.
public struct NodeSnapshot: Sendable {
    public var name: String
    public var role: NodeSpec.Role
    public var isOn: Bool
    public var publicKey: PublicKey
    public var radio: RadioParameters
    /// The node's clock in Unix seconds.
    public var clock: UInt32
    public var packetsSent: UInt32
    public var packetsReceived: UInt32
    /// Packets waiting to be sent.
    public var sendQueue: Int
    public var freeBuffers: Int
    public var errorFlags: UInt16
    public var companion: CompanionSnapshot?
    /// Of a repeater or room.
    public var server: ServerSnapshot?
}

/// A companion's tables.
public struct CompanionSnapshot: Sendable {
    public struct Contact: Sendable, Hashable {
        public var key: PublicKey
        public var name: String
        public var type: UInt8
        public var flags: UInt8
        /// Nil when messages to it are flooded.
        public var pathLength: PathLength?
        public var path: [UInt8]
        public var lastAdvert: UInt32
        public var lastModified: UInt32
        public var position: Position
    }

    public struct Channel: Sendable, Hashable {
        public var index: Int
        public var name: String
        public var key: Secret
    }

    public var displayName: String
    public var position: Position
    /// Contacts proper, without the transient slots.
    public var contacts: [Contact]
    /// Slots with a name or a key.
    public var channels: [Channel]
    /// Waiting messages as the frames the app will get.
    public var offlineQueue: [[UInt8]]
    /// Acknowledgements still awaited.
    public var expectedAcks: [[UInt8]]
    public var appVersion: UInt8
    public var isListing: Bool
    public var hostConnected: Bool
}

extension World {
    public func inspect(_ name: String) -> NodeSnapshot {
        let node = node(name)
        return NodeSnapshot(
            name: name, role: spec.nodes[node.index].role, isOn: node.isOn, publicKey: node.publicKey,
            radio: node.radio, clock: node.clock.seconds(at: millisecond), packetsSent: node.counters.sent,
            packetsReceived: node.counters.received, sendQueue: node.sendQueue.count,
            freeBuffers: node.role.packetPool - node.buffersInUse, errorFlags: node.errorFlags,
            companion: (node.role as? Companion)?.snapshot, server: (node.role as? Server)?.snapshot)
    }
}

extension Companion {
    fileprivate var snapshot: CompanionSnapshot {
        CompanionSnapshot(
            displayName: String(decoding: preferences.name, as: UTF8.self), position: preferences.position,
            contacts: contacts.dropFirst(Self.transientSlots).map(\.snapshot),
            channels: channels.enumerated().compactMap { index, channel in
                let key = channel.secret.key16
                guard !channel.name.isEmpty || key.contains(where: { $0 != 0 }) else { return nil }
                return CompanionSnapshot.Channel(
                    index: index, name: String(decoding: channel.name, as: UTF8.self), key: Secret(key))
            },
            offlineQueue: offlineQueue.map(\.frame),
            expectedAcks: expectedAcks.entries.map(\.ack).filter { $0 != [0, 0, 0, 0] }, appVersion: appVersion,
            isListing: listing != nil, hostConnected: host.isConnected)
    }
}

extension Contact {
    fileprivate var snapshot: CompanionSnapshot.Contact {
        let length = PathLength(rawValue: pathLength)
        return CompanionSnapshot.Contact(
            key: key, name: String(decoding: name, as: UTF8.self), type: type, flags: flags,
            pathLength: length == .none ? nil : length, path: length.isValid ? Array(path[..<length.byteCount]) : [],
            lastAdvert: lastAdvert, lastModified: lastModified,
            position: Position(latitude: latitude, longitude: longitude))
    }
}
