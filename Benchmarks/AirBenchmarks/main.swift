internal import Glibc
internal import RadioSimulator
internal import RigBase
internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

// The simulator by itself: large meshes without a client. Counts have bounds, and passing one is exit code 1; seconds
// are processor time of this machine and are only reported.
//
//     swift run -c release air-benchmarks [city|hour|large|cost|geometry]…

/// One mesh with its traffic, and what it may need.
struct Load {
    var name: String
    var nodes: Int
    var links: Int
    /// Every so many-th node is a companion, which sends texts.
    var companionEvery: Int
    var seconds: Int
    /// Seconds between two messages.
    var interval: Int
    /// Bounds: milliseconds gone through and calls of the allocator for each reception, KiB for each node.
    var wakesPerReception: Int
    var allocationsPerReception: Int
    var memoryPerNode: Int?
    /// False leaves the floods of texts as the only traffic.
    var hasAdverts = true

    static let city = Load(
        name: "city", nodes: 147, links: 419, companionEvery: 6, seconds: 900, interval: 5, wakesPerReception: 4,
        allocationsPerReception: 3)
    static let hour = Load(
        name: "hour", nodes: 1_000, links: 2_850, companionEvery: 20, seconds: 3_600, interval: 10,
        wakesPerReception: 4, allocationsPerReception: 3)
    static let large = Load(
        name: "large", nodes: 10_000, links: 28_500, companionEvery: 1_000, seconds: 300, interval: 60,
        wakesPerReception: 4, allocationsPerReception: 3, memoryPerNode: 100)

    static func cost(_ nodes: Int) -> Load {
        Load(
            name: "cost", nodes: nodes, links: nodes * 57 / 20, companionEvery: 20, seconds: 600, interval: 20,
            wakesPerReception: 4, allocationsPerReception: 5, hasAdverts: false)
    }
}

/// Whether a load kept its bounds, and what a reception took.
struct Outcome {
    var isGood: Bool
    var nanosecondsPerReception: Int64
}

func run(_ load: Load) throws -> Outcome {
    let spec = Mesh.spec(
        count: load.nodes, links: load.links, companionEvery: load.companionEvery, hasAdverts: load.hasAdverts)
    let companions = spec.nodes.filter { $0.role == .companion }.map(\.name)
    let world = try World(spec, journal: Journal(keepsEvents: false))
    let run = Measurement {
        Mesh.drive(world, seconds: load.seconds, every: load.interval, companions: companions)
    }
    let work = world.workCounts
    let pace = Int64(load.seconds) * 1_000_000_000 / max(1, run.nanoseconds)
    let perReception = run.nanoseconds / Int64(max(1, work.receptions))
    print("\(load.name): \(load.nodes) nodes, \(spec.links.count / 2) links, \(load.seconds) s of traffic")
    print("  \(work.transmissions) transmissions, \(work.receptions) receptions, \(work.wakes) wakes")
    print(
        "  \(work.hashes) hashes, \(work.signatureChecks) signature checks, \(work.channelOpenings) channel openings,"
            + " \(work.sealedOpenings) openings of direct packets")
    print("  \(run.seconds) s, \(pace) × real time, \(perReception) ns a reception, \(Measurement.peakMemory) KiB peak")
    var isGood = true
    func check(_ what: String, _ number: Int, _ bound: Int) {
        print("  \(what): \(number), bound \(bound)" + (number <= bound ? "" : "  EXCEEDED"))
        if number > bound { isGood = false }
    }
    check("wakes", work.wakes, load.wakesPerReception * work.receptions)
    check("allocations", run.allocations, load.allocationsPerReception * work.receptions)
    check("hashes", work.hashes, work.transmissions)
    check("openings", work.channelOpenings + work.sealedOpenings, work.transmissions)
    if let memory = load.memoryPerNode { check("peak KiB", Measurement.peakMemory, memory * load.nodes) }
    return Outcome(isGood: isGood, nanosecondsPerReception: perReception)
}

/// Works out the links of a world from positions; what it asks of the allocator grows with the links, not with the pairs.
func place(_ nodes: Int) throws -> Bool {
    let file = try WorldDocument.file(try YAMLFile.parse(Array(Mesh.placed(count: nodes).utf8), file: "placed.yaml"))
    let problems = ProblemList()
    var links = 0
    let work = Measurement { links = WorldBuilder(file.world, problems).build(seed: 1).links.count / 2 }
    try problems.throwIfAny()
    print("geometry: \(nodes) nodes, \(links) links of \(nodes * (nodes - 1) / 2) pairs, \(work.seconds) s")
    let bound = 8 * (nodes + links)
    let isGood = work.allocations <= bound
    print("  allocations: \(work.allocations), bound \(bound)" + (isGood ? "" : "  EXCEEDED"))
    return isGood
}

var names = Array(CommandLine.arguments.dropFirst())
if names.isEmpty { names = ["large", "city", "hour", "cost", "geometry"] }
var isGood = true
for name in names {
    switch name {
    case "city": isGood = try run(.city).isGood && isGood
    case "hour": isGood = try run(.hour).isGood && isGood
    case "large": isGood = try run(.large).isGood && isGood
    case "cost":
        let outcomes = try [100, 1_000, 10_000].map { try run(.cost($0)) }
        isGood = outcomes.allSatisfy(\.isGood) && isGood
        let costs = outcomes.map(\.nanosecondsPerReception)
        print("  dearest to cheapest reception: \(Measurement.decimal(costs.max() ?? 0, costs.min() ?? 1))")
    case "geometry": for nodes in [1_000, 4_000, 10_000] { isGood = try place(nodes) && isGood }
    default:
        print("there are city, hour, large, cost and geometry, but no \"\(name)\"")
        exit(2)
    }
}
exit(isGood ? 0 : 1)
