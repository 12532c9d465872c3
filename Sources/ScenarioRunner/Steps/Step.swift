package import ScenarioModel

/// One thing a scenario does.
package protocol Step: Sendable {
    /// Does it, and returns what it gave (often nothing). Throws what went wrong; the runner turns that into the
    /// step's error. Documented for each verb: when it is done.
    func run(_ scene: StepScene) async throws -> StepValue

    /// The step in short, when what the file says holds what no report may tell; nil for the file's own words.
    var safeSummary: String? { get }
}

extension Step {
    package var safeSummary: String? { nil }
}

/// What a verb does to radios, for those who must allow it.
package enum StepEffect: Sendable, Hashable {
    case none
    case transmits
    /// Changes settings or contacts, or stops the radio.
    case changesRadio
}

/// How one verb is read.
package struct StepKind: Sendable {
    package var keyword: String
    /// One line for the reference: what it does and when it is done.
    package var summary: String
    /// What its argument is; nil when it takes none.
    package var type: ValueType?
    /// An example for the reference.
    package var example: String
    /// What it does to a radio that is not simulated.
    package var effect = StepEffect.none
    package var decode: @Sendable (StepInput) -> (any Step)?
}

/// The argument of a verb.
package struct StepInput {
    /// Nil for a bare word.
    package var argument: YAMLNode?
    package var type: ValueType?
    package var spot: SourceSpot
    package var problems: ProblemList
    /// Takes note of the names it uses for other parts of the file.
    package var references: References

    /// Reads the argument as the mapping its type describes.
    var mapping: MappingReader {
        guard case .shape(let shape)? = type else { preconditionFailure("the verb takes no mapping") }
        return MappingReader(argument, shape, at: spot, problems)
    }

    /// Reads the argument as a single value.
    func value<Value>(_ read: (ValueReader, YAMLNode) -> Value?) -> Value? {
        guard let type else { preconditionFailure("the verb takes no value") }
        guard let argument, !argument.isEmpty else {
            problems.add(spot, "the verb needs a value: \(type.name)")
            return nil
        }
        return read(ValueReader(type, "the value", problems), argument)
    }

    /// The argument as the name of something else in the file.
    func name(_ kind: References.Kind) -> String? {
        guard let name = value({ $0.text($1) }) else { return nil }
        references.add(kind, NameAtSpot(name, argument?.spot ?? spot))
        return name
    }
}
