internal import RigBase
internal import Synchronization

/// Runs every job of a simulated run on the one thread that drains it, in the order of arrival.
///
/// It is a serial executor and a task executor at once, so that as a task preference it carries plain actors, task groups
/// and async streams. Jobs may arrive from other threads (paced mode); they run on the draining thread all the same.
public final class SimExecutor: SerialExecutor, TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var next = 0
        /// A job or a call of `wakeUp` since `waitForJobs` last looked.
        var signalled = false
    }

    private let state = Mutex(State())
    private let wake = WakePipe()

    public init() {}

    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        let wasIdle = state.withLock { state in
            state.jobs.append(unowned)
            defer { state.signalled = true }
            return !state.signalled
        }
        if wasIdle { wake.signal() }
    }

    /// Runs jobs until none is ready, and says how many ran. Only one thread may drain.
    @discardableResult
    public func drain() -> Int {
        var ran = 0
        while let job = takeNext() {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
            ran += 1
        }
        return ran
    }

    /// Blocks the draining thread until a job arrives, `wakeUp` is called or the limit has passed.
    public func waitForJobs(atMost limit: Duration) {
        let pending = state.withLock { state in
            defer { state.signalled = false }
            return state.next < state.jobs.count
        }
        if !pending { wake.wait(atMost: limit) }
        wake.clear()
    }

    /// Ends a `waitForJobs` from any thread.
    public func wakeUp() {
        state.withLock { $0.signalled = true }
        wake.signal()
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
    public func asUnownedTaskExecutor() -> UnownedTaskExecutor { UnownedTaskExecutor(ordinary: self) }

    private func takeNext() -> UnownedJob? {
        state.withLock { state in
            guard state.next < state.jobs.count else {
                state.jobs.removeAll(keepingCapacity: true)
                state.next = 0
                return nil
            }
            defer { state.next += 1 }
            return state.jobs[state.next]
        }
    }
}
