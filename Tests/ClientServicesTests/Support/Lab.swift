import ClientStore
import RigBase
import RigRuntime
import RunRecord
import Synchronization
import Testing

@testable import ClientServices

/// One run in simulated time with one radio and one client, driven by the test's own thread.
final class Lab: Sendable {
    static let epoch: UInt32 = 1_750_000_000

    let executor = SimExecutor()
    let clock = VirtualClock()
    let journal = Journal()
    let runtime: Runtime
    let store: PersistenceStore
    let radio: FakeRadio
    let manager: ConnectionManager

    init(
        defects: Defects = [], pipelined: Bool = false, configuration: ServiceConfiguration = ServiceConfiguration(),
        sharing other: Lab? = nil
    ) throws {
        runtime = .simulated(
            executor: executor, clock: clock, epoch: Self.epoch, seed: 7, journal: journal, defects: defects)
        store = try other?.store ?? PersistenceStore(.memory)
        radio = FakeRadio(runtime: runtime, allowsPipelining: pipelined)
        manager = ConnectionManager(
            runtime: runtime, store: store, makeTransport: { [radio] in radio.makeTransport() }, name: "alice",
            configuration: configuration)
    }

    /// Does `body` on the run's thread, moving time from one sleeper to the next; fails when nothing is left to wait for
    /// or `limit` has passed.
    @discardableResult
    func run<Result: Sendable>(
        within limit: Duration = .seconds(900), _ body: @escaping @Sendable (Lab) async throws -> Result
    ) throws -> Result {
        let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
        let end = clock.now.advanced(by: limit)
        runtime.spawn("test") { [self] in
            do {
                let result = try await body(self)
                outcome.withLock { $0 = .success(result) }
            } catch {
                outcome.withLock { $0 = .failure(error) }
            }
        }
        while true {
            executor.drain()
            if let outcome = outcome.withLock({ $0 }) { return try outcome.get() }
            guard let next = clock.nextSleeper, next <= end else { throw Stuck(at: clock.now) }
            clock.advance(to: max(next, clock.now))
            clock.wakeNext()
        }
    }

    struct Stuck: Error, CustomStringConvertible {
        var at: SimInstant
        var description: String { "the run is stuck, or over its limit, at \(at)" }
    }

    func sleep(_ duration: Duration) async throws { try await runtime.sleep(for: duration) }

    func services() async throws -> ServiceContainer { try #require(await manager.container) }

    /// Statuses of one message as the journal has them, with the instants.
    func statuses(_ id: MessageID) -> [(status: String, at: SimInstant)] {
        journal.events().filter { $0.kind == .messageStatus && $0["id"] == .text(id.description) }.compactMap { event in
            guard case .text(let status) = event["status"] else { return nil }
            return (status, event.at)
        }
    }

    /// States of the connection as the journal has them.
    var connectionStates: [String] {
        journal.events().filter { $0.kind == .connection }.compactMap { event in
            guard case .text(let state) = event["state"] else { return nil }
            return state
        }
    }

    func count(_ kind: EventKind) -> Int { journal.events().filter { $0.kind == kind }.count }
}
