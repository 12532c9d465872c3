/// Finds frames in the bytes a radio sends, and tells which bytes belong to none.
///
/// It hunts for `>`, takes lengths of 1 to 176 as sane, and after any other length goes on one byte behind the start byte
/// it had believed in, so a false start costs no more than the frame it stood in. A length of 0 is a frame without
/// content and yields nothing. Text on the same port (boot log) comes out as noise (companion-protocol §1.2).
public struct ClientFrameDecoder: Sendable, Hashable {
    /// How the decoder treats a length that no radio sends.
    public struct Options: Sendable, Hashable {
        /// False trusts every length up to 65535, the way a decoder without a limit does.
        public var resynchronises: Bool

        public init(resynchronises: Bool = true) { self.resynchronises = resynchronises }
    }

    /// What was found, in the order of the bytes.
    public enum Output: Sendable, Hashable {
        /// A frame without its envelope.
        case frame([UInt8])
        /// Bytes between frames; one run may come in several pieces when it came in several chunks.
        case noise([UInt8])
    }

    public let options: Options
    /// Bytes that may still become a frame; begins with a start byte unless empty.
    private var held: [UInt8] = []

    public init(options: Options = Options()) { self.options = options }

    /// Number of bytes held back because the frame they seem to begin is not complete.
    public var heldCount: Int { held.count }

    /// Takes bytes as they arrived and gives everything that is complete now.
    public mutating func receive(_ bytes: some Sequence<UInt8>) -> [Output] {
        held.append(contentsOf: bytes)
        var outputs: [Output] = []
        var noise: [UInt8] = []
        var position = 0
        scan: while position < held.count {
            guard held[position] == LinkDirection.fromRadio.startByte else {
                noise.append(held[position])
                position += 1
                continue
            }
            guard held.count - position >= FrameEncoder.envelopeSize else { break scan }
            let length = Int(held[position + 1]) | Int(held[position + 2]) << 8
            if length > CompanionLimits.maxFrameSize, options.resynchronises {
                noise.append(held[position])
                position += 1
                continue
            }
            let end = position + FrameEncoder.envelopeSize + length
            guard end <= held.count else { break scan }
            if length > 0 {
                Self.flush(&noise, into: &outputs)
                outputs.append(.frame(Array(held[position + FrameEncoder.envelopeSize..<end])))
            }
            position = end
        }
        Self.flush(&noise, into: &outputs)
        held.removeFirst(position)
        return outputs
    }

    /// Gives up what is held, for the end of a connection; the bytes are returned because they were no frame.
    public mutating func reset() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private static func flush(_ noise: inout [UInt8], into outputs: inout [Output]) {
        guard !noise.isEmpty else { return }
        outputs.append(.noise(noise))
        noise = []
    }
}
