internal import CompanionProtocol
internal import MeshProtocol
internal import RadioSimulator
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel

/// The reference of the scenario language, written from the same descriptions that read the files.
package enum Reference {
    /// All of it, as Markdown.
    package static var markdown: String {
        var text = """
            # Scenario reference

            Written from the program's own catalogues; the guide with examples is in `docs/scenarios.md`.

            ## Keys of a scenario file

            """
        text += table(ScenarioDocument.shape) + examples(options, ExampleFiles.option)
        text += part("`world`", WorldDocument.shape) + examples(["world-from"], ExampleFiles.option)
        text +=
            part("`world.geometry`", GeometryDocument.shape, ExampleFiles.model("geometry"))
            + part("`world.carrier-sense`", CarrierSenseDocument.shape, ExampleFiles.model("carrier-sense"))
            + part("`antenna` of a node", AntennaDocument.shape)
        text += "\n### A node of `world.nodes`\n\n" + table(NodeDocument.shape)
        text += part("`settings` of a node", NodeSettingsReader.shape) + quirks + firmware
        text += part("`readings` of a node", ReadingsDocument.shape)
        text += "\n### `script` of a node\n\n" + table(BehaviourDocument.shape)
        for (name, shape) in BehaviourDocument.parts {
            text += part("`\(name)` of a script", shape, ExampleFiles.script(name))
        }
        text += "\n### A contact\n\n" + table(ContactDocument.shape)
        text += "\n### A channel\n\n" + table(ChannelDocument.shape)
        text += "\n### A waiting message\n\n" + table(QueuedMessageDocument.shape)
        text += "\n### A link of `world.links`\n\n" + table(LinkDocument.shape)
        text += "\n### Bursts of a link\n\n" + table(BurstsDocument.shape)
        text +=
            part("`fading` of a link", FadingDocument.shape, ExampleFiles.model("fading"))
            + part("`schedule` of a link", LinkEntryDocument.shape, ExampleFiles.model("schedule"))
        text += part("A group of `world.generate`", GeneratorDocument.shape)
        text += examples(GeneratorDocument.Form.allCases.map(\.rawValue)) { ExampleFiles.option("generate-" + $0) }
        text +=
            part("`link`", LinkPacingDocument.shape, ExampleFiles.option("link"))
            + part("`client`", ClientDocument.shape)
            + part("`client.settings`", ClientSettingsDocument.shape, ExampleFiles.option("client-settings"))
        text +=
            part("`client.stored`", StoredStateDocument.shape, ExampleFiles.option("client-stored"))
            + part("A message of `client.stored`", StoredStateDocument.messageShape)
            + part("`defect`", DefectDocument.shape)
        text +=
            part("`settle`", SettleDocument.shape, ExampleFiles.option("settle"))
            + part("`budget`", BudgetDocument.shape, ExampleFiles.option("budget"))
        text += names
        text +=
            "\n## Steps\n\nA step is a bare verb (`- connect`) or a mapping with the verb and any of these beside it:\n\n"
        text +=
            table(StepNode.modifiers) + examples(StepNode.modifiers.keys.filter { $0 != "expect" }, ExampleFiles.option)
        text += part("`repeat`", StepNode.repeatShape, ExampleFiles.step("repeat"))
        text +=
            "\n### `parallel`\n\nBranches that go on side by side; done when all of them are. Takes a list of lists of steps.\n"
            + "\n```yaml\n- parallel: [[{ wait: 1s }, connect], [{ advertise: bob }]]\n```\n"
            + ExampleFiles.link(to: ExampleFiles.step(StepNode.parallelVerb))
        for kind in StepCatalog.all {
            let indented = kind.example.split(separator: "\n").joined(separator: "\n  ")
            text += section(kind.keyword, kind.summary, kind.type, example: "- " + indented)
            text += ExampleFiles.link(to: ExampleFiles.step(kind.keyword))
            if kind.keyword == GetStep.kind.keyword { text += questions }
            if kind.keyword == RequestStep.kind.keyword { text += requests }
        }
        text += "\n## Expectations\n\nEach is a keyword with its argument, and any of these beside it:\n\n"
        text += table(ExpectationCatalog.modifiers)
        text += examples(
            ExpectationCatalog.modifiers.keys + ["always", "never", "sometimes"], ExampleFiles.expectation)
        text += part("A condition", FieldCondition.comparingShape)
        text += examples(FieldCondition.comparingShape.keys, ExampleFiles.expectation)
        text +=
            "\n`same-as` and `differs-from` are for what is so at the moment: `result`, `contact`, `channel`, `messages`, `store`.\n"
        for kind in ExpectationCatalog.all {
            text += section(kind.keyword, kind.summary, kind.type, example: nil)
            text += ExampleFiles.link(to: ExampleFiles.expectation(kind.keyword))
            if kind.keyword == EventExpectation.kindOfExpectation.keyword { text += events }
        }
        text += "\n## Faults\n\nA fault is an action with its argument, and any of these beside it:\n\n"
        text += table(FaultNode.modifiers)
        text += part("`when` of a fault of bytes or frames", FaultReader.matchShape)
        for kind in FaultCatalog.all {
            let title = kind.keyword + "` on `" + kind.seam.rawValue
            text += section(title, kind.summary, kind.type, example: kind.example)
            text += ExampleFiles.link(to: ExampleFiles.fault(kind))
        }
        text += "\n## Testbed files\n\nFor `meshrig run --testbed FILE`; the guide is `docs/testbeds.md`.\n\n"
        text += table(TestbedDocument.shape) + part("A radio of `radios`", BenchRadioDocument.shape)
        text +=
            "\n## Defects\n\nWhat can be built into the client with `--defect`:\n\n| defect | the client then |\n|---|---|\n"
        for defect in Defect.allCases { text += "| `\(defect.rawValue)` | \(escape(defect.summary)) |\n" }
        return text
    }

    /// Keys of a file that have an example of their own and no section.
    private static let options = ["extends", "remove", "append", "requires", "parameters", "matrix", "seed"]

    /// The switches of firmware behaviour.
    private static var quirks: String {
        var text =
            "\n### `quirks` of a node\n\nThose with a section are what the real firmware does: on in every release, off in the profile"
            + " `ideal`. The others are faults to test a client with, and off.\n\n| quirk | where the firmware's behaviour is from |\n|---|---|\n"
        for entry in Quirks.switches { text += "| `\(entry.name)` | \(entry.section ?? "a fault") |\n" }
        return text
    }

    /// What releases and boards differ in.
    private static var firmware: String {
        var text =
            "\n### Firmware profiles\n\n`ideal` is 1.17.1 without the quirks above.\n\n| `profile` | protocol version | commands it lacks |\n|---|---|---|\n"
        for profile in FirmwareProfile.catalogue {
            let missing = profile.missingCommands
                .map { FrameNames.name(of: CommandCode(rawValue: $0)) }.joined(separator: ", ")
            text += "| `\(profile.name)` | \(profile.protocolCode) | \(missing) |\n"
        }
        text +=
            "\n### Boards\n\n| `board` | model | contacts | channels | waiting messages |\n|---|---|---|---|---|\n"
        for board in BoardProfile.catalogue {
            text +=
                "| `\(board.name)` | \(board.model) | \(board.maximumContacts) | \(board.maximumChannels) | \(board.offlineQueue) |\n"
        }
        return text
    }

    private static func part(_ title: String, _ shape: ShapeDescriptor, _ example: String? = nil) -> String {
        var text = "\n### \(title)\n\n" + table(shape)
        if let shorthand = shape.shorthand { text += "\nA single value stands for `\(shorthand)`.\n" }
        return text + (example.map(ExampleFiles.link) ?? "")
    }

    /// The words that stand for something built in.
    private static var names: String {
        let lists = [
            ("`world.radio`", RadioParameters.presets.map(\.name)),
            ("`profile` of a node", FirmwareProfile.catalogue.map(\.name)),
            ("`board` of a node", BoardProfile.catalogue.map(\.name)),
            ("`requires`", Capabilities.known),
            ("`event`", EventKind.known.map(\.rawValue)),
        ]
        var text = "\n### Names that are known\n\n| for | names |\n|---|---|\n"
        for (place, names) in lists {
            text += "| \(place) | \(names.map { "`\($0)`" }.joined(separator: ", ")) |\n"
        }
        return text
    }

    /// What the steps `get` can ask, with the values that come back.
    private static var questions: String {
        var text = "\n| `what` | asks for | values |\n|---|---|---|\n"
        for query in RadioQuery.all {
            text +=
                "| `\(query.name)` | \(escape(query.summary)) | \(query.values.joined(separator: ", ")) |\n"
        }
        return text
    }

    /// What the step `request` can ask, with the values that come back.
    private static var requests: String {
        var text = "\n| `what` | values |\n|---|---|\n"
        for (what, values) in RequestStep.values { text += "| `\(what)` | \(escape(values)) |\n" }
        return text
    }

    /// The fields of events, for `where`.
    private static var events: String {
        var text =
            "\n`who` is the node or role it happened to. An `snr` is in dB here, in quarters of one in the record.\n\n| kind | fields |\n|---|---|\n"
        for kind in EventKind.known {
            let fields = kind.fieldNames?.map { "`\($0)`" }.joined(separator: ", ")
            text += "| `\(kind.rawValue)` | \(fields ?? "depend on what acted") |\n"
        }
        return text
    }

    private static func examples(_ keys: [String], _ name: (String) -> String) -> String {
        let links = keys.map { "[\($0)](../Scenarios/examples/\(name($0)).yaml)" }
        return "\nExample\(keys.count == 1 ? "" : "s"): \(links.joined(separator: ", ")).\n"
    }

    private static func section(_ keyword: String, _ summary: String, _ type: ValueType?, example: String?) -> String {
        var text = "\n### `\(keyword)`\n\n\(summary)\n"
        if case .shape(let shape)? = type {
            text += "\n" + table(shape)
            if let shorthand = shape.shorthand { text += "\nA single value stands for `\(shorthand)`.\n" }
            for field in shape.fields {
                guard case .shape(let inner) = field.type else { continue }
                text += "\nKeys of `\(field.name)`:\n\n" + table(inner)
                if let shorthand = inner.shorthand { text += "\nA single value stands for `\(shorthand)`.\n" }
            }
        } else if let type {
            text += "\nTakes \(type.name).\n"
        }
        if let example { text += "\n```yaml\n\(example)\n```\n" }
        return text
    }

    private static func table(_ shape: ShapeDescriptor) -> String {
        var text = "| key | takes | meaning |\n|---|---|---|\n"
        for field in shape.fields {
            var notes = field.doc
            if field.isRequired { notes += " (required)" }
            if let value = field.defaultText { notes += " (`\(value)` when missing)" }
            text += "| `\(field.name)` | \(escape(field.type.name)) | \(escape(notes)) |\n"
        }
        return text
    }

    private static func escape(_ text: String) -> String {
        text.replacing("|", with: "\\|")
    }
}
