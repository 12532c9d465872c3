internal import MeshProtocol
public import RigBase
public import RunRecord

/// A simulated mesh: nodes with real firmware behaviour on one air, in a time of its own.
///
/// Everything is synchronous and deterministic: the same spec and the same calls give the same journal. Not `Sendable`;
/// one thread uses it. Time moves only by `step` and `advance`.
public final class World {
    public let spec: WorldSpec
    public let journal: Journal
    private let keepsEvents: Bool
    public private(set) var now: SimInstant = .zero
    /// Names of all nodes, in the order of the spec.
    public let names: [String]

    private(set) var nodes: [Node] = []
    private var indexByName: [String: Int] = [:]
    var links: LinkTable
    let work = WorkCounter()
    let random: Prng
    private var lineage: UInt64 = 0
    private var heap = WakeHeap()
    /// Frames for each node's host, and whether it ever had one.
    var outputs: [[HostOutput]]
    var attached: [Bool]
    var restarts: [NodeStop] = []
    var behaviours: [Behaviour] = []
    /// Faults on radio links, in the order in which they are asked.
    var airFaults: [ActiveAirFault] = []
    /// Packets that will be heard later, by number.
    var hearings: [Int: HeardLater] = [:]
    var nextHearing = 0
    /// Lasting faults of nodes, in the order in which they began.
    var nodeFaults: [ActiveNodeFault] = []
    /// What is going to happen beside the nodes' own lives; of one millisecond, what was planned first.
    var plans = EventHeap<Int64, WorldPlan>()

    /// Builds the world; nodes start at millisecond 0 and take their first breath in millisecond 1.
    public init(_ spec: WorldSpec, journal: Journal) throws(WorldError) {
        self.spec = spec
        self.journal = journal
        keepsEvents = journal.keepsEvents
        random = Prng(seed: spec.seed).fork("world")
        names = spec.nodes.map(\.name)
        outputs = Array(repeating: [], count: names.count)
        attached = Array(repeating: false, count: names.count)
        for (index, name) in names.enumerated() {
            guard indexByName[name] == nil else { throw .duplicateNode(name) }
            indexByName[name] = index
        }
        links = LinkTable(count: names.count, root: random)
        let builder = NodeBuilder(world: self)
        for (index, node) in spec.nodes.enumerated() { nodes.append(try builder.make(node, index: index)) }
        for link in spec.links {
            guard let from = indexByName[link.from] else { throw .unknownNode(link.from, usedBy: "a link") }
            guard let to = indexByName[link.to] else { throw .unknownNode(link.to, usedBy: "a link") }
            guard from != to else { throw .badValue("a link to itself", node: link.from) }
            links.set(from: from, to: to, link)
        }
        for link in spec.links {
            for entry in link.schedule { plans.insert(.link(link, entry.change), at: entry.atMillis) }
        }
        for node in nodes where spec.nodes[node.index].isPowered { start(node, reason: "power") }
        startBehaviours()
    }

    /// How much has been done so far.
    public var workCounts: WorkCounts { work.counts }

    /// When something happens next; nil when nothing ever will without a push from outside.
    public var nextEvent: SimInstant? {
        let next = min(heap.next?.millisecond ?? .max, plans.nextKey ?? .max)
        return next == .max ? nil : SimInstant(milliseconds: next)
    }

    /// Moves to `nextEvent` and does exactly one event: a planned change, a behaviour's deed, or one node's millisecond.
    public func step() {
        if let planned = plans.nextKey, planned <= heap.next?.millisecond ?? .max, let (_, plan) = plans.pop() {
            now = max(now, SimInstant(milliseconds: planned))
            switch plan {
            case .link(let link, let change): carryOut(change, on: link)
            case .deed(let action): carryOut(action)
            case .hearing(let number): carryOut(hearing: number)
            case .forgedAck(let node, let code, let cause): forgeAck(code, at: nodes[node], cause)
            }
            return
        }
        guard let next = heap.next else { return }
        now = max(now, SimInstant(milliseconds: next.millisecond))
        let node = nodes[next.node]
        work.counts.wakes += 1
        node.live(at: next.millisecond)
        if node.restart != nil { restart(node) }
        reschedule(node)
    }

