internal import CompanionProtocol
package import MeshTransport
internal import RigBase
package import RigRuntime
package import ScenarioModel
internal import Synchronization

/// The faults of a scenario at the client's host link: reads them, puts them in place and takes them out.
package final class FaultBoard: Sendable {
    private struct Planned: Sendable {
        var rule: FaultRule
        var name: String
        var startsByStep: Bool
        var duration: Duration?
    }

    package let control: FaultControl
    private let planned: [Planned]
    private let runtime: Runtime
    /// Tasks that take a fault out when its time is over.
    private let endings = Mutex<[Task<Void, Never>]>([])

    /// Reads the faults of a file; what is wrong goes to `problems`.
    package init(_ nodes: [FaultNode], runtime: Runtime, subject: String, _ problems: ProblemList) {
        self.runtime = runtime
        control = FaultControl(runtime: runtime, subject: subject)
        for target in nodes.compactMap(\.target) where target.name != subject {
            problems.add(
                target.spot, "faults act on the link of the client under test, which is on \(subject)",
                hint: "leave \"of\" out")
        }
        let given = nodes.compactMap(\.name?.name)
        planned = nodes.enumerated().compactMap { number, node in
            var name = node.name?.name ?? "fault \(number + 1)"
            // A file may well call another fault so.
            while node.name == nil, given.contains(name) { name += "'" }
            return Self.plan(node, name: name, problems)
        }
    }

    /// Puts in place all that does not wait for a step.
    package func startAll() {
        for fault in planned where !fault.startsByStep { start(fault) }
    }

    package func start(named name: String) throws {
        guard let fault = planned.first(where: { $0.name == name }) else {
            throw StepFailure("unknown-fault", "the file has no fault \"\(name)\"")
        }
        guard !control.rules.contains(name) else { return }
        start(fault)
    }

    package func remove(named name: String) { control.remove(name) }

    package func removeAll() {
        control.removeAll()
        let tasks = endings.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in tasks { task.cancel() }
    }

    private func start(_ fault: Planned) {
        control.add(fault.rule)
        guard let duration = fault.duration else { return }
        let control = control
        let task = runtime.spawn("end of fault \(fault.name)") { [runtime] in
            guard (try? await runtime.sleep(for: duration)) != nil else { return }
            control.remove(fault.name)
        }
        endings.withLock { $0.append(task) }
    }

    // MARK: Reading

    /// Reads the faults of a file for the sake of what is wrong with them.
    package static func check(_ nodes: [FaultNode], _ problems: ProblemList) {
        for node in nodes { _ = plan(node, name: "", problems) }
    }

    /// Keys of a fault's `when`.
    package static let matchShape = ShapeDescriptor(
        "which frames it acts on", shorthand: "frame",
        [
            FieldDescriptor("frame", .list(.text), "their names"),
            FieldDescriptor("nth", .integer(1...1_000_000), "only the frame with this number among them"),
            FieldDescriptor("first", .integer(1...1_000_000), "only so many of them, from the first on"),
            FieldDescriptor("from", .integer(1...1_000_000), "only from the frame with this number on"),
            FieldDescriptor("bytes", .bytes(1...176), "only frames that begin with these bytes"),
            FieldDescriptor("byte", .integer(0...100_000_000), "instead: the byte with this number of its direction"),
        ])

    private static func plan(_ node: FaultNode, name: String, _ problems: ProblemList) -> Planned? {
        guard let kind = FaultCatalog[node.action] else {
            MappingReader.reportUnknown(
                node.action, what: "fault", at: node.spot, among: FaultCatalog.keywords, problems)
            return nil
        }
        let direction: LinkDirection = node.direction == .toRadio ? .toRadio : .fromRadio
        let input = FaultInput(
            argument: node.argument, type: kind.type, direction: direction, spot: node.spot, problems: problems)
        guard let action = kind.decode(input), let trigger = trigger(of: node, direction, problems) else { return nil }
        let rule = FaultRule(id: name, direction: direction, trigger: trigger, action: action, limit: node.count)
        return Planned(rule: rule, name: name, startsByStep: node.startsByStep, duration: node.duration)
    }

    private static func trigger(
        of node: FaultNode, _ direction: LinkDirection, _ problems: ProblemList
    ) -> FaultTrigger? {
        if let at = node.at {
            if let when = node.when { problems.add(when.spot, "a fault has \"at\" or \"when\", not both") }
            refuseChance(node, "at", problems)
            return .at(SimInstant.zero.advanced(by: at))
        }
        guard let when = node.when else {
            return .frame(FrameMatch(chance: node.probability ?? .always))
        }
        let reader = MappingReader(when, matchShape, problems)
        if let byte = reader.integer("byte") {
            refuseChance(node, "byte", problems)
            return .byte(byte)
        }
        let names = reader.names("frame")
        let codes = names.compactMap { FaultInput.code(of: $0, direction, problems) }
        var match = FrameMatch(codes: codes, nth: range(reader, problems), chance: node.probability ?? .always)
        if let prefix = reader.bytes("bytes") { match.condition = { $0.starts(with: prefix) } }
        return .frame(match)
    }

    /// A fault at one time or byte acts once and for certain.
    private static func refuseChance(_ node: FaultNode, _ key: String, _ problems: ProblemList) {
        guard node.probability != nil else { return }
        problems.add(node.spot, "a fault with \"\(key)\" acts for certain; it has no probability")
    }

    private static func range(_ reader: MappingReader, _ problems: ProblemList) -> ClosedRange<Int>? {
        let given = ["nth", "first", "from"].filter(reader.has)
        if given.count > 1 { problems.add(reader.spot, "give one of: nth, first, from") }
        if let nth = reader.integer("nth") { return nth...nth }
        if let first = reader.integer("first") { return 1...first }
        return reader.integer("from").map { $0...Int.max }
    }
}
