internal import Glibc
internal import RigBase
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

// Prints counts and ratios. Seconds differ from machine to machine; the ratio of a run's events to bare jobs of the
// executor hardly does.
//
//     swift run -c release rig-benchmarks [folder of scenarios]

/// Wall time and what was counted in it.
struct Measurement {
    var count: Int
    var nanoseconds: Int64

    var perSecond: Int { nanoseconds > 0 ? Int(Int64(count) * 1_000_000_000 / nanoseconds) : 0 }
    /// Milliseconds with two decimals.
    var milliseconds: String {
        let hundredths = nanoseconds / 10_000
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
    }

    init(_ body: () throws -> Int) rethrows {
        let start = Self.now
        count = try body()
        nanoseconds = Self.now - start
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A million resumptions of a hundred tasks that do nothing but give way.
func bareJobs() -> Measurement {
    let executor = SimExecutor()
    let runtime = Runtime.simulated(
        executor: executor, clock: VirtualClock(), epoch: WorldDocument.defaultEpoch, seed: 1, journal: Journal(),
        defects: [])
    for number in 0..<100 {
        runtime.spawn("bare \(number)") { for _ in 0..<10_000 { await Task.yield() } }
    }
    return Measurement { executor.drain() }
}

func events(of results: [CaseResult]) -> Int {
    for result in results where result.verdict != .passed { print("  \(result.id): \(result.verdict.rawValue)") }
    return results.reduce(0) { $0 + $1.eventCount }
}

let folder = try ScenarioFolder(CommandLine.arguments.dropFirst().first ?? "Scenarios")
let cases = try folder.entries.flatMap { try folder.load($0) }.map { ($0, RunSettings()) }
let directMessage = cases.filter { $0.0.id == "client/direct-messages/flood-with-ack" }

_ = bareJobs()
let bare = bareJobs()
print("bare executor jobs      \(bare.count)  \(bare.perSecond)/s")

if let one = directMessage.first {
    let cold = Measurement { events(of: Runner.run([one])) }
    let warm = Measurement { events(of: Runner.run(Array(repeating: one, count: 100))) }
    print("one direct message      \(cold.count) events, first run \(cold.milliseconds) ms")
    print("the same, 100 times     \(warm.count) events, \(warm.milliseconds) ms, \(warm.perSecond) events/s")
    print("bare jobs to one event  \(bare.perSecond / max(1, warm.perSecond))")
}
let catalogue = Measurement { events(of: Runner.run(cases)) }
print("catalogue, one at once  \(cases.count) cases, \(catalogue.count) events, \(catalogue.milliseconds) ms")
let parallel = Measurement { events(of: Runner.run(cases, jobs: 2)) }
print("catalogue, two at once  \(parallel.count) events, \(parallel.milliseconds) ms")
