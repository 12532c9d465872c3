internal import RigBase
internal import RigRuntime

extension Runtime {
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
