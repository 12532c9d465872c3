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
            shape(ScenarioDocument.shape, &json)
        }
        return json.text
    }

    /// The members of a schema object that stand for a mapping.
    private static func shape(_ shape: ShapeDescriptor, _ json: inout JSONText) {
        json.key("type")
        json.string("object")
        json.key("additionalProperties")
        json.bool(false)
        let required = shape.fields.filter(\.isRequired)
        if !required.isEmpty {
            json.key("required")
            json.array { for field in required { $0.string(field.name) } }
        }
        json.key("properties")
        json.object { json in
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
                for field in FaultNode.modifiers.fields {
                    json.key(field.name)
                    json.object { json in
                        json.key("description")
                        json.string(field.doc)
                        type(field.type, &json)
                    }
                }
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
            json.key("enum")
            json.array { for word in words { $0.string(word) } }
        case .duration, .signedDuration:
            typeName("string", &json)
            json.key("pattern")
            json.string("\\$\\{|^[-+]?([0-9]+(\\.[0-9]+)?(us|ms|s|min|h|d))+$")
        // Names, hex and shares may look like numbers to a reader of YAML.
        case .text, .bytes, .ratio, .pattern:
            json.key("type")
            json.array { for name in ["string", "number", "boolean"] { $0.string(name) } }
        case .position: shape(PositionDocument.shape, &json)
        case .window: either({ Self.type(.duration, &$0) }, { shape(WindowDocument.shape, &$0) }, &json)
        case .shape(let inner):
            guard let short = inner.shorthand, let field = inner[short] else { return shape(inner, &json) }
            either({ Self.type(field.type, &$0) }, { shape(inner, &$0) }, &json)
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
            json.object { Self.type(element, &$0) }
        case .anything: break
        }
    }

    /// The type itself, or text with a parameter in it.
    private static func valueOrParameter(_ name: String, _ json: inout JSONText) {
        json.key("type")
        json.array { for name in [name, "string"] { $0.string(name) } }
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
