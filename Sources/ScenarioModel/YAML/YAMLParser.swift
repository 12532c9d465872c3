internal import CYAML

/// Reads one YAML 1.2 document into a `YAMLNode`; the only place that touches libyaml (`yaml_parser_parse`).
///
/// Refused with a place and a reason: a file above 4 MiB, bytes that are not UTF-8, a second document, a key given twice,
/// a key that is not a scalar, explicit tags, nesting deeper than 64, more than 200,000 nodes after aliases are resolved.
/// A UTF-8 byte order mark at the start is skipped.
package enum YAMLFile {
    package static let sizeLimit = 4 << 20
    package static let depthLimit = 64
    package static let nodeLimit = 200_000

    /// The document in `bytes`; `file` is only used to say where something is.
    package static func parse(_ bytes: [UInt8], file: String) throws(ScenarioError) -> YAMLNode {
        let top = SourceSpot(file: file, line: 1, column: 1)
        guard bytes.count <= sizeLimit else {
            throw ScenarioError(top, "the file has \(bytes.count) bytes; at most \(sizeLimit) are read")
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw ScenarioError(top, "the file is UTF-16; save it as UTF-8")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw ScenarioError(spotOfInvalidByte(in: bytes, file: file), "the file is not UTF-8 here")
        }
        var builder = TreeBuilder()
        let parser = EventParser(file.hasSuffix(".json") ? joiningSurrogates(bytes) : bytes, file: file)
        while let event = try parser.next() {
            try builder.take(event)
        }
        return try builder.finish(at: top)
    }

    /// JSON writes characters beyond 16 bits as two escapes, YAML as one of eight digits: `\ud83e\udd8a` becomes
    /// `\U0001f98a`.
    private static func joiningSurrogates(_ bytes: [UInt8]) -> [UInt8] {
        func unit(at position: Int) -> UInt32? {
            guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
                bytes[position + 1] == UInt8(ascii: "u")
            else { return nil }
            return UInt32(String(decoding: bytes[position + 2..<position + 6], as: UTF8.self), radix: 16)
        }
        var out: [UInt8] = []
        var position = 0
        while position < bytes.count {
            guard bytes[position] == UInt8(ascii: "\\") else {
                out.append(bytes[position])
                position += 1
                continue
            }
            if let high = unit(at: position), let low = unit(at: position + 6), high >> 10 == 0x36, low >> 10 == 0x37 {
                let digits = String(0x1_0000 + (high & 0x3FF) << 10 + low & 0x3FF, radix: 16)
                out += Array(("\\U" + String(repeating: "0", count: 8 - digits.count) + digits).utf8)
                position += 12
            } else {
                // The escaped character too, so that an escaped backslash begins no escape.
                out += bytes[position..<min(position + 2, bytes.count)]
                position += 2
            }
        }
        return out
    }

    private static func spotOfInvalidByte(in bytes: [UInt8], file: String) -> SourceSpot {
        let repaired = String(decoding: bytes, as: UTF8.self)
        var line = 1
        var column = 1
        for scalar in repaired.unicodeScalars {
            if scalar == "\u{FFFD}" { break }
            (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
        }
        return SourceSpot(file: file, line: line, column: column)
    }
}

/// What the parser reports, free of C types.
private enum ParserEvent {
    case documentStart
    case scalar(YAMLScalar, anchor: String?)
    case alias(String)
    case sequenceStart(anchor: String?)
    case mappingStart(anchor: String?)
    case end
}

/// Owns a `yaml_parser_t` and the bytes it reads; both are freed with it.
private struct EventParser: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>
    private let input: UnsafeMutableBufferPointer<UInt8>
    private let file: String

    init(_ bytes: [UInt8], file: String) {
        self.file = file
        input = .allocate(capacity: max(1, bytes.count))
        _ = input.initialize(from: bytes)
        parser = .allocate(capacity: 1)
        guard yaml_parser_initialize(parser) == 1 else { preconditionFailure("out of memory") }
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, input.baseAddress, bytes.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
        input.deallocate()
    }

    /// The next event with its place, or nil after the end of the stream.
    func next() throws(ScenarioError) -> (event: ParserEvent, spot: SourceSpot)? {
        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
            defer { yaml_event_delete(&event) }
            let spot = spot(of: event.start_mark)
            switch event.type {
            case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return nil
            case YAML_DOCUMENT_START_EVENT: return (.documentStart, spot)
            case YAML_SCALAR_EVENT:
                let data = event.data.scalar
                try refuseTag(data.tag, spot)
                let text = String(
                    decoding: UnsafeBufferPointer(start: data.value, count: data.length), as: UTF8.self)
                let scalar = YAMLScalar(text, isPlain: data.style == YAML_PLAIN_SCALAR_STYLE)
                return (.scalar(scalar, anchor: name(data.anchor)), spot)
            case YAML_ALIAS_EVENT: return (.alias(name(event.data.alias.anchor) ?? ""), spot)
            case YAML_SEQUENCE_START_EVENT:
                try refuseTag(event.data.sequence_start.tag, spot)
                return (.sequenceStart(anchor: name(event.data.sequence_start.anchor)), spot)
            case YAML_MAPPING_START_EVENT:
                try refuseTag(event.data.mapping_start.tag, spot)
                return (.mappingStart(anchor: name(event.data.mapping_start.anchor)), spot)
            case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: return (.end, spot)
            default: continue
            }
        }
    }

    private func spot(of mark: yaml_mark_t) -> SourceSpot {
        SourceSpot(file: file, line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    }

    private func name(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private func refuseTag(_ tag: UnsafeMutablePointer<yaml_char_t>?, _ spot: SourceSpot) throws(ScenarioError) {
        guard let tag = name(tag) else { return }
        throw ScenarioError(spot, "tags such as \"\(YAMLNode.shortened(tag))\" are not used in these files")
    }

    private func failure() -> ScenarioError {
        let state = parser.pointee
        let problem = state.problem.map { String(cString: $0) } ?? "cannot be read"
        // The reader (bad characters) knows an offset in bytes only, the scanner and parser a mark.
        if state.error == YAML_READER_ERROR {
            return ScenarioError(spot(ofByte: state.problem_offset), "not YAML: \(problem)")
        }
        let mark = spot(of: state.problem_mark)
        var hint: String?
        let offset = Int(state.problem_mark.index)
        if problem.contains("cannot start any token"), let here = character(at: offset) {
            switch here {
            case "\t": return ScenarioError(mark, "a tab cannot indent YAML; use spaces")
            case "@", "`", "%": hint = "put quotes around text that begins with \(here)"
            default: break
            }
        }
        if problem.contains("did not find expected") {
            hint = "text that holds { } [ ] , : or # needs quotes, as in \"${name}\" or \"/[a-z]+/\""
        }
        let context = state.context.map { String(cString: $0) + ": " } ?? ""
        return ScenarioError(mark, "not YAML: \(context)\(problem)", hint: hint)
    }

    private func spot(ofByte offset: Int) -> SourceSpot {
        let before = input.prefix(max(0, min(offset, input.count)))
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = String(decoding: before[start...], as: UTF8.self).unicodeScalars.count + 1
        return SourceSpot(file: file, line: line, column: column)
    }

    /// The character at an index counted in characters, as libyaml's marks are.
    private func character(at index: Int) -> Unicode.Scalar? {
        String(decoding: input, as: UTF8.self).unicodeScalars.dropFirst(index).first
    }
}

/// Puts events together to a tree, with the limits that keep a small file from becoming a large one.
private struct TreeBuilder {
    /// A collection that has begun but not ended.
    private struct Open {
        var spot: SourceSpot
        var anchor: String?
        var isMapping: Bool
        var nodes: [YAMLNode] = []
        var entries: [YAMLEntry] = []
        var keys: Set<String> = []
        var pendingKey: (text: String, spot: SourceSpot)?
        /// Nodes below, aliases counted at their full size.
        var weight = 1
        /// Levels below, those of aliases included.
        var height = 1
    }

    private var stack: [Open] = []
    private var anchors: [String: (node: YAMLNode, weight: Int, height: Int)] = [:]
    private var root: YAMLNode?
    private var hasDocument = false
    private var total = 0

    mutating func take(_ step: (event: ParserEvent, spot: SourceSpot)) throws(ScenarioError) {
        let spot = step.spot
        switch step.event {
        case .documentStart:
            guard !hasDocument else {
                throw ScenarioError(spot, "a second document begins here; one file holds one document")
            }
            hasDocument = true
        case .scalar(let scalar, let anchor):
            let node = YAMLNode(.scalar(scalar), at: spot)
            if let anchor { anchors[anchor] = (node, 1, 0) }
            try place(node, weight: 1, height: 0)
        case .alias(let name):
            guard let (node, weight, height) = anchors[name] else {
                throw ScenarioError(spot, "nothing before this is named &\(name)")
            }
            try checkDepth(stack.count + height, spot)
            try place(YAMLNode(node.content, at: spot), weight: weight, height: height)
        case .sequenceStart(let anchor): try open(Open(spot: spot, anchor: anchor, isMapping: false))
        case .mappingStart(let anchor): try open(Open(spot: spot, anchor: anchor, isMapping: true))
        case .end:
            let done = stack.removeLast()
            let node = YAMLNode(done.isMapping ? .mapping(done.entries) : .sequence(done.nodes), at: done.spot)
            if let anchor = done.anchor { anchors[anchor] = (node, done.weight, done.height) }
            // Everything below is in the total already.
            total -= done.weight - 1
            try place(node, weight: done.weight, height: done.height)
        }
    }

    func finish(at top: SourceSpot) throws(ScenarioError) -> YAMLNode {
        guard let root, !root.isEmpty else { throw ScenarioError(top, "the file is empty") }
        return root
    }

    private mutating func open(_ collection: Open) throws(ScenarioError) {
        try checkDepth(stack.count + 1, collection.spot)
        if let last = stack.last, last.isMapping, last.pendingKey == nil {
            throw ScenarioError(collection.spot, "a key must be a word, not a list or mapping")
        }
        stack.append(collection)
    }

    private func checkDepth(_ depth: Int, _ spot: SourceSpot) throws(ScenarioError) {
        guard depth <= YAMLFile.depthLimit else {
            throw ScenarioError(spot, "nested deeper than \(YAMLFile.depthLimit) levels")
        }
    }

    private mutating func place(_ node: YAMLNode, weight: Int, height: Int) throws(ScenarioError) {
        total += weight
        guard total <= YAMLFile.nodeLimit else {
            throw ScenarioError(node.spot, "more than \(YAMLFile.nodeLimit) values, counting what aliases repeat")
        }
        guard let last = stack.indices.last else {
            root = node
            return
        }
        stack[last].weight += weight
        stack[last].height = max(stack[last].height, height + 1)
        guard stack[last].isMapping else {
            stack[last].nodes.append(node)
            return
        }
        if let key = stack[last].pendingKey {
            stack[last].entries.append(YAMLEntry(key: key.text, keySpot: key.spot, value: node))
            stack[last].pendingKey = nil
            return
        }
        guard let text = node.text else {
            throw ScenarioError(node.spot, "a key must be a word, not a list or mapping")
        }
        guard stack[last].keys.insert(text).inserted else {
            let first = stack[last].entries.first { $0.key == text }?.keySpot
            let place = first.map { " (first in line \($0.line))" } ?? ""
            throw ScenarioError(node.spot, "key \"\(YAMLNode.shortened(text))\" is given twice\(place)")
        }
        stack[last].pendingKey = (text, node.spot)
    }
}
