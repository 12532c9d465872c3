import RigBase
import RigRuntime
import RunRecord
import Synchronization
import Testing

@testable import MeshTransport

/// A run in virtual time without a world: the test plays the radio.
struct VirtualRun {
    let executor = SimExecutor()
    let clock = VirtualClock()
    let journal = Journal()
    let runtime: Runtime

    init(seed: UInt64 = 1) {
        runtime = Runtime.simulated(
            executor: executor, clock: clock, epoch: 1_750_000_000, seed: seed, journal: journal, defects: [])
    }

    /// Runs everything that is ready now.
    func drain() { executor.drain() }

    /// Runs until nobody waits any more, or until `limit`.
    func run(until limit: SimInstant = SimInstant(milliseconds: 3_600_000)) {
        executor.drain()
        while let next = clock.nextSleeper, next <= limit {
            clock.advance(to: next)
            clock.wakeNext()
            executor.drain()
        }
    }

    /// Starts `body` and gives back where its outcome will be.
    func start<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Outcome<Value> {
        let outcome = Outcome<Value>()
        runtime.spawn("test") {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
        }
        return outcome
    }

    /// Collects the chunks of the present connection.
    func collect(_ transport: any Transport) -> Collected<[UInt8]> {
        let collected = Collected<[UInt8]>()
        runtime.spawn("collector") {
            for await chunk in await transport.received() { collected.add(chunk) }
            collected.end()
        }
        executor.drain()
        return collected
    }

    /// Collects states until the link is down with a reason.
    func collectStates(_ transport: any Transport) -> Collected<LinkState> {
        let collected = Collected<LinkState>()
        runtime.spawn("states") { for await state in await transport.states() { collected.add(state) } }
        executor.drain()
        return collected
    }

    func events(_ kind: EventKind) -> [RunEvent] { journal.events().filter { $0.kind == kind } }
}

final class Outcome<Value: Sendable>: Sendable {
    private let state = Mutex<Result<Value, any Error>?>(nil)
    func set(_ result: Result<Value, any Error>) { state.withLock { $0 = result } }
    var isSet: Bool { state.withLock { $0 != nil } }
    var value: Value? { state.withLock { try? $0?.get() } }
    var error: (any Error)? {
        state.withLock {
            if case .failure(let error) = $0 { return error }
            return nil
        }
    }
}

final class Collected<Element: Sendable>: Sendable {
    private let state = Mutex<(elements: [Element], hasEnded: Bool)>(([], false))
    func add(_ element: Element) { state.withLock { $0.elements.append(element) } }
    func end() { state.withLock { $0.hasEnded = true } }
    var elements: [Element] { state.withLock { $0.elements } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }
}
