/// How a run, or one expectation of it, ended.
public enum Verdict: String, Sendable, Hashable, CaseIterable {
    case passed
    /// An expectation did not hold.
    case failed
    /// A step, fault or expectation that should have taken place never did.
    case dead
    /// The bench or a capability is missing.
    case blocked
    /// The file or the command line is wrong.
    case bad
    /// An invariant of the harness itself does not hold, or two runs of one seed differ.
    case broken

    /// The process exit code a run with this verdict alone leads to.
    public var exitCode: Int32 {
        switch self {
        case .passed: 0
        case .failed, .dead: 1
        case .bad: 2
        case .blocked: 3
        case .broken: 4
        }
    }
}
