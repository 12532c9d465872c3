import RigBase
import Testing

@testable import ClientServices

@Suite struct AckTableTests {
    let message = UUID128(high: 0, low: 1)
    let other = UUID128(high: 0, low: 2)
    let contact = UUID128(high: 0, low: 9)

    func at(_ seconds: Int64) -> SimInstant { SimInstant(milliseconds: seconds * 1_000) }

    func expect(_ table: inout AckTable, _ code: UInt32, _ message: UUID128, timeout: Int64 = 2, at seconds: Int64 = 0)
    {
        table.expect(
            code: code, message: message, contact: contact, timeout: .seconds(timeout), now: at(seconds))
    }

    @Test func `a confirmation of an early attempt counts while a later one is out`() {
        var table = AckTable()
        for code in UInt32(0)...3 { expect(&table, code, message) }
        let confirmed = table.confirm(code: 1)
        #expect(confirmed?.message == message)
        let again = table.confirm(code: 1)
        #expect(again == nil)
    }

    @Test func `forgetting earlier codes leaves only the newest`() {
        var table = AckTable(keepsEarlierCodes: false)
        for code in UInt32(0)...3 { expect(&table, code, message) }
        let early = table.confirm(code: 1)
        #expect(early == nil)
        let newest = table.confirm(code: 3)
        #expect(newest != nil)
    }

    @Test func `one confirmation resolves one of two messages with the same code`() {
        var table = AckTable()
        expect(&table, 5, message)
        expect(&table, 5, other)
        let first = table.confirm(code: 5)
        let second = table.confirm(code: 5)
        #expect([first?.message, second?.message] == [message, other])
    }

    @Test func `a message is given up more than thirty seconds after its last attempt`() {
        var table = AckTable()
        expect(&table, 1, message)
        expect(&table, 2, message, at: 10)
        let early = table.expire(now: at(40))
        #expect(early == [])
        let late = table.expire(now: at(41))
        #expect(late.map(\.message) == [message])
        let unmatched = table.confirm(code: 1)
        #expect(unmatched == nil)
    }

    @Test func `a longer wait is waited out`() {
        var table = AckTable()
        expect(&table, 1, message, timeout: 60)
        let early = table.expire(now: at(60))
        #expect(early == [])
        let late = table.expire(now: at(61))
        #expect(late.count == 1)
    }

    @Test func `a delivered message is neither expired nor failed`() {
        var table = AckTable()
        expect(&table, 1, message)
        _ = table.confirm(code: 1)
        let expired = table.expire(now: at(100))
        let failed = table.removeAll()
        #expect(expired == [] && failed == [])
    }
}

@Suite struct ContactFetchQueueTests {
    let a = [UInt8](repeating: 0xA, count: 32)
    let b = [UInt8](repeating: 0xB, count: 32)

    @Test func `repeats of one key are one request`() {
        var queue = ContactFetchQueue()
        for _ in 0..<10 { queue.add(a, .path) }
        queue.add(a, .advert)
        #expect(queue.next() == a)
        queue.add(a, .advert)
        #expect(queue.next() == nil, "one at a time")
        #expect(queue.finish(a) == .advert)
        #expect(queue.next() == nil)
    }

    @Test func `nothing starts during a sync, and its end waits for what was named by then`() {
        var queue = ContactFetchQueue()
        queue.beginDeferral()
        queue.add(a, .advert)
        #expect(queue.next() == nil)
        queue.endDeferral()
        #expect(!queue.isPassDone)
        #expect(queue.next() == a)
        queue.add(b, .advert)
        #expect(queue.finish(a) == .advert)
        #expect(queue.isPassDone, "later keys are not waited for")
        #expect(queue.next() == b)
    }

    @Test func `a deleted contact is neither asked for nor kept`() {
        var queue = ContactFetchQueue()
        queue.add(a, .advert)
        queue.add(b, .advert)
        queue.delete(b)
        #expect(queue.next() == a)
        queue.delete(a)
        #expect(queue.finish(a) == nil)
        #expect(queue.next() == nil)
    }

    @Test func `a key named again after its deletion is asked for again`() {
        var queue = ContactFetchQueue()
        queue.add(a, .advert)
        _ = queue.next()
        queue.delete(a)
        queue.add(a, .path)
        #expect(queue.finish(a) == nil)
        #expect(queue.next() == a)
    }
}

@Suite struct ChannelBreakerTests {
    @Test func `three silent readings in a row open it, an answer starts the count again`() {
        var breaker = ChannelBreaker(limit: 3)
        for reading in [ChannelBreaker.Reading.timedOut, .linkFailed, .refused, .timedOut, .timedOut] {
            breaker.on(reading)
            #expect(!breaker.isOpen)
        }
        breaker.on(.timedOut)
        #expect(breaker.isOpen)
    }
}
