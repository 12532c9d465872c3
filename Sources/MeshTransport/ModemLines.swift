internal import Glibc

/// The lines DTR and RTS of a serial port, as a client sets them when it opens one.
public struct ModemLines: Sendable, Hashable {
    public var dataTerminalReady: Bool
    public var requestToSend: Bool

    public init(dataTerminalReady: Bool, requestToSend: Bool) {
        self.dataTerminalReady = dataTerminalReady
        self.requestToSend = requestToSend
    }

    /// What became of a wish to set the lines.
    public enum Outcome: Sendable, Hashable {
        case set
        /// The descriptor has no such lines: a pseudo-terminal, a pipe. Not a failure.
        case notSupported
        case failed(String)
    }

    /// Sets both lines with `ioctl(2)` TIOCMBIS and TIOCMBIC.
    package func apply(to descriptor: Int32) -> Outcome {
        var raised = (dataTerminalReady ? TIOCM_DTR : 0) | (requestToSend ? TIOCM_RTS : 0)
        var lowered = (TIOCM_DTR | TIOCM_RTS) & ~raised
        for request in [(TIOCMBIS, raised), (TIOCMBIC, lowered)] where request.1 != 0 {
            let result =
                request.0 == TIOCMBIS
                ? ioctl(descriptor, UInt(TIOCMBIS), &raised) : ioctl(descriptor, UInt(TIOCMBIC), &lowered)
            if result == 0 { continue }
            switch errno {
            case ENOTTY, EINVAL: return .notSupported
            case let problem: return .failed(errorText(problem))
            }
        }
        return .set
    }
}
