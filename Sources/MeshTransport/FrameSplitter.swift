internal import CompanionProtocol

/// Cuts a stream of link bytes into frames and what lies between them, without losing or changing a byte.
///
/// Unlike the codec's decoders it keeps envelopes and empty frames, so that faults can pass on exactly what came. It finds the
/// same frames as a client does: lengths over the limit are no frame and the hunt goes on one byte further.
struct FrameSplitter: Sendable {
    /// A whole frame with its envelope, or a run of bytes that belong to none.
    struct Unit: Sendable, Equatable {
        var bytes: [UInt8]
        var isFrame: Bool

        /// Without the envelope; nil for other bytes.
        var frame: [UInt8]? { isFrame ? Array(bytes[FrameEncoder.envelopeSize...]) : nil }
    }

    let direction: LinkDirection
    /// Bytes of a frame that is not complete yet.
    private(set) var held: [UInt8] = []

    init(_ direction: LinkDirection) { self.direction = direction }

    mutating func receive(_ bytes: [UInt8]) -> [Unit] {
        held += bytes
        var units: [Unit] = []
        var position = 0
        var otherFrom = 0
        func flushOther() {
            if otherFrom < position { units.append(Unit(bytes: Array(held[otherFrom..<position]), isFrame: false)) }
        }
        while position < held.count {
            guard held[position] == direction.startByte else {
                position += 1
                continue
            }
            guard held.count - position >= FrameEncoder.envelopeSize else { break }
            let length = Int(held[position + 1]) | Int(held[position + 2]) << 8
            guard (1...CompanionLimits.maxFrameSize).contains(length) else {
                position += length == 0 ? FrameEncoder.envelopeSize : 1
                continue
            }
            let end = position + FrameEncoder.envelopeSize + length
            guard end <= held.count else { break }
            flushOther()
            units.append(Unit(bytes: Array(held[position..<end]), isFrame: true))
            position = end
            otherFrom = end
        }
        flushOther()
        held.removeFirst(position)
        return units
    }

    /// Gives up what is held, at the end of a connection.
    mutating func reset() -> [UInt8] {
        defer { held = [] }
        return held
    }
}
