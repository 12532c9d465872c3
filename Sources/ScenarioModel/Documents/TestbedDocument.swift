/// Where a radio is reached.
package enum RadioAddress: Sendable, Hashable, CustomStringConvertible {
    case tcp(host: String, port: UInt16)
    /// A terminal that speaks the serial framing, as `meshrig serve` offers.
    case terminal(path: String)

    /// TCP port of a radio when an address names none.
    package static let defaultPort: UInt16 = 5_000

    /// Reads `tcp:HOST[:PORT]` or `pty:PATH`; nil for anything else. An IPv6 address stands in brackets.
    package init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "pty" where rest.hasPrefix("/"): self = .terminal(path: rest)
        case "tcp":
            guard let (host, port) = Self.hostAndPort(rest) else { return nil }
            self = .tcp(host: host, port: port)
        default: return nil
        }
    }

    private static func hostAndPort(_ text: String) -> (String, UInt16)? {
        var host = Substring(text)
        var tail: Substring = ""
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            tail = text[text.index(after: end)...]
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            tail = text[colon...]
            if host.contains(":") { return nil }
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
        if tail.isEmpty { return (String(host), defaultPort) }
        guard tail.first == ":", let port = UInt16(tail.dropFirst()), port > 0 else { return nil }
        return (String(host), port)
    }

    package var description: String {
        switch self {
        case .tcp(let host, let port): "tcp:" + (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        case .terminal(let path): "pty:" + path
        }
    }
}

/// A radio of a bench, and which role of scenarios it plays.
package struct BenchRadioDocument: Sendable, Hashable {
    /// The role: the name of a node in scenarios.
    package var role: String
    package var spot: SourceSpot
    /// Nil for a radio that is there and cannot be reached from here.
    package var address: RadioAddress?
    /// The beginning of its public key, or all of it.
    package var key: [UInt8]

    package static let shape = ShapeDescriptor(
        "a radio of a bench", shorthand: "at",
        [
            FieldDescriptor(
                "at", .text, "where it is reached: tcp:HOST:PORT or pty:PATH; none for one that only listens"),
            FieldDescriptor(
                "key", .bytes(1...32), "beginning of its public key; another radio at that address is not taken for it"),
        ])

    static func read(_ entry: YAMLEntry, _ problems: ProblemList) -> BenchRadioDocument {
        let reader = MappingReader(entry.value, shape, at: entry.keySpot, problems)
        var address: RadioAddress?
        if let text = reader.text("at") {
            address = RadioAddress(text)
            if address == nil {
                problems.add(
                    reader.spot(of: "at"), "\"\(text)\" is no address of a radio",
                    hint: "as in: tcp:127.0.0.1:5000, or pty:/tmp/meshrig/alice")
            }
        }
        let key = reader.bytes("key") ?? []
        if !reader.has("at"), key.count < 32 {
            problems.add(reader.spot, "a radio without \"at\" needs its whole public key (32 bytes) as \"key\"")
        }
        return BenchRadioDocument(role: entry.key, spot: entry.keySpot, address: address, key: key)
    }
}

/// A testbed file: what plays the roles of scenarios when it is not the simulator.
package struct TestbedDocument: Sendable, Hashable {
    package var title: String
    package var file: String
    /// In the order of the file.
    package var radios: [BenchRadioDocument]

    package static let shape = ShapeDescriptor(
        "a testbed file",
        example:
            "title: Two radios on the desk\nradios:\n  alice: tcp:192.168.1.20:5000\n  bob: { at: tcp:192.168.1.21:5000, key: 9233ea }\n",
        [
            FieldDescriptor("title", .text, "what there is, in one line"),
            FieldDescriptor(
                "radios", .table(.shape(BenchRadioDocument.shape)), "the radios, by the role they play", required: true),
        ])

    package init(_ root: YAMLNode, file: String) throws(ScenarioErrors) {
        let problems = ProblemList()
        let reader = MappingReader(root, Self.shape, problems)
        title = reader.text("title") ?? ""
        self.file = file
        radios = reader.table("radios").map { BenchRadioDocument.read($0, problems) }
        if reader.has("radios"), radios.allSatisfy({ $0.address == nil }), problems.isEmpty {
            problems.add(reader.spot(of: "radios"), "no radio here can be reached")
        }
        for (index, radio) in radios.enumerated() {
            guard let address = radio.address else { continue }
            if let other = radios[..<index].first(where: { $0.address == address }) {
                problems.add(radio.spot, "\(radio.role) and \(other.role) are at the same address")
            }
        }
        try problems.throwIfAny()
    }

    package subscript(role: String) -> BenchRadioDocument? { radios.first { $0.role == role } }
}
