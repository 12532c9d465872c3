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
        /// Somebody the client can have messages of: a node, by either name, or another contact of it.
        case contact
        /// A channel by its name; slots are not looked up.
        case channel

        var word: String {
            switch self {
            case .node: "node"
            case .step: "step name"
            case .fault: "fault"
            case .phase: "phase"
            case .contact: "contact"
            case .channel: "channel"
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
    ///
    /// `joined` tells whether two nodes have a link of the file; nil when links follow from positions.
    func check(_ known: [Kind: [String]], joined: ((String, String) -> Bool)?, _ problems: ProblemList) {
        for (kind, place) in used {
            if kind == .channel, Int(place.name) != nil { continue }
            place.check(among: known[kind] ?? [], what: kind.word, problems)
        }
        let nodes = known[.node] ?? []
        for link in links {
            if let (from, to) = LinkNames.split(link.name, among: nodes.contains) {
                if let joined, !joined(from, to) {
                    problems.add(link.spot, "the file has no link between \(from) and \(to)")
                }
                continue
            }
            problems.add(
                link.spot, "\"\(YAMLNode.shortened(link.name))\" does not join two nodes of the world",
                hint: "write both names with a dash between them, as in hill-bob; known nodes: "
                    + nodes.prefix(30).joined(separator: ", "))
        }
    }
}
