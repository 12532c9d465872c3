internal import RunRecord
internal import ScenarioModel
internal import ScenarioRunner

/// Prints a JSON Schema of scenario files, made from the descriptions that read them.
enum SchemaCommand {
    static let command = Command(
        "schema", "Prints the JSON Schema of scenario files, for editors.", example: "meshrig schema > scenario.json"
    ) { arguments, output in
        _ = try arguments.words(upTo: 0)
        output.write(text + "\n")
        return 0
    }

    static var text: String {
        var json = JSONText()
        json.object { json in
            json.key("$schema")
            json.string("https://json-schema.org/draft/2020-12/schema")
            json.key("title")
            json.string("MeshRig scenario")
            json.key("anyOf")
            json.array { json in
                // What is missing may stand in the scenario it builds on.
                json.object { required(["extends"], &$0) }
                json.object { required(ScenarioDocument.shape.fields.filter(\.isRequired).map(\.name), &$0) }
            }
            shape(ScenarioDocument.shape, requires: false, &json)
            json.key("$defs")
            json.object { json in
                json.key("step")
                json.object(step)
                json.key("expectation")
                json.object(expectation)
            }
        }
        return json.text
    }

    private static func required(_ names: [String], _ json: inout JSONText) {
        json.key("required")
        json.array { for name in names { $0.string(name) } }
    }

    private static func reference(_ name: String, _ json: inout JSONText) {
        json.key("$ref")
        json.string("#/$defs/" + name)
    }

    /// A bare verb, a mapping with a verb and modifiers, or a repeat.
    private static func step(_ json: inout JSONText) {
        json.key("anyOf")
        json.array { json in
            json.object { json in
                json.key("enum")
                json.array { for verb in StepCatalog.keywords { $0.string(verb) } }
            }
            json.object { json in
                json.key("type")
                json.string("object")
                json.key("additionalProperties")
                json.bool(false)
                json.key("properties")
                json.object { json in
                    properties(StepNode.modifiers, &json)
                    for kind in StepCatalog.all {
                        json.key(kind.keyword)
                        json.object { typeOrNothing(kind.type, kind.summary, &$0) }
                    }
                    json.key(StepNode.parallelVerb)
                    json.object { json in
                        typeName("array", &json)
                        json.key("items")
                        json.object {
                            either({ Self.type(.list(.anything("a step")), &$0) }, { reference("step", &$0) }, &$0)
                        }
                    }
                }
            }
            json.object { shape(StepNode.repeatShape, &$0) }
        }
    }

    /// Keywords with their arguments, and modifiers beside them.
    private static func expectation(_ json: inout JSONText) {
        typeName("object", &json)
        json.key("additionalProperties")
        json.bool(false)
        json.key("properties")
        json.object { json in
            properties(ExpectationCatalog.modifiers, &json)
            for kind in ExpectationCatalog.all {
                json.key(kind.keyword)
                json.object { typeOrNothing(kind.type, kind.summary, &$0) }
            }
        }
    }

    private static func typeOrNothing(_ type: ValueType?, _ summary: String, _ json: inout JSONText) {
        json.key("description")
        json.string(summary)
        json.key("anyOf")
        json.array { json in
            if let type { json.object { Self.type(type, &$0) } }
            json.object { typeName("null", &$0) }
        }
    }

    /// The members of a schema object that stand for a mapping.
    private static func shape(_ shape: ShapeDescriptor, requires: Bool = true, _ json: inout JSONText) {
        json.key("type")
        json.string("object")
        json.key("additionalProperties")
        json.bool(false)
        let needed = shape.fields.filter(\.isRequired).map(\.name)
        if requires, !needed.isEmpty { required(needed, &json) }
        json.key("properties")
        json.object { properties(shape, &$0) }
    }

    private static func properties(_ shape: ShapeDescriptor, _ json: inout JSONText) {
        for field in shape.fields {
            json.key(field.name)
            json.object { json in
                json.key("description")
                json.string(field.doc)
                if shape.doc == ScenarioDocument.shape.doc, field.name == "faults" { return faults(&json) }
                type(field.type, &json)
            }
        }
    }

