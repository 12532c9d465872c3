internal import RigBase

/// What a sealed payload says to those who have its keys. Passwords are counted, not shown.
extension PacketDescription {
    /// The fields of an opened payload; nil when no key opens it or nothing in it is sealed.
    static func opened(_ packet: Packet, _ keys: PacketKeys) -> [Field]? {
        switch packet.type {
        case .request, .response, .textMessage, .path:
            guard let envelope = PeerEnvelope(parsing: packet.payload), let opened = keys.open(envelope) else {
                return nil
            }
            return parties(opened) + contents(packet.type, opened.plain)
        case .anonymousRequest:
            guard let envelope = AnonymousEnvelope(parsing: packet.payload), let opened = keys.open(envelope) else {
                return nil
            }
            return parties(opened) + anonymous(opened.plain)
        case .groupText, .groupData:
            guard let envelope = ChannelEnvelope(parsing: packet.payload), let opened = keys.open(envelope) else {
                return nil
            }
            return [Field(name: "opened", value: "on \(opened.to)")] + group(packet.type, opened.plain)
        default: return nil
        }
    }

    private static func parties(_ opened: PacketKeys.Opened) -> [Field] {
        [Field(name: "opened", value: "from \(opened.from) to \(opened.to)")]
    }

    private static func contents(_ type: PayloadType, _ plain: [UInt8]) -> [Field] {
        switch type {
        case .textMessage: TextMessage(opened: plain).map(text) ?? raw(plain)
        case .request: Request(opened: plain).map(request) ?? raw(plain)
        case .response: Response(opened: plain).map(response) ?? raw(plain)
        default: PathReturn(opened: plain).map(path) ?? raw(plain)
        }
    }

    private static func raw(_ plain: [UInt8]) -> [Field] { [Field(name: "plain", value: Hex.encode(plain))] }

    private static func text(_ text: TextMessage) -> [Field] {
        let kind =
            switch text.type {
            case .plain: "plain"
            case .commandLine: "command-line"
            case .signedPlain: "signed"
            default: "\(text.type.rawValue)"
            }
        var fields = [
            Field(name: "timestamp", value: "\(text.timestamp)"), Field(name: "text-type", value: kind),
            Field(name: "attempt", value: "\(text.attempt)"),
        ]
        if !text.authorPrefix.isEmpty { fields.append(Field(name: "author", value: Hex.encode(text.authorPrefix))) }
        fields.append(
            Field(name: "text", value: text.type == .plain ? string(text.text) : withoutSecret(string(text.text))))
        return fields
    }

    /// Commands that set or tell a password or a private key, less what they set.
    private static func withoutSecret(_ command: String) -> String {
        for word in ["password", "prv.key"] {
            guard let range = command.firstRange(of: word) else { continue }
            let rest = command[range.upperBound...]
            if rest.contains(where: { $0 != " " }) { return command[..<range.upperBound] + " (not shown)" }
        }
        return command
    }

    private static func request(_ request: Request) -> [Field] {
        let names: [RequestType: String] = [
            .status: "status", .keepAlive: "keep-alive", .telemetry: "telemetry", .series: "series",
            .accessList: "access-list", .neighbours: "neighbours", .ownerInfo: "owner-info",
        ]
        return [
            Field(name: "tag", value: "\(request.tag)"),
            Field(name: "asks-for", value: names[request.type] ?? "\(request.type.rawValue)"),
            Field(name: "parameters", value: Hex.encode(request.parameters)),
        ]
    }

    private static func response(_ response: Response) -> [Field] {
        [Field(name: "tag", value: "\(response.tag)"), Field(name: "data", value: Hex.encode(response.data))]
    }

    private static func path(_ path: PathReturn) -> [Field] {
        let size = max(1, path.pathLength.hashSize)
        let entries = stride(from: 0, to: path.path.count, by: size).map { Hex.encode(path.path[$0..<$0 + size]) }
        var fields = [Field(name: "returned-path", value: "[" + entries.joined(separator: " ") + "]")]
        switch path.payloadType {
        case .ack where path.extra.count >= 4:
            fields.append(Field(name: "carries-ack", value: Hex.encode(path.extra.prefix(4))))
        case .response: fields += Response(opened: path.extra).map(response) ?? []
        default: break
        }
        return fields
    }

    /// Login or question of a stranger; which password it holds is nobody's business.
    private static func anonymous(_ plain: [UInt8]) -> [Field] {
        guard plain.count > 4 else { return raw(plain) }
        let time = plain[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let fields = [Field(name: "timestamp", value: "\(time)")]
        if plain[4] > 0, plain[4] < 0x20 {
            return fields + [
                Field(name: "asks-for", value: "\(plain[4])"),
                Field(name: "parameters", value: Hex.encode(plain[5...])),
            ]
        }
        return fields + [Field(name: "login", value: "\(plain.count - 4) bytes, not shown: they hold a password")]
    }

    private static func group(_ type: PayloadType, _ plain: [UInt8]) -> [Field] {
        if type == .groupText, let text = GroupText(opened: plain) {
            return [
                Field(name: "timestamp", value: "\(text.timestamp)"), Field(name: "text", value: string(text.line)),
            ]
        }
        if type == .groupData, let data = GroupData(opened: plain) {
            return [
                Field(name: "data-type", value: "\(data.dataType)"), Field(name: "data", value: Hex.encode(data.data)),
            ]
        }
        return raw(plain)
    }

    private static func string(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
