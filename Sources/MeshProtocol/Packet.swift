public import RigBase

/// One frame on the air: header, transport codes, path and payload (mesh-protocol §1.1).
public struct Packet: Hashable, Sendable {
    public static let maximumPayload = 184
    /// The longest frame a packet can make.
    public static let maximumFrame = 254

    public var route: RouteType
    public var type: PayloadType
    /// Payload version, header bits 6–7; 0 is the only one nodes accept from the air.
    public var version: UInt8
    /// Present exactly when the route is scoped; a missing value is encoded as (0, 0).
    public var transportCodes: TransportCodes?
    public var pathLength: PathLength
    /// Path entries, `pathLength.byteCount` bytes; in a TRACE one SNR×4 byte for each hop made.
    public var path: [UInt8]
    public var payload: [UInt8]

    public init(
        route: RouteType, type: PayloadType, version: UInt8 = 0, transportCodes: TransportCodes? = nil,
        pathLength: PathLength = .empty, path: [UInt8] = [], payload: [UInt8]
    ) {
        precondition(version < 4, "a version has two bits")
        precondition(pathLength.byteCount == path.count, "the path does not have the length its length byte says")
        self.route = route
        self.type = type
        self.version = version
        self.transportCodes = route.isScoped ? transportCodes ?? .zero : nil
        self.pathLength = pathLength
        self.path = path
        self.payload = payload
    }

    /// Reads a frame as the radio path does: version 0 only, an empty payload passes (mesh-protocol §1.8).
    public init(parsing raw: [UInt8]) throws(PacketError) {
        if let header = raw.first, header >> 6 != 0 { throw .unsupportedVersion(header >> 6) }
        try self.init(anyVersion: raw)
    }

    /// Reads a stored frame as a contact import does: any version, but at least one payload byte.
    public init(parsingStored raw: [UInt8]) throws(PacketError) {
        try self.init(anyVersion: raw)
        if payload.isEmpty { throw .emptyPayload }
    }

    private init(anyVersion raw: [UInt8]) throws(PacketError) {
        var reader = ByteReader(raw)
        do {
            let header = try reader.u8()
            route = RouteType(rawValue: header & 3) ?? .direct
            type = PayloadType(rawValue: header >> 2)
            version = header >> 6
            transportCodes = route.isScoped ? TransportCodes(a: try reader.u16(), b: try reader.u16()) : nil
            pathLength = PathLength(rawValue: try reader.u8())
        } catch { throw .truncated(error) }
        if pathLength.hashSize == 4 { throw .reservedPathSize }
        if !pathLength.isValid { throw .pathTooLong(pathLength.byteCount) }
        do { path = try reader.take(pathLength.byteCount) } catch { throw .truncated(error) }
        payload = reader.rest()
        if payload.count > Self.maximumPayload { throw .payloadTooLong(payload.count) }
    }

    public var header: UInt8 { route.rawValue | type.rawValue << 2 | version << 6 }

    /// The frame's bytes.
    public var encoded: [UInt8] {
        var writer = ByteWriter(reserving: frameLength)
        writer.u8(header)
        if route.isScoped {
            writer.u16(transportCodes?.a ?? 0)
            writer.u16(transportCodes?.b ?? 0)
        }
        writer.u8(pathLength.rawValue)
        writer.append(path)
        writer.append(payload)
        return writer.bytes
    }

    /// Bytes on the air.
    public var frameLength: Int { (route.isScoped ? 6 : 2) + path.count + payload.count }

    /// The hash for duplicate detection. A received multi-ack is looked up by `multipartAckHash` instead.
    public var hash: PacketHash { PacketHash(of: type, payload: payload, tracePathLength: pathLength) }

    /// For a MULTIPART with an inner ACK: the hash under which receivers remember it, over the inner bytes.
    public var multipartAckHash: PacketHash? {
        guard let multipart = MultipartAck(parsing: payload), type == .multipart else { return nil }
        return PacketHash(of: .multipart, payload: multipart.ack)
    }

    /// Whether the payload reaches its type's minimum, inner ACK of a MULTIPART included.
    public var hasMinimumPayload: Bool {
        if type == .multipart, let first = payload.first, first & 0x0F == PayloadType.ack.rawValue {
            return payload.count >= 5
        }
        return payload.count >= type.minimumPayload
    }
}

/// Why bytes are no packet.
public enum PacketError: Error, Equatable, Sendable, CustomStringConvertible {
    case unsupportedVersion(UInt8)
    case reservedPathSize
    /// The path length byte asks for more than 64 bytes.
    case pathTooLong(Int)
    /// Header, codes or path run past the end of the frame.
    case truncated(ByteReader.Shortage)
    /// More than 184 payload bytes.
    case payloadTooLong(Int)
    /// Stored frames only.
    case emptyPayload

    public var description: String {
        switch self {
        case .unsupportedVersion(let version): "payload version \(version) is not supported"
        case .reservedPathSize: "path entries of four bytes are reserved"
        case .pathTooLong(let bytes): "a path of \(bytes) bytes exceeds 64"
        case .truncated(let shortage): "the packet is cut short: \(shortage)"
        case .payloadTooLong(let bytes): "a payload of \(bytes) bytes exceeds 184"
        case .emptyPayload: "a stored packet needs a payload"
        }
    }
}
