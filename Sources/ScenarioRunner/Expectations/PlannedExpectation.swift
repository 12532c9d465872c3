internal import RigBase
internal import RunRecord
package import ScenarioModel

/// An expectation as it stands in the file: what is expected, how long, and under which name it is reported.
package struct PlannedExpectation: Sendable {
    /// When it is judged and what the judgement means.
    package enum Mode: Sendable, Hashable {
        /// Must hold within the window, once; exact ones when the window closes.
        case within
        /// Must hold at the end of the run.
        case finally
        /// Must not hold at any time.
        case never
        /// Once it has held, must not stop; and must hold at the end.
        case always
        /// Must hold at least once; a run in which it does not is dead, not failed.
        case sometimes
    }

    package var name: String
    package var mode: Mode
    /// Nil when the file gives none: the default for expectations of a step, and no window for those of the run.
    package var window: Duration?
    /// The phase of the run outside of which nothing counts; the whole run when nil.
    package var phase: String?
    package var expectation: any Expectation
    package var spot: SourceSpot

    /// How long a step's expectation may take when the file does not say.
    package static let defaultWindow: Duration = .seconds(30)
}
