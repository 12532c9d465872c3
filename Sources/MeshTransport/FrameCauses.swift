public import RunRecord
internal import Synchronization

/// Remembers which event made the radio send a frame, until the recorder sees the frame arrive.
///
/// Frames are matched by their bytes, oldest first, so delays and losses in between do no harm and a frame that a fault
/// changed has no cause here. The newest 512 are kept.
public final class FrameCauses: Sendable {
    private static let limit = 512
    private let sent = Mutex<[(frame: [UInt8], cause: EventID)]>([])

    public init() {}

    /// The radio handed `frame` (without envelope) to the link because of `cause`.
    public func sent(_ frame: [UInt8], because cause: EventID) {
        sent.withLock { sent in
            if sent.count == Self.limit { sent.removeFirst() }
            sent.append((frame, cause))
        }
    }

    func take(_ frame: [UInt8]) -> EventID? {
        sent.withLock { sent in
            guard let position = sent.firstIndex(where: { $0.frame == frame }) else { return nil }
            return sent.remove(at: position).cause
        }
    }
}
