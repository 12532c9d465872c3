internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Logins and the questions a stranger may ask (remote-nodes §1).
extension Server {
    func receivedAnonymous(from key: PublicKey, plain: [UInt8], packet held: HeldPacket) {
        guard plain.count > 4 else { return node.ignore(held, "too-short") }
        let timestamp = Self.number(plain[..<4])
        if kind == .room {
            guard plain.count > 8 else { return node.ignore(held, "too-short") }
            logIn(key, timestamp, password: plain[8...], syncSince: Self.number(plain[4..<8]), held)
        } else if plain[4] == 0 || plain[4] >= 0x20 {
            logIn(key, timestamp, password: plain[4...], syncSince: 0, held)
        } else {
            answerStranger(key, plain, held)
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) } }

    private func logIn(
        _ key: PublicKey, _ timestamp: UInt32, password field: ArraySlice<UInt8>, syncSince: UInt32, _ held: HeldPacket
    ) {
        let password = Array(field.prefix { $0 != 0 })
        let place: Int
        if password.isEmpty, let known = table.index(of: key) {
            place = known
        } else {
            guard let role = role(for: password) else { return node.ignore(held, "login-not-accepted") }
            let isNew = table.index(of: key) == nil
            place = table.place(of: key, secret: node.identity.sharedSecret(with: key))
            // A sensor's new member gets alerts of both kinds.
            if kind == .sensor, isNew { table.clients[place].permissions = 0xC0 }
            guard timestamp > table.clients[place].lastTimestamp else { return node.ignore(held, "replay") }
            admit(place, role, timestamp, syncSince)
        }
        if held.packet.route.isFlood { table.clients[place].pathLength = .none }
        if kind == .room { nextPush = node.now + 2_000 }
        let client = table.clients[place]
        var answer = ByteWriter(reserving: 13)
        answer.u32(node.uniqueSeconds())
        answer.append([0, 0])
        answer.u8(client.isAdmin ? 1 : kind == .room && client.permissions == 0 ? 2 : 0)
        answer.u8(client.permissions)
        answer.append(node.random.bytes(4))
        answer.u8(kind == .repeater ? 2 : 1)
        if kind == .sensor, held.packet.route.isDirect {
            // Flooded even when a path is known.
            guard
                let packet = node.makeDatagram(.response, to: key, secret: client.secret, plain: answer.bytes)
            else { return }
            return node.sendFlood(packet, delay: 300)
        }
        respond(answer.bytes, to: client, held)
    }

    /// The role a password gives; nil refuses, which is silence.
    private func role(for password: [UInt8]) -> UInt8? {
        if password == preferences.adminPassword { return ServerClient.adminRole }
        if kind == .sensor { return nil }
        if password == preferences.guestPassword { return kind == .room ? 2 : 0 }
        return kind == .room && preferences.allowsReadOnly ? 0 : nil
    }

    private func admit(_ place: Int, _ role: UInt8, _ timestamp: UInt32, _ syncSince: UInt32) {
        table.clients[place].setRole(role)
        table.clients[place].lastTimestamp = timestamp
        table.clients[place].lastActivity = node.seconds()
        if kind == .room {
            table.clients[place].syncSince = syncSince
            table.clients[place].pendingAck = nil
            table.clients[place].pushFailures = 0
        }
        if kind == .room || role != 0 { clientsChanged() }
    }

    // MARK: Questions of strangers

    /// Regions, owner and features: direct only, at most four in three minutes, along the path the question names.
    private func answerStranger(_ key: PublicKey, _ plain: [UInt8], _ held: HeldPacket) {
        guard kind == .repeater, held.packet.route.isDirect else { return node.ignore(held, "not-answered") }
        guard (1...3).contains(plain[4]) else { return node.ignore(held, "not-answered") }
        guard anonymousLimit.allows(at: node.seconds()) else { return node.ignore(held, "limited") }
        let length = PathLength(rawValue: plain.count > 5 ? plain[5] : 0)
        guard length.isValid, plain.count >= 6 + length.byteCount else { return node.ignore(held, "malformed") }
        var answer = ByteWriter()
        answer.append(plain[..<4])
        answer.u32(node.seconds())
        switch plain[4] {
        case 1: answer.append(regions.names(allowed: true, limit: 171).consoleBytes)
        case 2:
            answer.append(preferences.name)
            answer.u8(0x0A)
            answer.append(preferences.ownerInfo)
        default: answer.u8(preferences.isForwarding ? 0 : 0x80)
        }
        let secret = node.identity.sharedSecret(with: key)
        guard let packet = node.makeDatagram(.response, to: key, secret: secret, plain: answer.bytes) else { return }
        node.sendDirect(packet, length: length, path: Array(plain[6..<6 + length.byteCount]), delay: 300)
    }
}
