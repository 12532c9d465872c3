internal import MeshTransport
internal import RigBase
internal import RigRuntime
internal import RunRecord

extension Runtime {
    /// Starts a task that goes on by itself, with no event as its cause.
    @discardableResult
    func background(_ name: String, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        spawn(name) { await SeamCause.$current.withValue(nil) { await body() } }
    }

    /// Waits for the first element of `signal`; false when `deadline` passes, or the task is cancelled, before it comes.
    func wait(for signal: AsyncStream<Void>, until deadline: Deadline) async -> Bool {
        do {
            try await withDeadline(deadline) { () async throws -> Void in
                for await _ in signal { return }
                throw CancellationError()
            }
            return true
        } catch {
            return false
        }
    }
}
