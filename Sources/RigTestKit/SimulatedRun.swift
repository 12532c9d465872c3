package import RigBase
package import RigRuntime
internal import RunRecord
internal import Synchronization

/// A run in virtual time for tests: drains the executor, moves the clock to the next sleeper, until the work is done.
package final class SimulatedRun {
    package let runtime: Runtime
    package let clock: VirtualClock
    private let executor: SimExecutor

    /// The work did not end although nothing is left to do or the limit has passed.
    package struct Stuck: Error, CustomStringConvertible {
        package var at: SimInstant
        package var running: [String]
        package var description: String { "stuck at \(at), running: \(running.joined(separator: ", "))" }
    }

    package init(seed: UInt64 = 1, epoch: UInt32 = 1_750_000_000, defects: Defects = []) {
        executor = SimExecutor()
        clock = VirtualClock()
        runtime = Runtime.simulated(
            executor: executor, clock: clock, epoch: epoch, seed: seed, journal: Journal(), defects: defects)
    }

    /// Runs `body` to its end and gives what it gave. Time passes only while nothing is ready to run.
    @discardableResult
    package func run<Result: Sendable>(
        limit: Duration = .seconds(3_600), _ body: @escaping @Sendable () async throws -> Result
    ) throws -> Result {
        let end = clock.now.advanced(by: limit)
        let box = Box<Swift.Result<Result, any Error>>()
        runtime.spawn("test") {
            do {
                let value = try await body()
                box.set(.success(value))
            } catch {
                box.set(.failure(error))
            }
        }
        while true {
            executor.drain()
            if let found = box.get() { return try found.get() }
            guard let next = clock.nextSleeper, next <= end else {
                throw Stuck(at: clock.now, running: runtime.tasks.running)
            }
            clock.advance(to: max(next, clock.now))
            clock.wakeNext()
        }
    }

    /// Lets `duration` pass with whatever is running in the background.
    package func pass(_ duration: Duration) throws {
        let runtime = runtime
        try run(limit: duration + .seconds(1)) { try await runtime.sleep(for: duration) }
    }
}

/// A place for one value that one task writes and the draining thread reads.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    func set(_ new: Value) { value.withLock { $0 = new } }
    func get() -> Value? { value.withLock { $0 } }
}
