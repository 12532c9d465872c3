public import RigBase
public import RunRecord
internal import Glibc

/// All that code above the seam may take from its surroundings: time, randomness, tasks, and the record of the run.
///
/// In a simulated run everything hangs on one executor and one virtual clock; on a bench it is the machine's own clock and
/// the default executor. One value a run: nothing in it is shared between runs.
public struct Runtime: Sendable {
    /// Where tasks run; nil means the default executor.
    public let executor: (any TaskExecutor)?
    public let clock: any Clock<Duration>
    /// The present instant of the run.
    public let now: @Sendable () -> SimInstant
    /// Present Unix time in seconds, as a host would tell it.
    public let wallSeconds: @Sendable () -> UInt32
    public let random: RandomStreams
    public let journal: Journal
    public let defects: Defects
    /// The unstructured tasks that are running.
    public let tasks: TaskLedger

    public init(
        executor: (any TaskExecutor)?, clock: any Clock<Duration>, now: @escaping @Sendable () -> SimInstant,
        wallSeconds: @escaping @Sendable () -> UInt32, seed: UInt64, journal: Journal, defects: Defects
    ) {
        self.executor = executor
        self.clock = clock
        self.now = now
        self.wallSeconds = wallSeconds
        self.random = RandomStreams(seed: seed)
        self.journal = journal
        self.defects = defects
        self.tasks = TaskLedger()
    }

    /// The surroundings of a simulated run that begins at Unix time `epoch`.
    public static func simulated(
        executor: SimExecutor, clock: VirtualClock, epoch: UInt32, seed: UInt64, journal: Journal, defects: Defects
    ) -> Runtime {
        Runtime(
            executor: executor, clock: clock, now: { clock.now },
            wallSeconds: { epoch &+ UInt32(truncatingIfNeeded: clock.now.nanoseconds / 1_000_000_000) }, seed: seed,
            journal: journal, defects: defects)
    }

    /// The surroundings of a run in real time on this machine.
    public static func realTime(seed: UInt64, journal: Journal, defects: Defects) -> Runtime {
        let clock = ContinuousClock()
        let start = clock.now
        return Runtime(
            executor: nil, clock: clock,
            now: { SimInstant(nanoseconds: start.duration(to: clock.now).wholeNanoseconds) },
            wallSeconds: { UInt32(clamping: time(nil)) }, seed: seed, journal: journal, defects: defects)
    }

    /// Starts an unstructured task. This is the only place that makes one: a bare `Task` would leave the run's thread.
    @discardableResult
    public func spawn(
        _ name: String, _ operation: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        let entry = tasks.began(name)
        return Task(executorPreference: executor) { [tasks] in
            await operation()
            tasks.ended(entry)
        }
    }

    public func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }

    public func sleep(until deadline: Deadline) async throws { try await sleep(for: deadline.remaining(at: now())) }

    /// A new identifier from the stream named `purpose`.
    public func makeID(_ purpose: String) -> UUID128 { random.draw("id:" + purpose) { UUID128(random: &$0) } }

    /// Posts a fact about the client to the journal, stamped with the present instant.
    @discardableResult
    public func post(
        _ kind: EventKind, _ subject: String, cause: EventID? = nil, _ fields: Fields = [:]
    ) -> EventID {
        journal.post(kind, subject, at: now(), cause: cause, fields)
    }
}