    /// Moves time to `instant`, which must not be past `nextEvent`.
    public func advance(to instant: SimInstant) {
        precondition(instant >= now, "time does not go back")
        precondition(nextEvent.map { $0 >= instant } ?? true, "an event is due before that")
        now = instant
    }

    /// Does everything that is due up to and including `instant`, then stands there.
    public func run(until instant: SimInstant) {
        while let next = nextEvent, next <= instant { step() }
        if instant > now { advance(to: instant) }
    }

    /// The millisecond the world is in.
    var millisecond: Int64 { now.milliseconds }

    func node(_ name: String) -> Node {
        guard let index = indexByName[name] else { preconditionFailure("no node is called '\(name)'") }
        return nodes[index]
    }

    func index(of name: String) -> Int? { indexByName[name] }

    public func hasNode(_ name: String) -> Bool { indexByName[name] != nil }

    /// Puts the node's wake-up into the calendar.
    func reschedule(_ node: Node) {
        heap.set(node.index, to: node.isOn ? node.wake : .max)
    }

    /// After something outside the node's own time has changed for it.
    func touch(_ node: Node) {
        node.reschedule()
        reschedule(node)
    }

    func nextLineage() -> UInt64 {
        lineage += 1
        return lineage
    }

    @discardableResult
    func post(
        _ kind: EventKind, _ subject: String, at millisecond: Int64, cause: EventID? = nil, packet: UInt64? = nil,
        _ fields: @autoclosure () -> Fields = [:]
    ) -> EventID {
        guard keepsEvents else { return .forgotten }
        return journal.post(
            kind, subject, at: max(now, SimInstant(milliseconds: millisecond)), cause: cause, packet: packet, fields())
    }
}

/// Something that happens at its time, whatever the nodes do.
enum WorldPlan: Sendable {
    case link(LinkSpec, ScheduledLink.Change)
    case deed(BehaviourAction)
    /// A packet whose hearing a fault has put off.
    case hearing(Int)
    /// An acknowledgement nobody sent, to be heard by a node as soon as it is not sending itself.
    case forgedAck(node: Int, code: [UInt8], cause: EventID)
}

/// The nodes by the millisecond they want to be woken in; of equal ones, the lower index first.
struct WakeHeap {
    struct Entry {
        var millisecond: Int64
        var node: Int
    }

    private var heap: [Entry] = []
    /// Where each node stands in the heap, −1 for not at all.
    private var places: [Int] = []

    var next: Entry? { heap.first }

    mutating func set(_ node: Int, to millisecond: Int64) {
        while places.count <= node { places.append(-1) }
        let place = places[node]
        if millisecond == .max {
            if place >= 0 { remove(at: place) }
        } else if place < 0 {
            heap.append(Entry(millisecond: millisecond, node: node))
            places[node] = heap.count - 1
            rise(heap.count - 1)
        } else if heap[place].millisecond != millisecond {
            heap[place].millisecond = millisecond
            sink(rise(place))
        }
    }

    private mutating func remove(at place: Int) {
        places[heap[place].node] = -1
        let last = heap.removeLast()
        guard place < heap.count else { return }
        heap[place] = last
        places[last.node] = place
        sink(rise(place))
    }

    @discardableResult
    private mutating func rise(_ start: Int) -> Int {
        var child = start
        while child > 0, precedes(child, (child - 1) / 2) {
            exchange(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
        return child
    }

    private mutating func sink(_ start: Int) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let first = left + 1 < heap.count && precedes(left + 1, left) ? left + 1 : left
            guard precedes(first, parent) else { return }
            exchange(parent, first)
            parent = first
        }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (one, other) = (heap[left], heap[right])
        return one.millisecond < other.millisecond
            || (one.millisecond == other.millisecond && one.node < other.node)
    }

    private mutating func exchange(_ left: Int, _ right: Int) {
        heap.swapAt(left, right)
        places[heap[left].node] = left
        places[heap[right].node] = right
    }
}
