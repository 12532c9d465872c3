internal import CompanionProtocol
internal import MeshProtocol
package import MeshTransport
package import RadioSimulator
package import RigBase
package import ScenarioModel

/// A fault of a file, read and checked.
package struct FaultPlan: Sendable {
    package enum Deed: Sendable {
        case link(FaultRule)
        case connection(ConnectionRule)
        case air(AirFault)
        case node(NodeFault, of: String)
    }

    package var name: String
    package var seam: FaultNode.Seam
    /// Its action as the file says it.
    package var action: String
    package var deed: Deed
    package var at: Duration?
    package var startsByStep: Bool
    package var duration: Duration?
    /// For faults of nodes and firmware; the others have theirs in their rules.
    package var count: Int?
    package var chance: Ratio
    /// What it waits for beyond the host link.
    package var trigger: PlannedExpectation?
}

/// Reads the faults of a file; what is wrong goes to the problem list.
struct FaultReader {
    let world: WorldDocument
    /// The node that has the client.
    let subject: String
    let references: References
    let problems: ProblemList

    /// Keys of a fault's `when` at the host link.
    static let matchShape = ShapeDescriptor(
        "which frames it acts on", shorthand: "frame",
        [
            FieldDescriptor("frame", .list(.text), "their names"),
            FieldDescriptor("nth", .integer(1...1_000_000), "only the frame with this number among them"),
            FieldDescriptor("first", .integer(1...1_000_000), "only so many of them, from the first on"),
            FieldDescriptor("from", .integer(1...1_000_000), "only from the frame with this number on"),
            FieldDescriptor("bytes", .bytes(1...176), "only frames that begin with these bytes"),
            FieldDescriptor("byte", .integer(0...100_000_000), "instead: the byte with this number of its direction"),
        ])

    func plans(_ nodes: [FaultNode]) -> [FaultPlan] {
        let given = nodes.compactMap(\.name?.name)
        return nodes.enumerated().compactMap { number, node in
            var name = node.name?.name ?? "fault \(number + 1)"
            // A file may well call another fault so.
            while node.name == nil, given.contains(name) { name += "'" }
            return plan(node, name: name)
        }
    }

    private func plan(_ node: FaultNode, name: String) -> FaultPlan? {
        guard let kind = FaultCatalog.kind(of: node, problems) else { return nil }
        let direction: LinkDirection = node.direction == .toRadio ? .toRadio : .fromRadio
        let input = FaultInput(
            argument: node.argument, type: kind.type, direction: direction, nodes: world.nodes.map(\.name),
            spot: node.spot, problems: problems)
        let read = kind.decode(input)
        if !kind.seam.isHostLink, node.direction != nil {
            problems.add(node.spot, "only bytes and frames have a direction", hint: "leave \"direction\" out")
        }
        guard let read else { return nil }
        var plan = FaultPlan(
            name: name, seam: kind.seam, action: kind.keyword, deed: .node(.crash, of: ""), at: node.at,
            startsByStep: node.startsByStep, duration: node.duration, count: node.count,
            chance: node.probability ?? .always, trigger: nil)
        if let at = node.at, let when = node.when {
            problems.add(
                when.spot, "a fault has \"at\" or \"when\", not both", hint: "at was \(at.wholeMilliseconds) ms")
        }
        switch read {
        case .host(let action):
            checkSubject(node)
            guard let trigger = trigger(of: node, direction) else { return nil }
            plan.deed = .link(
                FaultRule(id: name, direction: direction, trigger: trigger, action: action, limit: node.count))
        case .connection(let fault):
            checkSubject(node)
            if let when = node.when {
                problems.add(when.spot, "\(kind.keyword) acts on connecting and waits for no frame")
            }
            plan.deed = .connection(
                ConnectionRule(id: name, fault: fault, chance: plan.chance, limit: node.count))
        case .air(let deed):
            plan.trigger = expectation(node)
            plan.deed = .air(air(deed, node, plan))
        case .node(let fault):
            plan.trigger = expectation(node)
            plan.deed = .node(fault, of: nodeName(node, fault))
            if node.duration != nil, !fault.isLasting {
                problems.add(node.spot, "\(kind.keyword) is over in a moment; it has no duration")
            }
        }
        return plan
    }