    /// A list of faults: each has the keys of every fault and one of the actions, whose seam may give it another type.
    private static func faults(_ json: inout JSONText) {
        var keywords: [String] = []
        for kind in FaultCatalog.all where !keywords.contains(kind.keyword) { keywords.append(kind.keyword) }
        typeName("array", &json)
        json.key("items")
        json.object { json in
            typeName("object", &json)
            json.key("additionalProperties")
            json.bool(false)
            json.key("properties")
            json.object { json in
                properties(FaultNode.modifiers, &json)
                for keyword in keywords {
                    json.key(keyword)
                    json.object { action(FaultCatalog.all.filter { $0.keyword == keyword }, &$0) }
                }
            }
        }
    }

    /// What the actions of one name take, at whichever seam; one that takes a mapping may stand alone.
    private static func action(_ kinds: [FaultKind], _ json: inout JSONText) {
        json.key("description")
        json.string(kinds.map { "\($0.seam.rawValue): \($0.summary)" }.joined(separator: "; "))
        json.key("anyOf")
        json.array { json in
            for kind in kinds { json.object { type(kind.type, &$0) } }
            json.object { typeName("null", &$0) }
        }
    }

    private static func type(_ type: ValueType, _ json: inout JSONText) {
        switch type {
        case .bool: valueOrParameter("boolean", &json)
        case .integer(let range):
            valueOrParameter("integer", &json)
            json.key("minimum")
            json.integer(range.lowerBound)
            if range.upperBound < 1 << 53 {
                json.key("maximum")
                json.integer(range.upperBound)
            }
        case .decibel, .decimal: valueOrParameter("number", &json)
        case .choice(let words):
            either(
                { json in
                    json.key("enum")
                    json.array { for word in words { $0.string(word) } }
                }, parameter, &json)
        case .duration, .signedDuration:
            typeName("string", &json)
            json.key("pattern")
            json.string("\\$\\{|^[-+]?([0-9]+(\\.[0-9]+)?(us|ms|s|min|h|d))+$")
        // Names, hex and shares may look like numbers to a reader of YAML.
        case .text, .bytes, .ratio, .pattern:
            json.key("type")
            json.array { for name in ["string", "number", "boolean"] { $0.string(name) } }
        case .position: position(&json)
        case .window: either({ Self.type(.duration, &$0) }, { shape(WindowDocument.shape, &$0) }, &json)
        case .shape(let inner):
            guard let short = inner.shorthand, let field = inner[short] else { return shape(inner, &json) }
            either({ Self.type(field.type, &$0) }, { shape(inner, &$0) }, &json)
        // Steps are a list even when there is one.
        case .list(.anything("a step")):
            typeName("array", &json)
            json.key("items")
            json.object { reference("step", &$0) }
        case .list(let element):
            either(
                { Self.type(element, &$0) },
                { json in
                    typeName("array", &json)
                    json.key("items")
                    json.object { Self.type(element, &$0) }
                }, &json)
        case .table(let element):
            typeName("object", &json)
            json.key("additionalProperties")
            json.object { either({ Self.type(element, &$0) }, { typeName("null", &$0) }, &$0) }
        case .anything("a step"): reference("step", &json)
        case .anything("an expectation"): reference("expectation", &json)
        case .anything: break
        }
    }

    /// Two numbers, or a mapping of them.
    private static func position(_ json: inout JSONText) {
        either(
            { json in
                typeName("array", &json)
                json.key("items")
                json.object { valueOrParameter("number", &$0) }
                json.key("minItems")
                json.integer(2)
                json.key("maxItems")
                json.integer(2)
            }, { shape(PositionDocument.shape, &$0) }, &json)
    }

    /// The type itself, or text with a parameter in it.
    private static func valueOrParameter(_ name: String, _ json: inout JSONText) {
        json.key("type")
        json.array { for name in [name, "string"] { $0.string(name) } }
        json.key("pattern")
        json.string(name == "integer" ? "\\$\\{|^[-+]?0x[0-9a-fA-F]+$" : "\\$\\{")
    }

    /// Text with a parameter in it.
    private static func parameter(_ json: inout JSONText) {
        typeName("string", &json)
        json.key("pattern")
        json.string("\\$\\{")
    }

    private static func typeName(_ name: String, _ json: inout JSONText) {
        json.key("type")
        json.string(name)
    }

    private static func either(
        _ one: (inout JSONText) -> Void, _ other: (inout JSONText) -> Void, _ json: inout JSONText
    ) {
        json.key("anyOf")
        json.array { json in
            json.object(one)
            json.object(other)
        }
    }
}
