internal import RigBase
package import ScenarioModel

/// Every keyword that `expect`, `always`, `never` and `sometimes` understand.
package enum ExpectationCatalog {
    package static let all: [ExpectationKind] = [
        StateExpectation.kind, ContactsExpectation.kind, ContactExpectation.kind, ChannelsExpectation.kind,
        ChannelExpectation.kind, MessagesExpectation.kind, StoreExpectation.kind,
        StatusExpectation.kind, ResultExpectation.kind, ErrorExpectation.kind, FramesExpectation.kind,
        PacketsExpectation.kind, ReceivedExpectation.kind, RadioExpectation.kind, FaultExpectation.kind,
        EventExpectation.kindOfExpectation,
    ]

    /// Keys that may stand beside a keyword.
    package static let modifiers = ShapeDescriptor(
        "an expectation",
        [
            FieldDescriptor("name", .text, "under which it is reported"),
            FieldDescriptor("within", .window, "how long it may take, counted from the start of its step"),
            FieldDescriptor("message", .text, "the step (named with `as`) whose message is meant"),
            FieldDescriptor("during", .text, "only what happens in this phase (begun by the step `phase`) counts"),
        ])

    /// Reads one or a list of expectations; every keyword in a mapping is an expectation of its own.
    package static func decode(
        _ nodes: [YAMLNode], mode: PlannedExpectation.Mode, on place: WindowDocument.Place,
        defaultWindow: Duration? = nil, _ references: References, _ problems: ProblemList
    ) -> [PlannedExpectation] {
        nodes.flatMap(\.oneOrMany).flatMap {
            decode($0, mode: mode, on: place, defaultWindow: defaultWindow, references, problems)
        }
    }

    private static func decode(
        _ node: YAMLNode, mode: PlannedExpectation.Mode, on place: WindowDocument.Place, defaultWindow: Duration?,
        _ references: References, _ problems: ProblemList
    ) -> [PlannedExpectation] {
        guard let entries = node.mapping else {
            problems.add(node.spot, "expected an expectation such as \"contacts: 3\", found \(node.kindName)")
            return []
        }
        let keywords = all.map(\.keyword)
        for entry in entries where !keywords.contains(entry.key) && modifiers[entry.key] == nil {
            MappingReader.reportUnknown(
                entry.key, what: "expectation", at: entry.keySpot, among: keywords + modifiers.keys, problems)
        }
        let reader = MappingReader(
            node, modifiers, except: entries.map(\.key).filter { modifiers[$0] == nil }, problems)
        let window = reader.window("within")?[place] ?? defaultWindow
        if mode != .within, reader.has("within") {
            problems.add(
                reader.spot(of: "within"),
                "within belongs to the expectations of a step; those of the run have no limit",
                hint: "put it below the step that it is about, or below settle")
        }
        let messageName = references.name(.step, "message", of: reader)
        let phase = references.name(.phase, "during", of: reader)
        var plans: [PlannedExpectation] = []
        for entry in entries {
            guard let kind = all.first(where: { $0.keyword == entry.key }) else { continue }
            let input = ExpectationInput(
                argument: entry.value, type: kind.type, messageName: messageName, phase: phase, problems: problems,
                references: references)
            guard let expectation = kind.decode(input) else { continue }
            if mode != .within, expectation.endsWithVerb {
                problems.add(entry.keySpot, "\(entry.key) is about a step; put it below one")
            }
            let name = reader.text("name") ?? "\(entry.key): \(entry.value.flowText)"
            plans.append(
                PlannedExpectation(
                    name: name, mode: mode, window: window, phase: phase, expectation: expectation, spot: entry.keySpot)
            )
        }
        if plans.isEmpty, problems.isEmpty {
            problems.add(
                node.spot, "no expectation here", hint: "known expectations: " + keywords.joined(separator: ", "))
        }
        return plans
    }
}
