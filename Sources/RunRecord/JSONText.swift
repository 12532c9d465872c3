internal import RigBase

/// Writes JSON text; the order of keys is the order of calls.
public struct JSONText: Sendable {
    public private(set) var text = ""
    private var needsComma = false

    public init() {}

    public mutating func object(_ body: (inout JSONText) -> Void) { nest("{", "}", body) }
    public mutating func array(_ body: (inout JSONText) -> Void) { nest("[", "]", body) }

    public mutating func key(_ name: String) {
        separate()
        Self.quote(name, into: &text)
        text += ":"
        needsComma = false
    }

    public mutating func string(_ value: String) {
        separate()
        Self.quote(value, into: &text)
    }

    public mutating func integer(_ value: some BinaryInteger) {
        separate()
        text += String(value)
    }

    /// A decimal number, given in thousandths.
    public mutating func decimal(thousandths: Int64) {
        separate()
        let digits = String(thousandths.magnitude % 1_000)
        text += (thousandths < 0 ? "-" : "") + String(thousandths.magnitude / 1_000)
        if thousandths % 1_000 != 0 { text += "." + String(repeating: "0", count: 3 - digits.count) + digits }
    }

    public mutating func bool(_ value: Bool) {
        separate()
        text += value ? "true" : "false"
    }

    public mutating func null() {
        separate()
        text += "null"
    }

    public mutating func value(_ value: FieldValue) {
        switch value {
        case .int(let number): integer(number)
        case .text(let text): string(text)
        case .flag(let flag): bool(flag)
        case .bytes(let bytes): string(Hex.encode(bytes))
        case .list(let values): array { for value in values { $0.value(value) } }
        }
    }

    public mutating func fields(_ fields: Fields) {
        for entry in fields.entries {
            key(entry.name)
            value(entry.value)
        }
    }

    /// `text` as a JSON string with its quotes.
    public static func quoted(_ text: String) -> String {
        var out = ""
        quote(text, into: &out)
        return out
    }

    private mutating func nest(_ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        separate()
        text += open
        needsComma = false
        body(&self)
        text += close
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { text += "," }
        needsComma = true
    }

    private static func quote(_ value: String, into out: inout String) {
        out += "\""
        defer { out += "\"" }
        // Most text needs no escape and is taken as it is.
        guard !value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) else {
            out += value
            return
        }
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\r": out += "\\r"
            case "\t": out += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}

extension RunEvent {
    /// The event as one line of JSON: `id`, `t` (nanoseconds), `who`, `kind`, `cause`, `packet`, then its fields under
    /// `data` and, when asked for, its host facts under `host`.
    public func jsonLine(withHostFacts: Bool = true) -> String {
        var json = JSONText()
        json.event(self, withHostFacts: withHostFacts)
        return json.text
    }
}

extension JSONText {
    /// An event as an object, as `RunEvent.jsonLine` describes it.
    public mutating func event(_ event: RunEvent, withHostFacts: Bool) {
        object { json in
            json.key("id")
            json.integer(event.id.number)
            json.key("t")
            json.integer(event.at.nanoseconds)
            json.key("who")
            json.string(event.subject)
            json.key("kind")
            json.string(event.kind.rawValue)
            if let cause = event.cause {
                json.key("cause")
                json.integer(cause.number)
            }
            if let packet = event.packet {
                json.key("packet")
                json.integer(packet)
            }
            if !event.fields.entries.isEmpty {
                json.key("data")
                json.object { $0.fields(event.fields) }
            }
            if withHostFacts, !event.hostFacts.entries.isEmpty {
                json.key("host")
                json.object { $0.fields(event.hostFacts) }
            }
        }
    }
}
