public import RigBase

/// A command of a key and at least one byte of request.
public protocol RequestCommand: CompanionCommand {
    var key: [UInt8] { get }
    var request: [UInt8] { get }
    init(key: [UInt8], request: [UInt8])
}

extension RequestCommand {
    public static var layout: FrameLayout { FrameLayout(.key(), .rest("request")) }
    public static var samples: [Self] { [Self(key: Sample.key, request: [5, 0, 0])] }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 34)
        self.init(key: try reader.key(), request: reader.rest())
    }

    public func encode(into writer: inout ByteWriter) {
        writer.field(key, size: CompanionLimits.publicKeySize)
        writer.append(request)
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.key(key)
        try FieldLimit.some(request.isEmpty, "request")
    }
}
