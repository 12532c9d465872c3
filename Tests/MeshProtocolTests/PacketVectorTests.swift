import MeshProtocol
import RigBase
import Testing

@Suite struct PacketVectorTests {
    private let vectors: Vectors

    init() throws { vectors = try Vectors() }

    @Test func `every packet parses into the recorded parts and encodes again`() throws {
        let entries = try vectors.entries("packets")
        #expect(entries.count == 53)
        for entry in entries {
            let raw = try entry.bytes("raw")
            let packet = try Packet(parsing: raw)
            #expect(Int(packet.route.rawValue) == (try entry.number("route")))
            #expect(Int(packet.type.rawValue) == (try entry.number("payload_type")))
            #expect([packet.pathLength.rawValue] == (try entry.bytes("path_len")))
            #expect(packet.path == (try entry.bytes("path")))
            #expect(packet.payload == (try entry.bytes("payload")))
            #expect(packet.hash.bytes == (try entry.bytes("packet_hash")))
            #expect(packet.encoded == raw)
            #expect(packet.frameLength == raw.count)
            #expect(packet.hasMinimumPayload)
            #expect(try Packet(parsingStored: raw) == packet)
        }
    }

    @Test func `every packet is built from its plain parts`() throws {
        for entry in try vectors.entries("packets") {
            let type = PayloadType(rawValue: UInt8(try entry.number("payload_type")))
            let codes = (entry.fields["transport_codes"] as? [Int]).map {
                TransportCodes(a: UInt16($0[0]), b: UInt16($0[1]))
            }
            let packet = Packet(
                route: try #require(RouteType(rawValue: UInt8(try entry.number("route")))), type: type,
                transportCodes: codes, pathLength: PathLength(rawValue: try entry.bytes("path_len")[0]),
                path: try entry.bytes("path"), payload: try payload(of: entry, type))
            let (raw, id) = (try entry.bytes("raw"), try entry.text("id"))
            #expect(packet.encoded == raw, "\(id)")
        }
    }

    /// Builds a payload from the entry's readable fields alone.
    private func payload(of entry: Vectors.Entry, _ type: PayloadType) throws -> [UInt8] {
        switch type {
        case .textMessage, .request, .response, .path: return try peerPayload(entry, type)
        case .anonymousRequest:
            let (sender, recipient) = (
                try vectors.identity(entry.text("sender")), try vectors.identity(entry.text("recipient"))
            )
            let secret = sender.sharedSecret(with: recipient.publicKey)
            return AnonymousEnvelope(
                try entry.bytes("plaintext"), from: sender.publicKey, to: recipient.publicKey, secret: secret
            ).encoded
        case .groupText, .groupData: return try groupPayload(entry, type)
        case .advert: return try advertPayload(entry)
        case .trace:
            return Trace(
                tag: UInt32(try entry.number("tag")), authCode: UInt32(try entry.number("auth_code")),
                flags: UInt8(try entry.number("flags")), hops: try entry.bytes("hop_hashes")
            ).encoded
        case .control: return try controlPayload(entry)
        case .multipart:
            let recorded = try entry.bytes("payload")
            let ack = try entry.bytes("ack_hash") + recorded[5...]
            let packet = try Packet(parsing: entry.bytes("raw"))
            #expect(packet.multipartAckHash?.bytes == (try entry.bytes("dedup_hash")))
            return MultipartAck(remaining: 1, ack: ack).encoded
        case .ack:
            let recorded = try entry.bytes("payload")
            #expect(AckHash(parsing: recorded)?.bytes == (try entry.bytes("ack_hash")))
            return recorded
        default: return try entry.bytes("payload")
        }
    }

