internal import RigBase

/// What a REQ asks for (mesh-protocol §2.7.6). Unknown values survive.
public struct RequestType: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let status = RequestType(rawValue: 0x01)
    public static let keepAlive = RequestType(rawValue: 0x02)
    public static let telemetry = RequestType(rawValue: 0x03)
    public static let series = RequestType(rawValue: 0x04)
    public static let accessList = RequestType(rawValue: 0x05)
    public static let neighbours = RequestType(rawValue: 0x06)
    public static let ownerInfo = RequestType(rawValue: 0x07)
}

/// The plaintext of a REQ: tag(4), type(1), parameters.
public struct Request: Hashable, Sendable {
    /// The sender's clock, made strictly increasing; replay guard and name of the answer at once.
    public var tag: UInt32
    public var type: RequestType
    /// After opening with the zero padding.
    public var parameters: [UInt8]

    public init(tag: UInt32, type: RequestType, parameters: [UInt8]) {
        self.tag = tag
        self.type = type
        self.parameters = parameters
    }

    /// The 13-byte form of the status and telemetry commands; `inverseMask` names what a telemetry answer leaves out.
    public init(tag: UInt32, type: RequestType, inverseMask: UInt8 = 0, random: [UInt8]) {
        precondition(random.count == 4, "four random bytes end the request")
        self.init(tag: tag, type: type, parameters: [inverseMask, 0, 0, 0] + random)
    }

    /// Nil below five bytes.
    public init?(opened: [UInt8]) {
        var reader = ByteReader(opened)
        guard let tag = try? reader.u32(), let type = try? reader.u8() else { return nil }
        self.init(tag: tag, type: RequestType(rawValue: type), parameters: reader.rest())
    }

    public var plaintext: [UInt8] {
        var writer = ByteWriter(reserving: 5 + parameters.count)
        writer.u32(tag)
        writer.u8(type.rawValue)
        writer.append(parameters)
        return writer.bytes
    }
}

/// The plaintext of a RESPONSE: tag(4), then what the request's type defines (mesh-protocol §2.7.7).
public struct Response: Hashable, Sendable {
    /// The request's tag, for a login the server's clock.
    public var tag: UInt32
    /// After opening with the zero padding.
    public var data: [UInt8]

    public init(tag: UInt32, data: [UInt8]) {
        self.tag = tag
        self.data = data
    }

    /// Nil below four bytes.
    public init?(opened: [UInt8]) {
        var reader = ByteReader(opened)
        guard let tag = try? reader.u32() else { return nil }
        self.init(tag: tag, data: reader.rest())
    }

    public var plaintext: [UInt8] {
        var writer = ByteWriter(reserving: 4 + data.count)
        writer.u32(tag)
        writer.append(data)
        return writer.bytes
    }
}
