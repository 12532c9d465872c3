public import RunRecord

/// Carries the id of a journal event along with the call it led to, so that the other side of the seam can name its cause.
public enum SeamCause {
    /// The event that leads to what the present task does; the recording decorator sets it for each frame it passes on.
    @TaskLocal public static var current: EventID?
}
