internal import Synchronization

/// Recognises pieces of secrets where no frame layout says that they are: in frames that were damaged on their way, whose
/// code or length is not what the radio sent.
///
/// It holds what it was told and what was masked in whole frames. Six bytes in a row are a piece; with fewer than three
/// different ones they are no secret's alone.
public final class SecretMemory: Sendable {
    private static let pieceSize = 6
    private let pieces = Mutex<Set<UInt64>>([])

    public init() {}

    /// From now on these bytes are recognised, whole or in pieces.
    public func learn(_ secret: [UInt8]) {
        pieces.withLock { pieces in
            Self.eachPiece(of: secret) { _, piece in pieces.insert(piece) }
        }
    }

    /// Learns what was masked: the bytes between the first and the last that differ from `masked`, which is as long.
    func learn(from frame: [UInt8], masked: [UInt8]) {
        let differing = frame.indices.filter { frame[$0] != masked[$0] }
        guard let first = differing.first, let last = differing.last else { return }
        learn(Array(frame[first...last]))
    }

    /// The bytes with every piece of a secret zeroed.
    public func mask(_ bytes: [UInt8]) -> [UInt8] {
        var masked = bytes
        pieces.withLock { pieces in
            guard !pieces.isEmpty else { return }
            Self.eachPiece(of: bytes) { start, piece in
                guard pieces.contains(piece) else { return }
                for index in start..<start + Self.pieceSize { masked[index] = 0 }
            }
        }
        return masked
    }

    private static func eachPiece(of bytes: [UInt8], _ body: (Int, UInt64) -> Void) {
        guard bytes.count >= pieceSize else { return }
        for start in 0...bytes.count - pieceSize {
            let slice = bytes[start..<start + pieceSize]
            // First, other, and one that is neither.
            guard let other = slice.first(where: { $0 != slice.first }),
                slice.contains(where: { $0 != slice.first && $0 != other })
            else { continue }
            body(start, slice.reduce(0) { $0 << 8 | UInt64($1) })
        }
    }
}
