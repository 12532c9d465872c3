internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// How a room stores posts and brings them to its members (remote-nodes §3).
extension Server {
    /// A post takes the next unique value of the clock and holds all pushes back for two seconds.
    func store(_ text: [UInt8], by author: PublicKey) {
        posts.add(author: author, time: node.uniqueSeconds(), text: text)
        nextPush = node.now + 2_000
    }

    /// Looks at one member and sends it the oldest post it has not got.
    func pushPosts() {
        guard node.now > nextPush, !table.clients.isEmpty else { return }
        for index in table.clients.indices where table.clients[index].pendingAck != nil {
            guard node.now > table.clients[index].ackTimeout else { continue }
            table.clients[index].pushFailures += 1
            table.clients[index].pendingAck = nil
        }
        let place = nextClient % table.clients.count
        let client = table.clients[place]
        var hasPushed = false
        if client.pendingAck == nil, client.lastActivity != 0, client.pushFailures < 3,
            let post = posts.next(for: client, now: node.seconds())
        {
            push(post, to: place)
            hasPushed = true
        }
        nextClient = (place + 1) % table.clients.count
        nextPush = node.now + (hasPushed ? 1_200 : 150)
    }

    private func push(_ post: RoomPosts.Post, to place: Int) {
        let client = table.clients[place]
        let text = TextMessage(
            timestamp: post.time, attempt: node.random.byte() & 3, type: .signedPlain,
            authorPrefix: post.author.prefix(4), text: post.text)
        table.clients[place].pendingAck = text.ackHash(key: client.key)
        table.clients[place].pushedPost = post.time
        posts.pushed &+= 1
        let packet = node.makeDatagram(.textMessage, to: client.key, secret: client.secret, plain: text.plaintext)
        if client.pathLength == .none {
            table.clients[place].ackTimeout = node.now + 12_000
            if let packet { node.sendFlood(packet, scope: regions.defaultKey) }
        } else {
            table.clients[place].ackTimeout = node.now + 4_000 + 2_000 * Int64(client.pathLength.hopCount + 1)
            if let packet { node.sendDirect(packet, length: client.pathLength, path: client.path) }
        }
    }

    func receivedAck(_ ack: [UInt8], packet: HeldPacket) -> Bool {
        switch kind {
        case .room: confirmPush(ack)
        case .sensor: confirmAlert(ack)
        case .repeater: false
        }
    }

    /// Takes a member's acknowledgement of a push; true when it belonged to one.
    func confirmPush(_ ack: [UInt8]) -> Bool {
        guard let hash = AckHash(parsing: ack),
            let place = table.clients.firstIndex(where: { $0.pendingAck == hash })
        else { return false }
        table.clients[place].pendingAck = nil
        table.clients[place].pushFailures = 0
        table.clients[place].syncSince = table.clients[place].pushedPost
        return true
    }

    /// KEEP_ALIVE, direct only: may set how far the member has got, and is answered with the number of posts missing.
    func keepAlive(_ peer: Int, _ plain: [UInt8], _ held: HeldPacket) {
        guard held.packet.route.isDirect else { return node.ignore(held, "not-answered") }
        let since = plain.count >= 9 ? Self.number(plain[5..<9]) : 0
        if since != 0 { table.clients[peer].syncSince = since }
        table.clients[peer].pendingAck = nil
        let client = table.clients[peer]
        guard client.pathLength != .none else { return }
        let covered = Array(plain.prefix(9)) + [UInt8](repeating: 0, count: max(0, 9 - plain.count))
        let ack = AckHash(over: covered, key: client.key).bytes
        let missing = UInt8(clamping: posts.missing(for: client))
        guard let packet = node.makePacket(.ack, payload: ack + [missing]) else { return }
        node.sendDirect(packet, length: client.pathLength, path: client.path, delay: 300)
    }
}
