/// One case: a scenario file with its parameters put in.
package struct ScenarioDocument: Sendable, Hashable {
    package enum Tier: String, Sendable, Hashable, CaseIterable { case fast, slow, soak }
    package enum Level: String, Sendable, Hashable, CaseIterable { case must, should }

    /// The path below the catalogue folder without its ending; `id[row]` for a row of a matrix.
    package var id: String
    package var file: String
    package var title: String
    package var requirement: String
    package var refs: [String]
    package var tags: [String]
    package var tier: Tier
    package var level: Level
    /// Capabilities without which the case is blocked.
    package var requires: [NameAtSpot]
    /// Values the case runs with, in the order of the file.
    package var parameters: [ParameterValue]
    package var seed: UInt64?
    package var world: WorldDocument
    package var link: LinkPacingDocument?
    package var client: ClientDocument?
    package var defects: [DefectDocument]
    package var steps: [StepNode]
    package var faults: [FaultNode]
    package var settle: SettleDocument?
    package var expect: [YAMLNode]
    package var always: [YAMLNode]
    package var never: [YAMLNode]
    package var sometimes: [YAMLNode]
    package var budget: BudgetDocument
    /// The top of the file.
    package var spot: SourceSpot
    /// The file and those it builds on.
    package var files: [String] = []

    /// The node whose client is under test: the one named, else the first companion; empty without any.
    package var clientRole: String {
        client?.role.name ?? world.nodes.first { $0.role == .companion }?.name ?? ""
    }

    /// All steps, those within others too.
    package var allSteps: [StepNode] { steps.flatMap(\.all) }

    /// Unix seconds at the beginning of the run.
    package var epoch: UInt32 { world.epoch ?? WorldDocument.defaultEpoch }

    package static let shape = ShapeDescriptor(
        "a scenario",
        [
            FieldDescriptor(
                Overlay.extendsKey, .text,
                "another scenario it builds on, by id or path; its own keys win over that one's"),
            FieldDescriptor(
                Overlay.removeKey, .list(.text),
                "what is taken away of what it builds on: world.nodes.hill, steps.3, steps.NAME, …"),
            FieldDescriptor(
                Overlay.appendKey, .anything("lists by their keys, for example { steps: [...] }"),
                "what is put at the end of lists of what it builds on"),
            FieldDescriptor("title", .text, "what happens, in one line", required: true),
            FieldDescriptor("requirement", .text, "what must hold, in one sentence", required: true),
            FieldDescriptor("refs", .list(.text), "where that is written"),
            FieldDescriptor("tags", .list(.text), "words to select it by"),
            FieldDescriptor("tier", .choice(Tier.allCases.map(\.rawValue)), "how long it may take", default: "fast"),
            FieldDescriptor(
                "level", .choice(Level.allCases.map(\.rawValue)), "whether it must or should hold", default: "must"),
            FieldDescriptor("requires", .list(.text), "capabilities it cannot run without"),
            FieldDescriptor("parameters", .table(.text), "names with defaults; ${name} stands for the value"),
            FieldDescriptor("matrix", .table(.table(.text)), "rows of parameter values; each becomes a case id[row]"),
            FieldDescriptor("seed", .integer(0...Int.max), "seed of the run unless the command line gives one"),
            FieldDescriptor("world", .shape(WorldDocument.shape), "radios and links", required: true),
            FieldDescriptor("link", .shape(LinkPacingDocument.shape), "speed of the client's host link"),
            FieldDescriptor("client", .shape(ClientDocument.shape), "the role whose client is under test"),
            FieldDescriptor(
                "defect", .list(.shape(DefectDocument.shape)), "defects of the client that this scenario must notice"),
            FieldDescriptor("steps", .list(.anything("a step")), "what is done, in order", required: true),
            FieldDescriptor("faults", .list(.anything("a fault")), "what goes wrong"),
            FieldDescriptor("settle", .shape(SettleDocument.shape), "faults end; what must hold again, and how soon"),
            FieldDescriptor("expect", .list(.anything("an expectation")), "what must hold at the end"),
            FieldDescriptor("always", .list(.anything("an expectation")), "what must hold all the time"),
            FieldDescriptor("never", .list(.anything("an expectation")), "what must not happen"),
            FieldDescriptor("sometimes", .list(.anything("an expectation")), "what must happen at least once"),
            FieldDescriptor("budget", .shape(BudgetDocument.shape), "what the run may cost"),
        ])

    /// The tree of a scenario with all it builds on; `open` finds those files by the name it gives them.
    package static func whole(
        _ file: YAMLNode, open: @escaping (_ name: String, _ spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode
    ) throws(ScenarioErrors) -> YAMLNode {
        let problems = ProblemList()
        let root = try Overlay(problems, open: open).resolve(file)
        try problems.throwIfAny()
        return root
    }

    /// The cases of a file: one, or one for each row of its matrix.
    ///
    /// `settings` are values from the command line; a name that the file has no parameter for is an error only when
    /// `strict` (a folder of files need not all have it).
    /// `open` finds the files that a file builds on, by the name it gives them.
    package static func cases(
        of file: YAMLNode, id: String, settings: [(name: String, value: String)] = [], strict: Bool = false,
        open: @escaping (_ name: String, _ spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode = OverlayFiles(root: "")
            .open
    ) throws(ScenarioErrors) -> [ScenarioDocument] {
        let problems = ProblemList()
        let documents = try read(file, id: id, settings: settings, strict: strict, open: open, problems)
        try problems.throwIfAny()
        return documents
    }

    /// The same, as far as they can be read: what is wrong goes to `problems`, so that a reader of the rest can add to it.
    /// Throws only when the files it builds on are not to be had.
    package static func read(
        _ file: YAMLNode, id: String, settings: [(name: String, value: String)], strict: Bool,
        open: @escaping (_ name: String, _ spot: SourceSpot) throws(ScenarioErrors) -> YAMLNode,
        _ problems: ProblemList
    ) throws(ScenarioErrors) -> [ScenarioDocument] {
        let root = try whole(file, open: open)
        let files = root.files
        let sets = ParameterSets(root, settings: settings, strict: strict, problems)
        var documents: [ScenarioDocument] = []
        for row in sets.rows {
            let filled = sets.fill(row.values, problems)
            let name = row.name.map { "\(id)[\($0)]" } ?? id
            if var document = read(filled, id: name, parameters: row.values, problems) {
                document.files = files
                documents.append(document)
            }
            // Another row would mostly repeat the same complaints.
            if !problems.isEmpty { break }
        }
        return documents
    }

    private static func read(
        _ root: YAMLNode, id: String, parameters: [ParameterValue], _ problems: ProblemList
    ) -> ScenarioDocument? {
        guard root.mapping != nil else {
            problems.add(root.spot, "a scenario is a mapping of keys, found \(root.kindName)")
            return nil
        }
        let reader = MappingReader(root, shape, problems)
        let world = reader.node("world").map { WorldDocument.read($0, problems) }
        let names = world?.nodes.map(\.name) ?? []
        let document = world.map { world in
            ScenarioDocument(
                id: id, file: root.spot.file, title: reader.text("title") ?? "",
                requirement: reader.text("requirement") ?? "", refs: reader.names("refs").map(\.name),
                tags: reader.names("tags").map(\.name), tier: reader.choice("tier", Tier.self) ?? .fast,
                level: reader.choice("level", Level.self) ?? .must, requires: reader.names("requires"),
                parameters: parameters, seed: reader.integer("seed").map { UInt64($0) }, world: world,
                link: reader.nested("link").flatMap { LinkPacingDocument.read($0) },
                client: reader.nested("client").flatMap { ClientDocument.read($0, among: names) },
                defects: reader.nestedList("defect").compactMap { DefectDocument.read($0) },
                steps: reader.node("steps").map { StepNode.list($0, problems) } ?? [],
                faults: reader.node("faults").map { FaultNode.list($0, problems) } ?? [],
                settle: reader.nested("settle").flatMap { SettleDocument.read($0) },
                expect: reader.elements("expect"), always: reader.elements("always"), never: reader.elements("never"),
                sometimes: reader.elements("sometimes"),
                budget: reader.nested("budget").map { BudgetDocument.read($0) } ?? BudgetDocument(), spot: root.spot)
        }
        if let document { document.checkNames(problems) }
        return document
    }

    /// Results and faults that bear the same name could not be told apart.
    private func checkNames(_ problems: ProblemList) {
        for (what, names) in [("result", allSteps.compactMap(\.name)), ("fault", faults.compactMap(\.name))] {
            var seen: [String: SourceSpot] = [:]
            for name in names {
                // The rounds of a repeat give one name again and again; it then means the newest.
                if let other = seen[name.name], other != name.spot {
                    problems.add(name.spot, "\(what) name \"\(name.name)\" is used twice")
                }
                seen[name.name] = name.spot
            }
        }
        let started = allSteps.filter { $0.verb == "start-fault" }.compactMap { $0.argument?.text }
        for fault in faults where fault.startsByStep && !(fault.name.map { started.contains($0.name) } ?? false) {
            problems.add(
                fault.spot, "this fault waits for a step that never comes",
                hint: "give it a name and add: - start-fault: NAME")
        }
        if steps.isEmpty, problems.isEmpty { problems.add(spot, "a scenario without steps tests nothing") }
    }
}
