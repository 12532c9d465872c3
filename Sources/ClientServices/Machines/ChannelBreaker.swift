/// Decides whether a channel that could not be read is worth reading again, and when reading is pointless altogether
/// (client-stack §5.2).
struct ChannelBreaker: Sendable, Equatable {
    /// How reading one slot ended.
    enum Reading: Sendable, Equatable {
        case configured, vacant
        /// The radio did not answer in time: it may next time.
        case timedOut
        /// The link failed.
        case linkFailed
        /// The radio answered with an error, or the store did: it will again.
        case refused
    }

    /// Consecutive readings without an answer that open the breaker.
    let limit: Int
    private var silent = 0

    init(limit: Int) { self.limit = limit }

    /// No further slot is read.
    var isOpen: Bool { silent >= limit }

    mutating func on(_ reading: Reading) {
        switch reading {
        case .timedOut, .linkFailed: silent += 1
        case .configured, .vacant, .refused: silent = 0
        }
    }
}
