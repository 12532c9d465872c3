internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Reads a recording's JSON lines; every row must be of a known kind and complete.
struct RecordingReader {
    /// Milliseconds a recording may last: a leap year.
    private static let latest: Int64 = 366 * 86_400_000

    private let file: String
    private var line = 0
    private var recording = Recording()
    private var last: Int64 = .min

    static func read(file: String, contents: [UInt8]) throws(RecordingError) -> Recording {
        var reader = RecordingReader(file: file)
        // Editors of some systems put a mark in front of the text.
        let text = contents.starts(with: [0xEF, 0xBB, 0xBF]) ? contents.dropFirst(3) : contents[...]
        for text in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            reader.line += 1
            if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let row: JSONValue
            do throws(JSONError) {
                row = try JSONReader.read(text)
            } catch {
                throw reader.failure("not JSON: \(error.problem) at byte \(error.offset)")
            }
            try reader.take(row)
        }
        try reader.checkWhole()
        return reader.recording
    }

    private init(file: String) { self.file = file }

    private func failure(_ problem: String) -> RecordingError {
        RecordingError(file: file, line: line, problem: problem)
    }

    private func checkWhole() throws(RecordingError) {
        let isEmpty = recording.rows.isEmpty && recording.probes.isEmpty && !recording.isPlainListing
        if isEmpty { throw failure("there is nothing to compare") }
        if !recording.rows.isEmpty, recording.nodes.isEmpty { throw failure("no row describes a node") }
    }

    private mutating func take(_ row: JSONValue) throws(RecordingError) {
        guard case .object = row else { throw failure("a row is an object") }
        if row["req"] != nil {
            recording.probes.append((line, try probe(row)))
            return
        }
        if row["id"] != nil, row["hex"] == nil, row["route"] != nil {
            recording.isPlainListing = true
            return
        }
        let time = try integer(row, "t", in: -1...Self.latest)
        if time < 0 {
            try takeHeader(row)
            return
        }
        guard time >= last else { throw failure("rows are not in the order of time") }
        last = time
        var taken = Recording.Row(line: line, at: time, content: try content(of: row))
        taken.zeroesBuffer = row["note"]?.text?.contains("[buffer zeroed before") ?? false
        recording.rows.append(taken)
    }

    private mutating func takeHeader(_ row: JSONValue) throws(RecordingError) {
        guard recording.rows.isEmpty else { throw failure("a header row after the first timed row") }
        if let meta = row["meta"] {
            recording.chunkMillis = Int(try integer(meta, "chunk_ms", in: 1...1_000))
            if let radio = meta["radio"], radio != .null { recording.radio = try self.radio(radio) }
        } else if row["link"] != nil {
            recording.links.append(try link(row, "link", isMutual: true))
        } else if row["link_oneway"] != nil {
            recording.links.append(try link(row, "link_oneway", isMutual: false))
        } else if row["kind"] != nil {
            let header = try node(row)
            guard !recording.nodes.contains(where: { $0.name == header.name }) else {
                throw failure("node '\(header.name)' is described twice")
            }
            recording.nodes.append(header)
        } else {
            throw unknownKind(row)
        }
    }

    private func node(_ row: JSONValue) throws(RecordingError) -> Recording.NodeHeader {
        let kind = try text(row, "kind")
        guard let known = Recording.NodeHeader.Kind(rawValue: kind) else {
            throw failure("'\(kind)' is no kind of node; companion, repeater, room and sensor are")
        }
        var environment: [(name: String, value: String)] = []
        if case .object(let members)? = row["env"] {
            for member in members {
                environment.append(
                    (
                        member.key,
                        member.value.text ?? member.value.integer.map(String.init) ?? member.value.decimal.map(
                            String.init(describing:))
                            ?? ""
                    ))
            }
        }
        let (publicKey, privateKey) = (try bytes(row, "pub"), try bytes(row, "prv"))
        guard let identity = Identity(privateKey: privateKey), identity.publicKey.bytes == publicKey else {
            throw failure("'pub' is not the public key of 'prv'")
        }
        return Recording.NodeHeader(
            name: try text(row, "node"), kind: known,
            seed: UInt32(try integer(row, "seed", in: 0...Int64(UInt32.max))),
            clock: UInt32(try integer(row, "rtc", in: 0...Int64(UInt32.max))), publicKey: publicKey,
            privateKey: privateKey, environment: environment)
    }

    private func content(of row: JSONValue) throws(RecordingError) -> Recording.Row.Content {
        if let direction = row["dir"] { return try directed(row, direction.text ?? "") }
        if row["ota"] != nil { return try packet(row) }
        if let event = row["event"] { return try self.event(row, event.text ?? "") }
        if row["link"] != nil { return .link(try link(row, "link", isMutual: true)) }
        if row["link_oneway"] != nil { return .link(try link(row, "link_oneway", isMutual: false)) }
        if row["unlink"] != nil { return try unlink(row, "unlink", isMutual: true) }
        if row["unlink_oneway"] != nil { return try unlink(row, "unlink_oneway", isMutual: false) }
        if row["lost"] != nil {
            let (from, to) = try pair(row, "lost")
            return .lost(from: from, to: to, bytes: try bytes(row, "hex"))
        }
        if row["mark"] != nil { return .mark(try text(row, "mark")) }
        throw unknownKind(row)
    }

    private func directed(_ row: JSONValue, _ direction: String) throws(RecordingError) -> Recording.Row.Content {
        let node = try knownNode(text(row, "node"))
        switch direction {
        case "app>radio":
            let isRaw = row["raw"] != nil
            return .toRadio(node: node, bytes: try bytes(row, isRaw ? "raw" : "hex"), isRaw: isRaw)
        case "radio>app": return .fromRadio(node: node, frame: try bytes(row, "hex"))
        case "cli":
            return .console(
                node: node, sentAt: try integer(row, "t_sent", in: 0...Self.latest), command: try text(row, "cmd"),
                output: try text(row, "out"))
        default: throw failure("'\(direction)' is no direction; app>radio, radio>app and cli are")
        }
    }

    private func packet(_ row: JSONValue) throws(RecordingError) -> Recording.Row.Content {
        let sender = try text(row, "ota")
        let frame = try bytes(row, "hex")
        let receptions = try self.receptions(row)
        if sender == "@inject" {
            return .inject(
                to: try knownNode(text(row, "to")), bytes: frame, snrQuarterDB: try quarters(row, "snr"),
                rssi: try rssi(row), receptions: receptions)
        }
        return .onAir(
            node: try knownNode(sender), bytes: frame,
            airtimeMicros: Int(try integer(row, "airtime_us", in: 0...1_000_000_000)), receptions: receptions)
    }

    private func receptions(_ row: JSONValue) throws(RecordingError) -> [Recording.Reception] {
        guard let entries = row["rx"]?.elements else { throw failure("'rx' is missing or no list") }
        var receptions: [Recording.Reception] = []
        for entry in entries {
            guard let parts = entry.elements, parts.count == 3, let node = parts[0].text, let at = parts[1].integer,
                (0...Self.latest).contains(at),
                let outcome = parts[2].text, outcome == "ok" || outcome == "crc"
            else { throw failure("an entry of 'rx' is [node, ms, \"ok\" or \"crc\"]") }
            receptions.append(Recording.Reception(node: try knownNode(node), at: at, isIntact: outcome == "ok"))
        }
        return receptions
    }

    private func event(_ row: JSONValue, _ event: String) throws(RecordingError) -> Recording.Row.Content {
        let node = try knownNode(text(row, "node"))
        switch event {
        case "reboot":
            return .reboot(
                node: node, clock: UInt32(try integer(row, "rtc", in: 0...Int64(UInt32.max))),
                boot: try integer(row, "boot", in: 0...Self.latest))
        case "poweroff": return .powerOff(node: node)
        case "process-exit": return .processExit(node: node)
        default: throw failure("'\(event)' is no event; reboot, poweroff and process-exit are")
        }
    }

    private func probe(_ row: JSONValue) throws(RecordingError) -> Recording.Probe {
        let events = row["event"]?.elements ?? []
        for event in events where event.text != "process-exit" {
            throw failure("the sweep knows no event \(event.text ?? "that is no text")")
        }
        return Recording.Probe(
            request: try bytes(row, "req"), responses: try byteLists(row, "resp"), packets: try byteLists(row, "ota"),
            crashes: !events.isEmpty)
    }

    // MARK: Members

    private func unknownKind(_ row: JSONValue) -> RecordingError {
        guard case .object(let members) = row else { return failure("a row is an object") }
        return failure("unknown kind of row with \(members.map { "'\($0.key)'" }.joined(separator: ", "))")
    }

    private func knownNode(_ name: String) throws(RecordingError) -> String {
        guard recording.nodes.contains(where: { $0.name == name }) else {
            throw failure("no header row describes a node '\(name)'")
        }
        return name
    }

    private func text(_ row: JSONValue, _ key: String) throws(RecordingError) -> String {
        guard let text = row[key]?.text else { throw failure("'\(key)' is missing or no text") }
        return text
    }

    private func integer(
        _ row: JSONValue, _ key: String, in range: ClosedRange<Int64> = .min...(.max)
    ) throws(RecordingError) -> Int64 {
        guard let value = row[key]?.integer else { throw failure("'\(key)' is missing or no whole number") }
        guard range.contains(value) else {
            throw failure("'\(key)' is \(value), outside \(range.lowerBound) … \(range.upperBound)")
        }
        return value
    }

    private func bytes(_ row: JSONValue, _ key: String) throws(RecordingError) -> [UInt8] {
        guard let bytes = Hex.decode(try text(row, key)) else { throw failure("'\(key)' is not hex") }
        return bytes
    }

    private func byteLists(_ row: JSONValue, _ key: String) throws(RecordingError) -> [[UInt8]] {
        guard let elements = row[key]?.elements else { throw failure("'\(key)' is missing or no list") }
        var lists: [[UInt8]] = []
        for element in elements {
            guard let text = element.text ?? element["hex"]?.text, let bytes = Hex.decode(text) else {
                throw failure("an entry of '\(key)' is not hex")
            }
            lists.append(bytes)
        }
        return lists
    }

    private func pair(_ row: JSONValue, _ key: String) throws(RecordingError) -> (String, String) {
        guard let names = row[key]?.elements, names.count == 2, let first = names[0].text, let second = names[1].text
        else { throw failure("'\(key)' is [from, to]") }
        return (try knownNode(first), try knownNode(second))
    }

    private func link(_ row: JSONValue, _ key: String, isMutual: Bool) throws(RecordingError) -> Recording.Link {
        let (from, to) = try pair(row, key)
        return Recording.Link(
            from: from, to: to, snrQuarterDB: try quarters(row, "snr"), rssi: try rssi(row), isMutual: isMutual)
    }

    private func unlink(
        _ row: JSONValue, _ key: String, isMutual: Bool
    ) throws(RecordingError) -> Recording.Row.Content {
        let (from, to) = try pair(row, key)
        return .unlink(from: from, to: to, isMutual: isMutual)
    }

    private func quarters(_ row: JSONValue, _ key: String) throws(RecordingError) -> Int8 {
        guard let value = row[key]?.decimal, (-32...31.75).contains(value) else {
            throw failure("'\(key)' is missing or no SNR in dB")
        }
        return Int8((value * 4).rounded(.toNearestOrAwayFromZero))
    }

    private func rssi(_ row: JSONValue) throws(RecordingError) -> Int8 {
        Int8(try integer(row, "rssi", in: -128...127))
    }

    private func radio(_ value: JSONValue) throws(RecordingError) -> RadioParameters {
        guard let parts = value.elements, parts.count == 4 else { throw failure("'radio' is [kHz, Hz, SF, CR]") }
        var numbers: [UInt32] = []
        for part in parts {
            guard let number = part.integer, let narrow = UInt32(exactly: number) else {
                throw failure("'radio' holds something that is no whole number")
            }
            numbers.append(narrow)
        }
        guard let factor = UInt8(exactly: numbers[2]), let rate = UInt8(exactly: numbers[3]),
            let radio = RadioParameters(
                checkingKHz: numbers[0], bandwidthHz: numbers[1], spreadingFactor: factor, codingRate: rate)
        else { throw failure("no radio is set like 'radio'") }
        return radio
    }
}

extension JSONValue {
    /// Any number, as near as a `Double` gets.
    var decimal: Double? { if case .number(let text) = self { Double(text) } else { nil } }
}
