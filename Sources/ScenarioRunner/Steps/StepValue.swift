internal import CompanionProtocol
package import ScenarioModel

/// What a verb gave: a line for people, and named values that `result:` and later steps can look at.
package struct StepValue: Sendable, Hashable {
    package var text: String
    /// In the order in which they were told.
    package var fields: [NamedValue]

    package init(_ text: String = "", _ fields: [NamedValue] = []) {
        self.text = text
        self.fields = fields
    }

    /// A frame from the radio, with the names its layout gives the fields; secrets are left out.
    init(_ payload: some RadioPayload) { self.init(frame: payload.encoded) }

    init(frame: [UInt8]) {
        let fields = FrameDescription.values(frame, .fromRadio)
        self.init("", fields.map { NamedValue($0.name, $0.value) })
    }

    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The line, or the values when there is none.
    var summary: String {
        text.isEmpty ? fields.map { $0.name + "=" + $0.value }.joined(separator: " ") : text
    }
}

extension StepValue: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}
