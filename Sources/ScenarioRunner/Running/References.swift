internal import ScenarioModel

/// The names that steps, expectations and faults of a file use for other parts of it, to be looked up when all is read.
package final class References {
    package enum Kind: Sendable, Hashable {
        /// A radio of the world.
        case node
        /// A step with a name of its own.
        case step
        case fault
        case phase

        var word: String {
            switch self {
            case .node: "node"
            case .step: "step name"
            case .fault: "fault"
            case .phase: "phase"
            }
        }
    }

    private var used: [(kind: Kind, place: NameAtSpot)] = []
    /// Links as written: two nodes joined by a dash.
    private var links: [NameAtSpot] = []

    package init() {}

    func add(_ kind: Kind, _ place: NameAtSpot) { used.append((kind, place)) }
    func addLink(_ place: NameAtSpot) { links.append(place) }

    /// The value of a key, taken note of as the name of something.
    func name(_ kind: Kind, _ key: String, of reader: MappingReader) -> String? {
        guard let name = reader.text(key) else { return nil }
        add(kind, NameAtSpot(name, reader.spot(of: key)))
        return name
    }

    /// Reports every name that stands for nothing.
    func check(_ known: [Kind: [String]], _ problems: ProblemList) {
        for (kind, place) in used {
            place.check(among: known[kind] ?? [], what: kind.word, problems)
        }
        let nodes = known[.node] ?? []
        for link in links where LinkNames.split(link.name, among: nodes.contains) == nil {
            problems.add(
                link.spot, "\"\(YAMLNode.shortened(link.name))\" does not join two nodes of the world",
                hint: "write both names with a dash between them, as in hill-bob; known nodes: "
                    + nodes.prefix(30).joined(separator: ", "))
        }
    }
}