    private func peerPayload(_ entry: Vectors.Entry, _ type: PayloadType) throws -> [UInt8] {
        let (sender, recipient) = (
            try vectors.identity(entry.text("sender")), try vectors.identity(entry.text("recipient"))
        )
        let secret = sender.sharedSecret(with: recipient.publicKey)
        let plaintext: [UInt8]
        switch type {
        case .textMessage where entry.has("text"):
            let message = TextMessage(
                timestamp: UInt32(try entry.number("timestamp")), attempt: UInt8(try entry.number("attempt")),
                type: TextKind(rawValue: UInt8(try entry.number("txt_type"))), text: Array(try entry.text("text").utf8))
            #expect(message.isSendable)
            plaintext = message.plaintext
            if let ack = try entry.optionalBytes("expected_ack") {
                #expect(message.ackHash(key: sender.publicKey).bytes == ack)
            }
        case .textMessage where entry.has("author"):
            let author = try vectors.identity(entry.text("author")).publicKey
            let message = TextMessage(
                timestamp: UInt32(try entry.number("timestamp")), attempt: 1, type: .signedPlain,
                authorPrefix: author.prefix(4), text: Array("a room post".utf8))
            plaintext = message.plaintext
            #expect(message.ackHash(key: recipient.publicKey).bytes == (try entry.bytes("expected_ack")))
        case .path where entry.has("inner_path"):
            let length = PathLength(rawValue: try entry.bytes("inner_path_len")[0])
            let extraType = UInt8(try entry.number("extra_type"))
            plaintext =
                extraType == 0xFF
                ? PathReturn(
                    pathLength: length, path: try entry.bytes("inner_path"),
                    random: Array(try entry.bytes("plaintext").suffix(4))
                ).plaintext
                : PathReturn(
                    pathLength: length, path: try entry.bytes("inner_path"),
                    carrying: PayloadType(rawValue: extraType), try entry.bytes("extra")
                ).plaintext
        default:
            plaintext = try entry.optionalBytes("plaintext") ?? vectors.packet("txt-plain-flood").bytes("plaintext")
        }
        if let recorded = try entry.optionalBytes("plaintext") { #expect(plaintext == recorded) }
        let envelope = PeerEnvelope(plaintext, from: sender.publicKey, to: recipient.publicKey, secret: secret)
        try checkOpening(entry, envelope, secret)
        return envelope.encoded
    }

    private func checkOpening(_ entry: Vectors.Entry, _ envelope: PeerEnvelope, _ secret: SharedSecret) throws {
        #expect(PeerEnvelope(parsing: try entry.bytes("payload")) == envelope)
        let opened = try #require(secret.open(envelope.sealed))
        if let padded = try entry.optionalBytes("padded_plaintext") { #expect(opened == padded) }
        if entry.has("mac_fails_with") {
            let other = try vectors.identity(entry.text("mac_fails_with")).publicKey
            let wrong = try vectors.identity(entry.text("recipient")).sharedSecret(with: other)
            #expect(wrong.open(envelope.sealed) == nil)
        }
        if entry.has("text"), entry.has("attempt") {
            let read = try #require(TextMessage(opened: opened))
            #expect(read.text == Array(try entry.text("text").utf8))
            #expect(Int(read.attempt) == (try entry.number("attempt")))
        }
        if entry.has("inner_path") {
            let read = try #require(PathReturn(opened: opened))
            #expect(read.path == (try entry.bytes("inner_path")))
            #expect(Int(read.extraType) == (try entry.number("extra_type")))
        }
    }

    private func groupPayload(_ entry: Vectors.Entry, _ type: PayloadType) throws -> [UInt8] {
        let channel = try vectors.channel(entry.text("channel"))
        let plaintext: [UInt8]
        if type == .groupData {
            plaintext = GroupData(dataType: GroupData.developerType, data: Array("hello".utf8)).plaintext
        } else {
            plaintext =
                GroupText(
                    timestamp: 1_700_000_000, senderName: Array("Alice".utf8), text: Array("Hello mesh".utf8)
                ).plaintext
        }
        if let recorded = try entry.optionalBytes("plaintext") { #expect(plaintext == recorded) }
        let envelope = ChannelEnvelope(plaintext, channel: channel)
        #expect(ChannelEnvelope(parsing: try entry.bytes("payload")) == envelope)
        let opened = try #require(channel.open(envelope.sealed))
        if type == .groupData {
            #expect(GroupData(opened: opened)?.data == Array("hello".utf8))
        } else {
            #expect(GroupText(opened: opened)?.line == Array("Alice: Hello mesh".utf8))
        }
        return envelope.encoded
    }

    private func advertPayload(_ entry: Vectors.Entry) throws -> [UInt8] {
        let position =
            entry.has("lat_e6")
            ? AdvertPosition(
                latitudeE6: Int32(try entry.number("lat_e6")), longitudeE6: Int32(try entry.number("lon_e6"))) : nil
        let contents = AdvertContents(
            nodeType: NodeType(rawValue: UInt8(try entry.number("adv_type"))), position: position,
            feature1: entry.has("feat1") ? UInt16(try entry.number("feat1")) : 0,
            feature2: entry.has("feat2") ? UInt16(try entry.number("feat2")) : 0,
            name: Array(try entry.text(entry.has("full_name") ? "full_name" : "name").utf8))
        #expect(contents.encoded == (try entry.bytes("appdata")))
        let advert = Advert(
            identity: try vectors.identity(entry.text("signer")), timestamp: UInt32(try entry.number("timestamp")),
            appData: contents.encoded)
        #expect(advert.signature == (try entry.bytes("signature")))
        let read = try #require(Advert(parsing: try entry.bytes("payload")))
        #expect(read == advert)
        #expect(read.isAuthentic)
        #expect(read.contents?.name == Array(try entry.text("name").utf8))
        #expect(read.contents?.position == position)
        return advert.encoded
    }

    private func controlPayload(_ entry: Vectors.Entry) throws -> [UInt8] {
        let recorded = try entry.bytes("payload")
        let tag = UInt32(try entry.number("tag"))
        if let request = DiscoverRequest(parsing: recorded) {
            #expect(request.wants(.repeater) && !request.wants(.chat))
            return DiscoverRequest(prefixOnly: false, filter: 4, tag: tag, since: 0).encoded
        }
        let response = try #require(DiscoverResponse(parsing: recorded))
        let key = try vectors.identity("r1").publicKey
        return DiscoverResponse(
            nodeType: .repeater, snrQuarterDB: response.snrQuarterDB, tag: tag,
            key: key.prefix(response.key.count)
        ).encoded
    }

    @Test func `path length bytes mean what the table says`() throws {
        for entry in try vectors.entries("path_len") {
            let length = PathLength(rawValue: try entry.bytes("byte")[0])
            #expect(length.isValid == (try entry.flag("valid")))
            #expect(length.hashSize == (try entry.number("hash_size")))
            #expect(length.hopCount == (try entry.number("hash_count")))
            #expect(length.byteCount == (try entry.number("bytes")))
        }
    }

    @Test func `frames that nodes reject are refused`() throws {
        for entry in try vectors.entries("rejected") {
            let (raw, reason) = (try entry.bytes("raw"), try entry.text("why"))
            #expect(throws: PacketError.self, "\(reason)") { try Packet(parsing: raw) }
        }
        #expect(throws: PacketError.emptyPayload) { try Packet(parsingStored: [0x09, 0x00]) }
        #expect(try Packet(parsing: [0x09, 0x00]).payload.isEmpty)
        #expect(try Packet(parsingStored: [0x49, 0x00, 1]).version == 1)
    }

    @Test func `forwarders change only the path`() throws {
        for entry in try vectors.entries("forwarding") {
            let before = try Packet(parsing: entry.bytes("before"))
            let key = try vectors.identity(entry.text("node")).publicKey
            let after: Packet
            if before.route.isFlood {
                after = try #require(before.appendingHop(key))
                #expect(after.pathLength.hopCount == (try entry.number("queue_priority")))
                #expect(after.pathEntries(matching: key) == 1)
            } else {
                #expect(before.isNextHop(key))
                after = try #require(before.strippingHop())
            }
            #expect(after.encoded == (try entry.bytes("after")))
            #expect(after.hash.bytes == (try entry.bytes("packet_hash")))
        }
    }

    @Test func `traces collect one reading a hop and end after the last entry`() throws {
        let snr: [Int8] = [24, -13, 51]
        var packet = try Packet(parsing: vectors.packet("trace-hop0").bytes("raw"))
        let trace = try #require(Trace(parsing: packet.payload))
        for (hop, reading) in snr.enumerated() {
            #expect(trace.progress(afterHops: hop) == .next([trace.hops[hop]]))
            packet = try #require(packet.appendingTraceSNR(reading))
            #expect(packet.encoded == (try vectors.packet("trace-hop\(hop + 1)").bytes("raw")))
        }
        #expect(trace.progress(afterHops: 3) == .ended)
    }
}
