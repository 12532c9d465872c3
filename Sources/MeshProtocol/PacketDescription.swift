internal import RigBase

/// Explains a frame from the air to a reader, as far as it is in the clear.
public enum PacketDescription {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String
    }

    /// The frame's parts in order, or one field `error` that says why it is no packet. Sealed parts are opened as far as
    /// `keys` go.
    public static func fields(of frame: [UInt8], keys: PacketKeys = PacketKeys()) -> [Field] {
        let packet: Packet
        do throws(PacketError) {
            packet = try Packet(parsing: frame)
        } catch {
            return [Field(name: "error", value: error.description)]
        }
        var fields = [
            Field(name: "route", value: packet.route.description), Field(name: "type", value: packet.type.name),
        ]
        if let codes = packet.transportCodes {
            fields.append(Field(name: "transport-codes", value: "\(codes.a) \(codes.b)"))
        }
        fields.append(Field(name: "path", value: path(of: packet)))
        fields += payload(of: packet)
        if let contents = opened(packet, keys) { fields += contents }
        fields.append(Field(name: "hash", value: packet.hash.description))
        return fields
    }

    /// `fields` in one line.
    public static func line(_ frame: [UInt8]) -> String {
        fields(of: frame).map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    private static func path(of packet: Packet) -> String {
        if packet.type == .trace {
            return "[" + packet.path.map { quarters(Int8(bitPattern: $0)) + " dB" }.joined(separator: " ") + "]"
        }
        let size = packet.pathLength.hashSize
        let entries = stride(from: 0, to: packet.path.count, by: size).map { Hex.encode(packet.path[$0..<$0 + size]) }
        return "[" + entries.joined(separator: " ") + "]"
    }

    private static func payload(of packet: Packet) -> [Field] {
        let opaque = [Field(name: "payload", value: Hex.encode(packet.payload))]
        switch packet.type {
        case .request, .response, .textMessage, .path:
            guard let envelope = PeerEnvelope(parsing: packet.payload) else { return opaque }
            return [
                Field(name: "to", value: Hex.encode([envelope.destination])),
                Field(name: "from", value: Hex.encode([envelope.source])),
                Field(name: "sealed", value: Hex.encode(envelope.sealed)),
            ]
        case .anonymousRequest:
            guard let envelope = AnonymousEnvelope(parsing: packet.payload) else { return opaque }
            return [
                Field(name: "to", value: Hex.encode([envelope.destination])),
                Field(name: "from", value: envelope.sender.description),
                Field(name: "sealed", value: Hex.encode(envelope.sealed)),
            ]
        case .groupText, .groupData:
            guard let envelope = ChannelEnvelope(parsing: packet.payload) else { return opaque }
            return [
                Field(name: "channel", value: Hex.encode([envelope.channelHash])),
                Field(name: "sealed", value: Hex.encode(envelope.sealed)),
            ]
        case .ack: return [Field(name: "ack", value: Hex.encode(packet.payload))]
        case .multipart:
            guard let multipart = MultipartAck(parsing: packet.payload) else { return opaque }
            return [
                Field(name: "remaining", value: "\(multipart.remaining)"),
                Field(name: "ack", value: Hex.encode(multipart.ack)),
            ]
        case .advert: return Advert(parsing: packet.payload).map(advert) ?? opaque
        case .trace: return Trace(parsing: packet.payload).map(trace) ?? opaque
        case .control: return control(packet.payload) ?? opaque
        default: return opaque
        }
    }

    private static func advert(_ advert: Advert) -> [Field] {
        var fields = [
            Field(name: "key", value: advert.key.description), Field(name: "timestamp", value: "\(advert.timestamp)"),
            Field(name: "signature", value: advert.isAuthentic ? "good" : "bad"),
        ]
        guard let contents = advert.contents else {
            return fields + [Field(name: "app-data", value: Hex.encode(advert.appData))]
        }
        fields.append(Field(name: "node-type", value: "\(contents.nodeType.rawValue)"))
        if let position = contents.position {
            fields.append(Field(name: "position", value: "\(position.latitudeE6) \(position.longitudeE6) µ°"))
        }
        if let name = contents.name { fields.append(Field(name: "name", value: String(decoding: name, as: UTF8.self))) }
        return fields
    }

    private static func trace(_ trace: Trace) -> [Field] {
        [
            Field(name: "tag", value: "\(trace.tag)"), Field(name: "auth-code", value: "\(trace.authCode)"),
            Field(name: "flags", value: "\(trace.flags)"), Field(name: "hops", value: Hex.encode(trace.hops)),
        ]
    }

    private static func control(_ payload: [UInt8]) -> [Field]? {
        if let request = DiscoverRequest(parsing: payload) {
            return [
                Field(name: "control", value: "discover-request"),
                Field(name: "filter", value: Hex.encode([request.filter])),
                Field(name: "tag", value: "\(request.tag)"), Field(name: "since", value: "\(request.since ?? 0)"),
            ]
        }
        guard let response = DiscoverResponse(parsing: payload) else { return nil }
        return [
            Field(name: "control", value: "discover-response"),
            Field(name: "node-type", value: "\(response.nodeType.rawValue)"),
            Field(name: "snr", value: quarters(response.snrQuarterDB) + " dB"),
            Field(name: "tag", value: "\(response.tag)"), Field(name: "key", value: Hex.encode(response.key)),
        ]
    }

    /// Quarters as a decimal number without needless digits.
    private static func quarters(_ value: Int8) -> String {
        let magnitude = Int(value).magnitude
        let fraction = ["", ".25", ".5", ".75"][Int(magnitude % 4)]
        return (value < 0 ? "-" : "") + "\(magnitude / 4)" + fraction
    }
}
