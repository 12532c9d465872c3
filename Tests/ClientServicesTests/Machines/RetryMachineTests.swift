import CompanionProtocol
import RigBase
import Testing

@testable import ClientServices

@Suite struct RetryMachineTests {
    typealias Effect = RetryMachine.Effect
    static let floor = Duration.seconds(5)

    func machine(_ policy: RetryMachine.Policy = .init()) -> RetryMachine {
        RetryMachine(policy: policy, random: Prng(seed: 1))
    }

    func at(_ milliseconds: Int64) -> SimInstant { SimInstant(milliseconds: milliseconds) }

    /// What writing one attempt looks like.
    func transmit(_ attempt: Int) -> [Effect] {
        [.register(attempt: attempt, floor: Self.floor), .transmit(attempt: attempt)]
    }

    @Test func `a silent far end sees five attempts, and the path is reset once between the fourth and fifth`() {
        var machine = machine()
        #expect(machine.start() == transmit(0))
        var now = at(0)
        for attempt in 0..<4 {
            let until = now.advanced(by: .milliseconds(1_200))
            let sent = machine.onSent(code: UInt32(attempt), suggestedMillis: 1_000, now: now)
            #expect(
                sent == [.await(code: UInt32(attempt), timeout: .milliseconds(1_200))]
                    + (attempt == 0 ? [.markSent(code: 0)] : []) + [.pause(until: until)])
            #expect(machine.nextDeadline == until)
            let early = machine.onDeadline(now: at(until.milliseconds - 1))
            #expect(early == [.pause(until: until)])
            now = until
            let retrying = Effect.markRetrying(attempt: attempt, of: 4)
            let next = machine.onDeadline(now: now)
            #expect(next == [retrying] + (attempt < 3 ? transmit(attempt + 1) : [.resetPath]))
        }
        let flood = machine.onPathReset()
        #expect(flood == transmit(4))
        _ = machine.onSent(code: 0, suggestedMillis: 1_000, now: now)
        let end = machine.onDeadline(now: now.advanced(by: .milliseconds(1_200)))
        #expect(end == [.finish(.exhausted)])
        #expect(machine.nextDeadline == nil)
        let after = machine.onDeadline(now: .distantFuture)
        #expect(after == [])
    }

    @Test func `a confirmation while waiting ends the loop at once`() {
        var machine = machine()
        _ = machine.start()
        _ = machine.onSent(code: 7, suggestedMillis: 1_000, now: at(0))
        let confirmed = machine.onConfirmed()
        #expect(confirmed == [.finish(.confirmed)])
        let again = machine.onConfirmed()
        #expect(again == [])
        let late = machine.onDeadline(now: .distantFuture)
        #expect(late == [])
    }

    @Test func `a confirmation that overtakes SENT ends the loop when SENT comes`() {
        var machine = machine()
        _ = machine.start()
        let early = machine.onConfirmed()
        #expect(early == [])
        let sent = machine.onSent(code: 7, suggestedMillis: 1_000, now: at(0))
        #expect(sent == [.finish(.confirmed)])
    }

    @Test func `a confirmation during the path reset keeps the flood attempt from being sent`() {
        var machine = machine(.init(maxAttempts: 5, floodAfter: 1))
        _ = machine.start()
        _ = machine.onSent(code: 7, suggestedMillis: 0, now: at(0))
        let reset = machine.onDeadline(now: at(0))
        #expect(reset == [.markRetrying(attempt: 0, of: 4), .resetPath])
        _ = machine.onConfirmed()
        let after = machine.onPathReset()
        #expect(after == [.finish(.confirmed)])
    }

    @Test func `a full pool is waited for three times, longer each time, and then ends the send`() {
        var machine = machine()
        _ = machine.start()
        var now = at(0)
        for tries in 0..<3 {
            let effects = machine.onSendFailed(.device(.tableFull), now: now)
            guard case .pause(let until) = effects.first, effects.count == 1 else {
                Issue.record("\(effects)")
                return
            }
            let base = Duration.milliseconds(500) * (1 << tries)
            #expect(now.duration(to: until) >= base * 8 / 10 && now.duration(to: until) <= base * 12 / 10)
            now = until
            let again = machine.onDeadline(now: now)
            #expect(again == transmit(0), "the same attempt")
        }
        let end = machine.onSendFailed(.device(.tableFull), now: now)
        #expect(end == [.finish(.failed(.device(.tableFull)))])
    }

    @Test func `pool waits differ between messages and repeat for one`() {
        func firstPause(_ seed: UInt64) -> SimInstant? {
            var machine = RetryMachine(policy: .init(), random: Prng(seed: seed))
            _ = machine.start()
            _ = machine.onSendFailed(.device(.tableFull), now: at(0))
            return machine.nextDeadline
        }
        #expect(firstPause(1) == firstPause(1))
        #expect(firstPause(1) != firstPause(2))
    }

    @Test func `each attempt has its own pool waits`() {
        var machine = machine()
        _ = machine.start()
        for _ in 0..<3 {
            _ = machine.onSendFailed(.device(.tableFull), now: at(0))
            _ = machine.onDeadline(now: .distantFuture)
        }
        _ = machine.onSent(code: 1, suggestedMillis: 0, now: at(0))
        _ = machine.onDeadline(now: at(0))
        let busy = machine.onSendFailed(.device(.tableFull), now: at(0))
        #expect(busy.count == 1)
        #expect(machine.nextDeadline != nil)
    }

    @Test func `another error ends the send as failed`() {
        var machine = machine()
        _ = machine.start()
        let end = machine.onSendFailed(.device(.notFound), now: at(0))
        #expect(end == [.finish(.failed(.device(.notFound)))])
    }

    @Test func `a link lost under way leaves the message to the give-up clock`() {
        var first = machine()
        _ = first.start()
        let inFlight = first.onSendFailed(.link, now: at(0))
        #expect(inFlight == [.finish(.interrupted(wasSent: false))], "it may be on the air")

        var sent = machine()
        _ = sent.start()
        _ = sent.onSent(code: 1, suggestedMillis: 100, now: at(0))
        var waiting = sent
        let lost = waiting.onLinkLost()
        #expect(lost == [.finish(.interrupted(wasSent: true))])
        _ = sent.onDeadline(now: at(1_000))
        let interrupted = sent.onSendFailed(.notConnected, now: at(1_000))
        #expect(interrupted == [.finish(.interrupted(wasSent: true))])
    }

    @Test func `without a link nothing was sent and the message has failed`() {
        var machine = machine()
        _ = machine.start()
        let failed = machine.onSendFailed(.notConnected, now: at(0))
        #expect(failed == [.finish(.failed(.notConnected))])
    }

    @Test func `a fixed limit replaces the radio's estimate and raises the floor`() {
        var machine = machine(.init(limit: .seconds(9)))
        let start = machine.start()
        #expect(start == [.register(attempt: 0, floor: .seconds(9)), .transmit(attempt: 0)])
        let sent = machine.onSent(code: 1, suggestedMillis: 1_000, now: at(0))
        #expect(sent.last == .pause(until: at(9_000)))
    }

    @Test func `without the flood fallback the fifth attempt goes out with no reset before it`() {
        var machine = machine(.init(floodAfter: .max))
        _ = machine.start()
        var transmitted = 1
        for _ in 0..<5 {
            _ = machine.onSent(code: 1, suggestedMillis: 0, now: at(0))
            let effects = machine.onDeadline(now: at(0))
            #expect(!effects.contains(.resetPath))
            if effects.last != .finish(.exhausted) { transmitted += 1 }
        }
        #expect(transmitted == 5)
    }
}
