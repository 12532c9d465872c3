public import MeshProtocol

/// A repeater's or room's tables.
public struct ServerSnapshot: Sendable {
    public struct Member: Sendable, Hashable {
        public var key: PublicKey
        /// Role in bits 0–1: 0 guest, 1 read-only, 2 read-write, 3 admin.
        public var permissions: UInt8
        /// Nil when answers to it are flooded.
        public var pathLength: PathLength?
        public var path: [UInt8]
        /// Rooms: posts up to this time have been delivered, by the room's clock.
        public var syncSince: UInt32
        /// Rooms: pushes in a row that nobody acknowledged; three suspend the member.
        public var pushFailures: Int
    }

    public struct Post: Sendable, Hashable {
        public var author: PublicKey
        public var time: UInt32
        public var text: String
    }

    public struct Neighbour: Sendable, Hashable {
        public var key: PublicKey
        /// By this node's clock.
        public var heard: UInt32
        public var snrQuarterDB: Int8
    }

    public var displayName: String
    public var isForwarding: Bool
    public var members: [Member]
    public var posts: [Post]
    public var neighbours: [Neighbour]
    /// Names of the regions whose floods are passed on, `*` for those without a scope.
    public var allowedRegions: String
}

extension Server {
    var snapshot: ServerSnapshot {
        ServerSnapshot(
            displayName: String(decoding: preferences.name, as: UTF8.self), isForwarding: preferences.isForwarding,
            members: table.clients.map {
                ServerSnapshot.Member(
                    key: $0.key, permissions: $0.permissions, pathLength: $0.pathLength == .none ? nil : $0.pathLength,
                    path: $0.path, syncSince: $0.syncSince, pushFailures: $0.pushFailures)
            },
            posts: posts.posts.map {
                ServerSnapshot.Post(author: $0.author, time: $0.time, text: String(decoding: $0.text, as: UTF8.self))
            },
            neighbours: neighbours.entries.map {
                ServerSnapshot.Neighbour(key: $0.key, heard: $0.heard, snrQuarterDB: $0.snrQuarterDB)
            },
            allowedRegions: regions.names(allowed: true, limit: 1_000))
    }
}
