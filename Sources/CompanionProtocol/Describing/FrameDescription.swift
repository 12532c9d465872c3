internal import RigBase

/// Frames as people read them: field by field from the layout tables, secrets never.
public enum FrameDescription {
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The table of a frame's fields, empty for an unknown code.
    public static func layout(of frame: [UInt8], _ direction: LinkDirection) -> FrameLayout? {
        guard let first = frame.first else { return nil }
        switch direction {
        case .toRadio: return CommandCatalog.command(CommandCode(rawValue: first))?.layout
        case .fromRadio:
            let code = RadioCode(rawValue: first)
            return RadioCatalog.payload(code)?.layout(of: code)
        }
    }

    /// The fields of a frame in order. Reserved bytes are left out, bytes behind the last field come as `extra`.
    ///
    /// With `inWords` codes are followed by what they mean.
    public static func describe(
        _ frame: [UInt8], _ direction: LinkDirection, inWords: Bool = false
    ) -> [Field] {
        guard let layout = layout(of: frame, direction) else {
            return frame.isEmpty ? [] : [Field(name: "bytes", value: Hex.encode(frame.dropFirst()))]
        }
        let placed = layout.place(on: frame)
        var fields: [Field] = []
        for entry in placed where entry.field.form != .reserved {
            var value = entry.field.isSecret ? "<secret>" : text(frame[entry.range], entry.field)
            if inWords, !entry.range.isEmpty,
                let word = entry.field.meanings.word(for: FrameLayout.unsigned(frame[entry.range]))
            {
                value += " (\(word))"
            }
            fields.append(Field(name: entry.field.name, value: value))
        }
        let end = placed.last?.range.upperBound ?? min(1, frame.count)
        if end < frame.count {
            let hidden = placed.contains { $0.field.isSecret }
            fields.append(Field(name: "extra", value: hidden ? "<secret>" : Hex.encode(frame[end...])))
        }
        return fields
    }

    /// The fields of a frame as bare values, for comparison: text without quotes, numbers without units.
    public static func values(_ frame: [UInt8], _ direction: LinkDirection) -> [Field] {
        guard let layout = layout(of: frame, direction) else { return [] }
        return layout.place(on: frame).filter { $0.field.form != .reserved }.map { entry in
            Field(
                name: entry.field.name,
                value: entry.field.isSecret ? "<secret>" : text(frame[entry.range], entry.field, isBare: true))
        }
    }

    /// Name and fields on one line.
    public static func line(_ frame: [UInt8], _ direction: LinkDirection) -> String {
        var line = FrameNames.name(of: frame, direction)
        for field in describe(frame, direction) { line += " " + field.name + "=" + field.value }
        return line
    }

    private static func text(_ bytes: ArraySlice<UInt8>, _ field: FieldLayout, isBare: Bool = false) -> String {
        let unit = field.unit.isEmpty || isBare ? "" : " " + field.unit
        func quoted(_ text: String) -> String { isBare ? text : Self.quoted(text) }
        switch field.form {
        case .unsigned: return bytes.isEmpty ? "missing" : "\(FrameLayout.unsigned(bytes))" + unit
        case .signed: return bytes.isEmpty ? "missing" : "\(signed(bytes))" + unit
        case .quarters: return bytes.isEmpty ? "missing" : quarters(signed(bytes)) + unit
        case .bytes, .reserved: return Hex.encode(bytes)
        case .text: return quoted(WireText(bytes: bytes).string)
        case .name: return quoted(WireText.untilNUL(bytes).string)
        case .pathLength: return bytes.first.map { PathLengthByte(rawValue: $0).description } ?? "missing"
        case .numbers:
            let starts = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4)
            return starts.map { "\(FrameLayout.unsigned(bytes[$0..<min($0 + 4, bytes.endIndex)]))" }
                .joined(separator: ",") + unit
        case .quarterList: return bytes.map { quarters(Int64(Int8(bitPattern: $0))) }.joined(separator: ",") + unit
        }
    }

    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let shift = 64 - 8 * UInt64(bytes.count)
        return Int64(bitPattern: FrameLayout.unsigned(bytes) << shift) >> Int64(shift)
    }

    private static func quarters(_ value: Int64) -> String {
        let fraction = ["", ".25", ".5", ".75"][Int(value.magnitude % 4)]
        return (value < 0 ? "-" : "") + "\(value.magnitude / 4)" + fraction
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\" + String(scalar)
            case "\n": quoted += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u{" + String(scalar.value, radix: 16) + "}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

/// Takes secrets out of frames before they are recorded.
public enum Redaction {
    /// The frame with zeros in the place of keys, passwords and PINs, of the same length.
    ///
    /// In a frame with a secret, bytes behind the last known field are cleared too: they may belong to a longer form of
    /// the secret.
    public static func mask(_ frame: [UInt8], _ direction: LinkDirection) -> [UInt8] {
        guard let code = frame.first,
            (direction == .toRadio ? secretCommands : secretRadioFrames)[Int(code)] || texts.contains(code),
            let layout = FrameDescription.layout(of: frame, direction)
        else { return frame }
        let placed = layout.place(on: frame)
        guard placed.contains(where: { $0.field.isSecret }) else { return maskingCommand(frame, placed) }
        var masked = frame
        for entry in placed where entry.field.isSecret { clear(entry.range, in: &masked) }
        clear((placed.last?.range.upperBound ?? masked.count)..<masked.count, in: &masked)
        return masked
    }

    /// Frames with texts, in one direction or the other, among which are command lines of servers.
    private static let texts = [
        CommandCode.sendText.rawValue, RadioCode.directMessage.rawValue, RadioCode.directMessageV3.rawValue,
    ]

    /// A text that is a command line or its reply, without the password or key in it.
    private static func maskingCommand(_ frame: [UInt8], _ placed: [FrameLayout.Placed]) -> [UInt8] {
        guard let type = placed.first(where: { $0.field.name == "text-type" }), !type.range.isEmpty,
            frame[type.range.lowerBound] == TextType.cli.rawValue,
            let text = placed.first(where: { $0.field.name == "text" })
        else { return frame }
        var masked = frame
        let shown = SecretCommands.shownCount(frame[text.range])
        clear((text.range.lowerBound + shown)..<text.range.upperBound, in: &masked)
        return masked
    }

    /// Codes whose frames have a secret field; looked up for every recorded frame, so worked out once.
    private static let secretCommands = table(FrameNames.commands.map(\.code.rawValue), .toRadio)
    private static let secretRadioFrames = table(FrameNames.radioFrames.map(\.code.rawValue), .fromRadio)

    private static func table(_ codes: [UInt8], _ direction: LinkDirection) -> [Bool] {
        var table = [Bool](repeating: false, count: 256)
        for code in codes {
            let fields = FrameDescription.layout(of: [code], direction)?.fields ?? []
            table[Int(code)] = fields.contains(where: \.isSecret)
        }
        return table
    }

    private static func clear(_ range: Range<Int>, in bytes: inout [UInt8]) {
        for index in range { bytes[index] = 0 }
    }
}
