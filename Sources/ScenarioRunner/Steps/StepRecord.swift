package import RigBase
internal import RunRecord
internal import Synchronization

/// How a verb ended: with a value or with the name of an error.
package enum StepResult: Sendable, Hashable {
    case done(StepValue)
    /// A short name (`timeout`, `not-found`, `not-connected` …) and a sentence for people.
    case failed(name: String, message: String)

    var summary: String {
        switch self {
        case .done(let value): value.summary.isEmpty ? "ok" : "ok (\(value.summary))"
        case .failed(let name, let message): message.isEmpty ? name : "\(name): \(message)"
        }
    }
}

/// What became of one step while and after it ran; its expectations read it, later steps may name it.
package final class StepRecord: Sendable {
    package struct Facts: Sendable {
        var result: StepResult?
        /// The message a `send` made.
        var message: UUID128?
    }

    /// The verb, or the name given with `as`.
    package let name: String
    /// Number of journal events before the step began: its expectations look at what came after.
    package let cursor: Int
    private let facts = Mutex(Facts())

    package init(name: String, cursor: Int) {
        self.name = name
        self.cursor = cursor
    }

    package var result: StepResult? { facts.withLock { $0.result } }
    package var message: UUID128? { facts.withLock { $0.message } }

    /// What the verb gave under a name; nil while it has not, or when it failed.
    package func value(_ name: String) -> String? {
        if case .done(let value)? = result { value[name] } else { nil }
    }

    package func finish(_ result: StepResult) { facts.withLock { $0.result = result } }
    package func setMessage(_ id: UUID128) { facts.withLock { $0.message = id } }
}
