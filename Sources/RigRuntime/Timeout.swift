public import RigBase

/// The time allowed for an operation has passed.
public struct TimedOut: Error, Equatable, Sendable {
    public init() {}
}

extension Runtime {
    /// Runs `operation`, and cancels it and throws `TimedOut` when it is not done by `deadline`.
    public func withDeadline<Result: Sendable>(
        _ deadline: Deadline, _ operation: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await operation() }
            group.addTask {
                try await sleep(until: deadline)
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw TimedOut() }
            return result
        }
    }
}
