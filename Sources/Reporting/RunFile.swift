internal import RigBase
package import RunRecord

/// The lines of JSON that a run has written, read back as far as stories are told from them.
package struct RunFile {
    /// One case of the run with its events.
    package struct Case {
        package var number: Int64
        package var id: String
        package var seed: UInt64
        package var events: [RunEvent]

        package init(number: Int64, id: String, seed: UInt64, events: [RunEvent]) {
            self.number = number
            self.id = id
            self.seed = seed
            self.events = events
        }
    }

    package private(set) var cases: [Case] = []

    /// Runs of many cases are long.
    package static let sizeLimit = 1 << 30

    /// Whether these are lines that `meshrig run --jsonl` writes, going by the first of them.
    package static func isOne(_ bytes: [UInt8]) -> Bool {
        guard let line = bytes.split(separator: 0x0A, maxSplits: 1).first, let value = try? JSONReader.read(line) else {
            return false
        }
        return value["kind"]?.text != nil
    }

    /// Byte strings but frames come back as text in hex: the lines do not say which texts were bytes.
    package init(reading bytes: [UInt8]) throws(RunFileError) {
        var line = 0
        for part in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            line += 1
            if part.isEmpty { continue }
            let value: JSONValue
            do { value = try JSONReader.read(part) } catch {
                throw RunFileError(line: line, problem: error.problem)
            }
            switch value["kind"]?.text {
            case "case":
                guard let number = value["case"]?.integer else {
                    throw RunFileError(line: line, problem: "a case without its number")
                }
                cases.append(
                    Case(number: number, id: value["id"]?.text ?? "", seed: Self.seed(value["seed"]), events: []))
            case "event":
                guard let event = value["event"].flatMap(Self.event),
                    let place = cases.lastIndex(where: { $0.number == value["case"]?.integer })
                else { throw RunFileError(line: line, problem: "an event that belongs to no case or has no id") }
                cases[place].events.append(event)
            default: continue
            }
        }
        if cases.isEmpty {
            throw RunFileError(line: line, problem: "there is no case in it; `meshrig run --jsonl` writes some")
        }
    }

    /// Seeds have 64 bits without a sign.
    private static func seed(_ value: JSONValue?) -> UInt64 {
        if case .number(let text)? = value { UInt64(text) ?? 0 } else { 0 }
    }

    private static func event(_ value: JSONValue) -> RunEvent? {
        guard let id = value["id"]?.integer, id > 0, let time = value["t"]?.integer,
            let subject = value["who"]?.text, let kind = value["kind"]?.text
        else { return nil }
        return RunEvent(
            id: EventID(UInt64(id)), at: SimInstant(nanoseconds: time), subject: subject, kind: EventKind(kind),
            cause: value["cause"]?.integer.map { EventID(UInt64(clamping: $0)) },
            packet: value["packet"]?.integer.map { UInt64(clamping: $0) }, fields: fields(value["data"]))
    }

    private static func fields(_ value: JSONValue?) -> Fields {
        var fields = Fields()
        guard case .object(let members)? = value else { return fields }
        for member in members {
            // Fields of these names hold bytes wherever they occur.
            if member.key == "frame" || member.key == "bytes", let bytes = member.value.text.flatMap({ Hex.decode($0) })
            {
                fields[member.key] = .bytes(bytes)
            } else {
                fields[member.key] = self.value(member.value)
            }
        }
        return fields
    }

    private static func value(_ value: JSONValue) -> FieldValue? {
        switch value {
        case .null: nil
        case .bool(let flag): .flag(flag)
        case .number(let text): Int64(text).map { .int($0) } ?? .text(text)
        case .string(let text): .text(text)
        case .array(let elements): .list(elements.compactMap(Self.value))
        case .object: nil
        }
    }
}

/// Why a file is no record of a run.
package struct RunFileError: Error, CustomStringConvertible {
    package var line: Int
    package var problem: String
    package var description: String { "line \(line): \(problem)" }
}
