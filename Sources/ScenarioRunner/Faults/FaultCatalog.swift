package import CompanionProtocol
package import MeshTransport
package import RadioSimulator
internal import RigBase
package import ScenarioModel

/// What a fault does once it is read.
package enum FaultDeed: Sendable {
    /// To a frame at the host link.
    case host(FaultAction)
    case connection(ConnectionRule.Fault)
    case air(AirDeed)
    case node(NodeFault)
}

/// What a fault does to packets between nodes, and to which.
package struct AirDeed: Sendable {
    package var action: AirAction
    package var types: [String]
    package var nth: Int?
    /// Only from the first node of the link to the second.
    package var isOneWay: Bool
}

/// How one fault action is read.
package struct FaultKind: Sendable {
    package var seam: FaultNode.Seam
    package var keyword: String
    /// One line for the reference.
    package var summary: String
    /// What its argument is.
    package var type: ValueType
    /// An example for the reference.
    package var example: String
    /// Nil when something is wrong, which then is in the problem list.
    package var decode: @Sendable (FaultInput) -> FaultDeed?
}

/// The argument of a fault action.
package struct FaultInput {
    package var argument: YAMLNode?
    package var type: ValueType
    package var direction: LinkDirection
    /// The nodes of the world.
    package var nodes: [String]
    package var spot: SourceSpot
    package var problems: ProblemList

    var mapping: MappingReader {
        guard case .shape(let shape) = type else { preconditionFailure("the action takes no mapping") }
        return MappingReader(argument, shape, at: spot, problems)
    }

    /// The first byte of the frames of that name in a direction; nil, with a report, when there are none.
    static func code(of place: NameAtSpot, _ direction: LinkDirection, _ problems: ProblemList) -> UInt8? {
        switch direction {
        case .toRadio:
            if let code = FrameNames.command(named: place.name) { return code.rawValue }
            place.check(among: FrameNames.commands.map(\.name), what: "command", problems)
        case .fromRadio:
            if let code = FrameNames.radioFrame(named: place.name) { return code.rawValue }
            place.check(among: FrameNames.radioFrames.map(\.name), what: "radio frame", problems)
        }
        return nil
    }

    func value<Value>(_ read: (ValueReader, YAMLNode) -> Value?) -> Value? {
        guard let argument, !argument.isEmpty else {
            problems.add(spot, "the action needs a value: \(type.name)")
            return nil
        }
        return read(ValueReader(type, "the value", problems), argument)
    }

    /// For actions that are there or not: `true` stands for the deed.
    func flag(_ deed: FaultDeed) -> FaultDeed? {
        guard let isWanted = value({ $0.bool($1) }) else { return nil }
        if !isWanted { problems.add(spot, "a fault that is not wanted is left out") }
        return isWanted ? deed : nil
    }
}

/// Every action a fault can have, by the seam it is at.
package enum FaultCatalog {
    package static let all: [FaultKind] = bytesKinds + framesKinds + linkKinds + nodeKinds + firmwareKinds

    /// The actions known at a seam; those of the host link take bytes or frames as they need, whatever the file says.
    package static func kinds(at seam: FaultNode.Seam?) -> [FaultKind] {
        guard let seam else { return all }
        return all.filter { $0.seam == seam || ($0.seam.isHostLink && seam.isHostLink) }
    }

    /// The action of a fault; nil, with a report, when there is none. Without a seam the first that has the action counts.
    package static func kind(of node: FaultNode, _ problems: ProblemList) -> FaultKind? {
        let known = kinds(at: node.seam)
        if let kind = known.first(where: { $0.keyword == node.action }) { return kind }
        if let seam = node.seam, let other = all.first(where: { $0.keyword == node.action }) {
            problems.add(
                node.spot, "\(node.action) is no fault \"on: \(seam.rawValue)\"",
                hint: "it is one \"on: \(other.seam.rawValue)\"")
            return nil
        }
        var keywords: [String] = []
        for kind in known where !keywords.contains(kind.keyword) { keywords.append(kind.keyword) }
        MappingReader.reportUnknown(node.action, what: "fault", at: node.spot, among: keywords, problems)
        return nil
    }

    /// Where a fault acts; nil when nobody knows its action.
    package static func seam(of node: FaultNode) -> FaultNode.Seam? {
        kinds(at: node.seam).first { $0.keyword == node.action }?.seam
    }
}
