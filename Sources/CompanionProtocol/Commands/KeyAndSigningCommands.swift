public import RigBase

/// Reads the radio's private key; DISABLED when the build forbids it (§3.26).
public struct ExportPrivateKeyCommand: BareCommand {
    public static let code = CommandCode.exportPrivateKey
    public static let replies: [RadioCode] = [.privateKey, .disabled]
    public init() {}
}

/// Replaces the radio's private key (§3.26).
public struct ImportPrivateKeyCommand: CompanionCommand {
    public static let code = CommandCode.importPrivateKey
    public static let replies: [RadioCode] = [.ok, .disabled]
    public static let layout = FrameLayout(FieldLayout.bytes("private-key", 64).secret)
    public static let samples = [Self(key: Secret([UInt8](repeating: 0x41, count: 64)))]

    /// 64 bytes, the expanded form.
    public var key: Secret

    public init(key: Secret) { self.key = key }
    public init(decoding reader: inout FrameReader) throws(FrameDefect) { key = Secret(try reader.take(64)) }
    public func encode(into writer: inout ByteWriter) { key.reveal { writer.field($0, size: 64) } }
    public func validate() throws(FieldLimitError) {
        guard key.count == 64 else { throw .wrongSize(field: "private-key", expected: 64, got: key.count) }
    }
}

/// Begins a signature and forgets one begun before (§3.37).
public struct SignStartCommand: BareCommand {
    public static let code = CommandCode.signStart
    public static let replies: [RadioCode] = [.signStarted]
    public init() {}
}

/// Adds bytes to what will be signed (§3.37).
public struct SignDataCommand: CompanionCommand {
    public static let code = CommandCode.signData
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(.rest("data"))
    public static let samples = [Self(data: [1, 2, 3])]

    /// 1 to 175 bytes.
    public var data: [UInt8]

    public init(data: [UInt8]) { self.data = data }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        try reader.require(frameLength: 2)
        data = reader.rest()
    }

    public func encode(into writer: inout ByteWriter) { writer.append(data) }
    public func validate() throws(FieldLimitError) { try FieldLimit.some(data.isEmpty, "data") }
}

/// Asks for the signature over what was added (§3.37).
public struct SignFinishCommand: BareCommand {
    public static let code = CommandCode.signFinish
    public static let replies: [RadioCode] = [.signature]
    public init() {}
}
