internal import CompanionProtocol

/// What the rows of recordings that came out alike have shown of the companion protocol, counted by code.
package struct FixtureCoverage: Sendable, Equatable {
    /// Commands all of whose answers came out alike, by code.
    private(set) var commands = [Int](repeating: 0, count: 256)
    /// How many different lengths such commands had, by code.
    private var lengths = [Set<Int>](repeating: [], count: 256)
    /// Responses and pushes that came out alike, by code.
    private(set) var frames = [Int](repeating: 0, count: 256)

    package init() {}

    /// Commands are matched with what their node wrote, sent or did until its next command; one that is followed by
    /// nothing shows nothing.
    init(of recording: Recording, agreed: [(node: String, observation: Observation)]) {
        var alike = Set<Int>()
        for (_, observation) in agreed {
            if let line = observation.line { alike.insert(line) }
            if case .frame(let bytes) = observation.content, let code = bytes.first { frames[Int(code)] += 1 }
        }
        for node in recording.nodes.map(\.name) {
            var open: (command: [UInt8], answers: Int, isAlike: Bool)?
            func close() -> [UInt8]? {
                guard let (command, answers, isAlike) = open, answers > 0, isAlike else { return nil }
                return command
            }
            for row in recording.rows {
                if case .toRadio(node, let bytes, let isRaw) = row.content {
                    if let command = close() { add(command) }
                    open = isRaw ? nil : (bytes, 0, true)
                } else if open != nil, Self.isOutput(row.content, of: node) {
                    open?.answers += 1
                    if !alike.contains(row.line) { open?.isAlike = false }
                }
            }
            if let command = close() { add(command) }
        }
    }

    private static func isOutput(_ content: Recording.Row.Content, of node: String) -> Bool {
        switch content {
        case .fromRadio(node, _), .onAir(node, _, _, _), .reboot(node, _, _), .processExit(node): true
        default: false
        }
    }

    private mutating func add(_ command: [UInt8]) {
        guard let code = command.first else { return }
        commands[Int(code)] += 1
        lengths[Int(code)].insert(command.count)
    }

    /// A row of the sweep that came out alike.
    mutating func add(_ probe: Recording.Probe) {
        add(probe.request)
        for response in probe.responses {
            if let code = response.first { frames[Int(code)] += 1 }
        }
    }

    package mutating func merge(_ other: FixtureCoverage) {
        for code in 0..<256 {
            commands[code] += other.commands[code]
            frames[code] += other.frames[code]
            lengths[code].formUnion(other.lengths[code])
        }
    }

    /// The table of `docs/companion-coverage.md`.
    package var markdown: String {
        let known = CommandCatalog.all.map { $0.code.rawValue }
        let responses = UInt8(0x00)...0x1C
        let pushes = UInt8(0x80)...0x90
        var lines = [
            "# What recordings of firmware 1.17.1 show", "",
            "Written by `meshrig fixtures coverage Firmware-fixtures/1.17.1`; a test compares. Only rows that the simulated",
            "firmware gives alike are counted. A command counts when everything its node did until the next command came out",
            "alike; a frame counts by itself.", "", "## Commands", "",
            "\(known.count { commands[Int($0)] > 0 }) of \(known.count) commands are covered.", "",
            "| code | command | rows | lengths |", "|---|---|---|---|",
        ]
        for code in known {
            let name = FrameNames.name(of: CommandCode(rawValue: code))
            lines.append("| \(code) | \(name) | \(commands[Int(code)]) | \(lengths[Int(code)].count) |")
        }
        let others = (0..<256).filter { !known.contains(UInt8($0)) }
        let rows = others.reduce(0) { $0 + commands[$1] }
        lines.append("| others | unknown | \(rows) | of \(others.count { commands[$0] > 0 }) codes |")
        for (title, codes) in [("Responses", responses), ("Pushes", pushes)] {
            lines += [
                "", "## \(title)", "",
                "\(codes.count { frames[Int($0)] > 0 }) of \(codes.count) \(title.lowercased()) are covered.", "",
                "| code | frame | rows |", "|---|---|---|",
            ]
            for code in codes {
                let digits = String(code, radix: 16)
                let name = FrameNames.name(of: RadioCode(rawValue: code))
                lines.append("| \(digits.count < 2 ? "0" : "")\(digits) | \(name) | \(frames[Int(code)]) |")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
