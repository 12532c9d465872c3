import RigBase
import RigRuntime
import RunRecord
import Testing

@Suite struct `Simulation executor` {
    /// An actor that takes part in the event order.
    actor Worker {
        let name: String
        let runtime: Runtime
        var inbox: [Int] = []

        init(_ name: String, _ runtime: Runtime) {
            self.name = name
            self.runtime = runtime
        }

        func receive(_ value: Int) async {
            inbox.append(value)
            runtime.post(.note, name, ["got": FieldValue(value)])
            try? await runtime.sleep(for: .milliseconds(value % 7))
            runtime.post(.note, name, ["slept": FieldValue(value)])
        }
    }

    static func transcript(seed: UInt64) -> String {
        let executor = SimExecutor()
        let clock = VirtualClock()
        let journal = Journal()
        let runtime = Runtime.simulated(
            executor: executor, clock: clock, epoch: 0, seed: seed, journal: journal, defects: [])
        let workers = (0..<8).map { Worker("w\($0)", runtime) }
        for (index, worker) in workers.enumerated() {
            runtime.spawn("worker \(index)") {
                let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
                let reader = runtime.spawn("reader \(index)") {
                    for await value in stream { await worker.receive(value) }
                }
                await withTaskGroup(of: Void.self) { group in
                    for step in 0..<5 {
                        group.addTask {
                            let pause = runtime.random.draw("pause") { $0.index(below: 20) }
                            try? await runtime.sleep(for: .milliseconds(pause))
                            await workers[(index + step) % 8].receive(step * 10 + index)
                            continuation.yield(step)
                        }
                    }
                }
                do {
                    try await runtime.withDeadline(Deadline(.milliseconds(3), after: runtime.now())) {
                        try await runtime.sleep(for: .milliseconds(index))
                    }
                    runtime.post(.note, "w\(index)", ["in-time": true])
                } catch {
                    runtime.post(.note, "w\(index)", ["in-time": false])
                }
                continuation.finish()
                await reader.value
            }
        }
        executor.drain()
        while let next = clock.nextSleeper {
            clock.advance(to: max(next, clock.now))
            clock.wakeNext()
            executor.drain()
        }
        #expect(runtime.tasks.running == [])
        #expect(journal.count > 100)
        return journal.digest
    }

    @Test func `eight actors give one event order in two hundred runs`() {
        let first = Self.transcript(seed: 1)
        for _ in 1..<200 { #expect(Self.transcript(seed: 1) == first) }
        #expect(Self.transcript(seed: 2) != first)
    }

    @Test func `jobs from other threads run on the draining thread`() async {
        let executor = SimExecutor()
        let clock = VirtualClock()
        let journal = Journal()
        let runtime = Runtime.simulated(
            executor: executor, clock: clock, epoch: 0, seed: 1, journal: journal, defects: [])
        let worker = Worker("w", runtime)
        // Other threads hand their work in; nothing of it runs before the drain below.
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask { _ = runtime.spawn("outside \(index)") { await worker.receive(0) } }
            }
        }
        #expect(journal.count == 0)
        executor.waitForJobs(atMost: .seconds(60))
        executor.drain()
        #expect(journal.count == 100)
        #expect(runtime.tasks.running.isEmpty)
    }

    @Test func `waking from another thread ends the wait`() async {
        let executor = SimExecutor()
        executor.wakeUp()
        // Would take an hour if the signal were lost.
        executor.waitForJobs(atMost: .seconds(3600))
        #expect(executor.drain() == 0)
    }
}

@Suite struct `Virtual clock` {
    func world() -> (SimExecutor, VirtualClock, Runtime) {
        let executor = SimExecutor()
        let clock = VirtualClock()
        return (
            executor, clock,
            Runtime.simulated(
                executor: executor, clock: clock, epoch: 1_750_000_000, seed: 7, journal: Journal(), defects: [])
        )
    }

    @Test func `a cancelled sleep throws at once and leaves no sleeper`() {
        let (executor, clock, runtime) = world()
        let task = runtime.spawn("sleeper") {
            do {
                try await runtime.sleep(for: .seconds(60))
                runtime.post(.note, "slept")
            } catch { runtime.post(.note, "cancelled") }
        }
        executor.drain()
        #expect(clock.nextSleeper == SimInstant(milliseconds: 60_000))
        task.cancel()
        executor.drain()
        #expect(clock.nextSleeper == nil)
        #expect(runtime.journal.events().map(\.subject) == ["cancelled"])
    }

    @Test func `the wall clock follows virtual time`() {
        let (_, clock, runtime) = world()
        #expect(runtime.wallSeconds() == 1_750_000_000)
        clock.advance(to: SimInstant(milliseconds: 2_999))
        #expect(runtime.wallSeconds() == 1_750_000_002)
    }

    @Test func `sleepers due at one instant wake in the order in which they went to sleep`() {
        let (executor, clock, runtime) = world()
        for index in 0..<20 {
            runtime.spawn("s\(index)") {
                try? await runtime.sleep(for: .milliseconds(5))
                runtime.post(.note, "\(index)")
            }
        }
        executor.drain()
        clock.advance(to: SimInstant(milliseconds: 5))
        while clock.wakeNext() { executor.drain() }
        #expect(runtime.journal.events().map(\.subject) == (0..<20).map { "\($0)" })
    }
}
