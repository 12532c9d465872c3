public import RunRecord
internal import Synchronization

/// Remembers an event for each frame on its way from the radio, until whoever comes next on that way takes the frame.
///
/// It lies between the radio and the recorder, where the event is what made the radio send the frame, and between the
/// recorder and the client, where the event is the frame's record. Frames are matched by their bytes, oldest first, so
/// delays and losses in between do no harm, and a frame that a fault changed has no event here. The newest 512 are kept.
public final class FrameCauses: Sendable {
    private static let limit = 512
    private let sent = Mutex<[(frame: [UInt8], cause: EventID)]>([])

    public init() {}

    /// `frame` (without envelope) goes on its way because of `cause`.
    public func sent(_ frame: [UInt8], because cause: EventID) {
        sent.withLock { sent in
            if sent.count == Self.limit { sent.removeFirst() }
            sent.append((frame, cause))
        }
    }

    /// The event of the oldest such frame, which has arrived now; nil for a frame nobody told of.
    public func take(_ frame: [UInt8]) -> EventID? {
        sent.withLock { sent in
            guard let position = sent.firstIndex(where: { $0.frame == frame }) else { return nil }
            return sent.remove(at: position).cause
        }
    }
}
