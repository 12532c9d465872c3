internal import MeshProtocol
internal import RigBase

/// One member of a server's access list (remote-nodes §0.3).
struct ServerClient {
    static let adminRole: UInt8 = 3

    var key: PublicKey
    var secret: SharedSecret
    /// Role in bits 0–1: 0 guest, 1 read-only, 2 read-write, 3 admin.
    var permissions: UInt8
    /// `.none` when no route to it is known.
    var pathLength: PathLength = .none
    var path: [UInt8] = []
    /// The client's clock in its last accepted packet; memory only.
    var lastTimestamp: UInt32 = 0
    /// The server's clock at that moment; memory only.
    var lastActivity: UInt32 = 0

    // Rooms only.
    /// Posts up to this time have been delivered, by the room's clock.
    var syncSince: UInt32 = 0
    /// Acknowledgement of the push that is under way; nil for none.
    var pendingAck: AckHash?
    var pushedPost: UInt32 = 0
    /// Millisecond after which the push counts as failed.
    var ackTimeout: Int64 = 0
    var pushFailures = 0

    init(key: PublicKey, secret: SharedSecret, permissions: UInt8) {
        self.key = key
        self.secret = secret
        self.permissions = permissions
    }

    var role: UInt8 { permissions & 3 }
    var isAdmin: Bool { role == Self.adminRole }

    mutating func setRole(_ role: UInt8) { permissions = permissions & ~3 | role }

    /// What survives a restart.
    var stored: ServerClient {
        var copy = ServerClient(key: key, secret: secret, permissions: permissions)
        copy.pathLength = pathLength
        copy.path = path
        copy.syncSince = syncSince
        return copy
    }
}

/// The access list: twenty entries in the order in which they came.
struct ClientTable {
    static let capacity = 20

    var clients: [ServerClient] = []

    func index(of key: PublicKey) -> Int? { clients.firstIndex { $0.key == key } }

    /// The entry of `key`, made when there is none. A full table gives up the member without admin rights that has been
    /// quiet the longest, or its last entry when all are admins.
    mutating func place(of key: PublicKey, secret: @autoclosure () -> SharedSecret) -> Int {
        if let index = index(of: key) { return index }
        let made = ServerClient(key: key, secret: secret(), permissions: 0)
        if clients.count < Self.capacity {
            clients.append(made)
            return clients.count - 1
        }
        let victim =
            clients.indices.filter { !clients[$0].isAdmin }.min { clients[$0].lastActivity < clients[$1].lastActivity }
            ?? clients.count - 1
        clients[victim] = made
        return victim
    }
}
