/// A frame from client to radio.
public enum AppFrame: Sendable, Hashable, CustomStringConvertible {
    case command(any CompanionCommand)
    /// A known code with a body that the command does not have; a radio answers most of these with ERR(1).
    case malformed(CommandCode, [UInt8], FrameDefect)
    /// A code no command has, or no byte at all.
    case unknown([UInt8])

    public static func decode(_ bytes: [UInt8]) -> AppFrame {
        guard let first = bytes.first else { return .unknown(bytes) }
        let code = CommandCode(rawValue: first)
        guard let type = CommandCatalog.command(code) else { return .unknown(bytes) }
        var reader = FrameReader(bytes)
        do throws(FrameDefect) {
            return .command(try type.init(decoding: &reader))
        } catch {
            return .malformed(code, bytes, error)
        }
    }

    /// The command's bytes, or the bytes that were none as they came.
    public var encoded: [UInt8] {
        switch self {
        case .command(let command): command.encoded
        case .malformed(_, let bytes, _), .unknown(let bytes): bytes
        }
    }

    public var code: CommandCode? { encoded.first.map(CommandCode.init(rawValue:)) }

    public var description: String { FrameDescription.line(encoded, .toRadio) }

    public static func == (left: AppFrame, right: AppFrame) -> Bool { left.encoded == right.encoded }
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
