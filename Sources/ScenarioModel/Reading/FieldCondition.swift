internal import RigBase

/// A value with its name, as bare text: numbers in decimal, bytes in hex, no units.
package struct NamedValue: Sendable, Hashable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What a named value must be: `battery: { at-least: 3000 }`, or `name: /bob/` for `name: { is: /bob/ }`.
package struct FieldCondition: Sendable, Hashable {
    package var name: String
    package var spot: SourceSpot
    private var text: NamePattern?
    private var otherText: NamePattern?
    /// In millionths.
    private var atLeast: Int?
    private var atMost: Int?
    /// Steps (named with `as`) whose value of the same name it must equal, or differ from.
    package private(set) var sameAs: String?
    package private(set) var differsFrom: String?

    private static let places = 6
    private static let number = ValueType.decimal(
        places: places, -9_000_000_000_000_000_000...9_000_000_000_000_000_000)

    private static let fields = [
        FieldDescriptor("is", .pattern, "this text, or /expression/"),
        FieldDescriptor("not", .pattern, "not this text, or no match of /expression/"),
        FieldDescriptor("at-least", number, "a number, this or more"),
        FieldDescriptor("at-most", number, "a number, this or less"),
    ]

    /// Conditions on facts as they come.
    package static let shape = ShapeDescriptor("a condition", shorthand: "is", fields)

    /// Conditions that may compare with what an earlier step gave.
    package static let comparingShape = ShapeDescriptor(
        "a condition", shorthand: "is",
        fields + [
            FieldDescriptor("same-as", .text, "what the step of this name gave under the same key"),
            FieldDescriptor("differs-from", .text, "not what the step of this name gave under the same key"),
        ])

    /// The conditions of a table of them.
    package static func table(_ entries: [YAMLEntry], _ shape: ShapeDescriptor, _ problems: ProblemList) -> [Self] {
        entries.map { entry in
            let reader = MappingReader(entry.value, shape, at: entry.keySpot, problems)
            var condition = Self(name: entry.key, spot: entry.keySpot)
            condition.text = reader.pattern("is")
            condition.otherText = reader.pattern("not")
            condition.atLeast = reader.decimal("at-least")
            condition.atMost = reader.decimal("at-most")
            if shape["same-as"] != nil {
                condition.sameAs = reader.text("same-as")
                condition.differsFrom = reader.text("differs-from")
            }
            if reader.keys.isEmpty, problems.isEmpty {
                problems.add(entry.keySpot, "\(entry.key) has no condition", hint: "as in \(entry.key): /text/")
            }
            return condition
        }
    }

    private init(name: String, spot: SourceSpot) {
        self.name = name
        self.spot = spot
    }

    /// Whether a value meets all of it; `other` looks up what a named step gave under the same key.
    package func holds(_ value: String, other: (String) -> String? = { _ in nil }) -> Bool {
        if let text, !text.matches(value) { return false }
        if let otherText, otherText.matches(value) { return false }
        if let sameAs, other(sameAs) != value { return false }
        if let differsFrom {
            // What was never told differs from nothing.
            guard let theirs = other(differsFrom), theirs != value else { return false }
        }
        guard atLeast != nil || atMost != nil else { return true }
        // A unit behind a number is not compared.
        guard let number = ScalarText.fixedPoint(value.prefix { $0 != " " }, places: Self.places) else { return false }
        return number >= atLeast ?? .min && number <= atMost ?? .max
    }

    /// Whether values meet all conditions; a name that is not among them meets none.
    package static func hold(
        _ conditions: [Self], _ values: [NamedValue], other: (String, String) -> String? = { _, _ in nil }
    ) -> Bool {
        conditions.allSatisfy { condition in
            values.contains { value in
                value.name == condition.name && condition.holds(value.value) { other($0, condition.name) }
            }
        }
    }

    /// The one word it takes, when it takes exactly one.
    package var word: String? { text.flatMap { $0.exactText } }

    /// In words, for reports.
    package var expected: String {
        func number(_ text: String, _ value: Int?) -> String? {
            value.map { text + " " + ScalarText.decimalText($0, places: Self.places) }
        }
        let parts = [
            text.map { "\($0)" }, otherText.map { "not \($0)" }, number("at least", atLeast),
            number("at most", atMost), sameAs.map { "as in \($0)" }, differsFrom.map { "other than in \($0)" },
        ]
        if YAMLNode.secretKeys.contains(name) { return name + " <secret>" }
        return name + " " + parts.compactMap { $0 }.joined(separator: ", ")
    }
}