    private func checkSubject(_ node: FaultNode) {
        guard let target = node.target, target.name != subject else { return }
        problems.add(
            target.spot, "faults of bytes and frames act on the link of the client under test, which is on \(subject)",
            hint: "leave \"of\" out, or say \"on: link\" for radio links")
    }

    // MARK: The host link

    private func trigger(of node: FaultNode, _ direction: LinkDirection) -> FaultTrigger? {
        if let at = node.at {
            refuseChance(node, "at")
            return .at(SimInstant.zero.advanced(by: at))
        }
        guard let when = node.when else {
            return .frame(FrameMatch(chance: node.probability ?? .always))
        }
        let reader = MappingReader(when, Self.matchShape, problems)
        if let byte = reader.integer("byte") {
            refuseChance(node, "byte")
            return .byte(byte)
        }
        let names = reader.names("frame")
        let codes = names.compactMap { FaultInput.code(of: $0, direction, problems) }
        var match = FrameMatch(codes: codes, nth: range(reader), chance: node.probability ?? .always)
        if let prefix = reader.bytes("bytes") { match.condition = { $0.starts(with: prefix) } }
        return .frame(match)
    }

    /// A fault at one time or byte acts once and for certain.
    private func refuseChance(_ node: FaultNode, _ key: String) {
        guard node.probability != nil else { return }
        problems.add(node.spot, "a fault with \"\(key)\" acts for certain; it has no probability")
    }

    private func range(_ reader: MappingReader) -> ClosedRange<Int>? {
        let given = ["nth", "first", "from"].filter(reader.has)
        if given.count > 1 { problems.add(reader.spot, "give one of: nth, first, from") }
        if let nth = reader.integer("nth") { return nth...nth }
        if let first = reader.integer("first") { return 1...first }
        return reader.integer("from").map { $0...Int.max }
    }

    // MARK: The world

    private func expectation(_ node: FaultNode) -> PlannedExpectation? {
        guard let when = node.when else { return nil }
        let plans = ExpectationCatalog.decode([when], mode: .within, on: .simulator, references, problems)
        if plans.count > 1 { problems.add(when.spot, "a fault waits for one expectation") }
        for plan in plans where plan.expectation.isExact {
            problems.add(
                plan.spot, "when waits for the first moment at which something holds", hint: "use at-least")
        }
        return plans.first
    }

    private func air(_ deed: AirDeed, _ node: FaultNode, _ plan: FaultPlan) -> AirFault {
        let names = world.nodes.map(\.name)
        var links: [AirLink]?
        if let target = node.target {
            if let (from, to) = LinkNames.split(target.name, among: names.contains) {
                links = [AirLink(from: from, to: to)] + (deed.isOneWay ? [] : [AirLink(from: to, to: from)])
            } else if names.contains(target.name) {
                let others = names.filter { $0 != target.name }
                links = others.map { AirLink(from: target.name, to: $0) }
                if !deed.isOneWay { links?.append(contentsOf: others.map { AirLink(from: $0, to: target.name) }) }
            } else {
                problems.add(
                    target.spot, "\"\(target.name)\" is neither a node nor a link between two",
                    hint: "known nodes: " + names.joined(separator: ", "))
            }
        } else if deed.isOneWay {
            problems.add(node.spot, "one-way needs \"of\": from whom to whom", hint: "as in: of: hill-bob")
        }
        let types = deed.types.compactMap { name in
            (0..<16).map { PayloadType(rawValue: $0) }.first { $0.name == name }
        }
        return AirFault(
            id: plan.name, links: links, types: types, nth: deed.nth.map { $0...$0 }, chance: plan.chance,
            limit: plan.count, action: deed.action)
    }

    private func nodeName(_ node: FaultNode, _ fault: NodeFault) -> String {
        let place = node.target ?? NameAtSpot(subject, node.spot)
        place.check(among: world.nodes.map(\.name), what: "node", problems)
        if fault.needsCompanion, let target = world.node(named: place.name), target.role != .companion {
            problems.add(place.spot, "\(node.action) takes a companion, and \(place.name) is none")
        }
        return place.name
    }
}
