import ClientServices
import RigRuntime
import Synchronization

/// True once.
final class Flag: Sendable {
    private let isUp = Mutex(true)
    func take() -> Bool {
        isUp.withLock { isUp in
            defer { isUp = false }
            return isUp
        }
    }
}

extension Runtime {
    /// Starts a task on the run's thread whose failure can be awaited; nil when it has none.
    func spawnResult(_ body: @escaping @Sendable () async throws -> Void) -> Task<ServiceError?, Never> {
        Task(executorPreference: executor) {
            do {
                try await body()
                return nil
            } catch {
                return error as? ServiceError
            }
        }
    }
}

/// Answers that are given one after the other, then those of the tables.
final class Script: Sendable {
    private let answers: Mutex<[FakeRadio.Answer]>
    init(_ answers: [FakeRadio.Answer]) { self.answers = Mutex(answers) }
    func next() -> FakeRadio.Answer { answers.withLock { $0.isEmpty ? .tables : $0.removeFirst() } }
}
