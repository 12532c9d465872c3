/// Puts the envelope of serial and TCP links around a frame: start byte, length as u16, frame (companion-protocol §1.2).
public enum FrameEncoder {
    /// Bytes the envelope adds to a frame.
    public static let envelopeSize = 3

    /// The bytes on the link for one frame. A frame longer than a u16 can tell is a caller's mistake; a frame over
    /// `CompanionLimits.maxFrameSize` is not, so that the far end's treatment of it can be tried.
    public static func encode(_ frame: [UInt8], _ direction: LinkDirection) -> [UInt8] {
        precondition(frame.count <= Int(UInt16.max), "a frame of \(frame.count) bytes has no envelope")
        var bytes: [UInt8] = [direction.startByte, UInt8(frame.count & 0xFF), UInt8(frame.count >> 8)]
        bytes.append(contentsOf: frame)
        return bytes
    }
}
