/// Writes a tree back as YAML that reads as the same tree: blocks, with small leaves in flow style on one line.
///
/// Quoted scalars stay quoted and plain ones plain, wherever YAML lets them; comments and anchors are not in a tree.
package struct YAMLWriter {
    /// Collections without collections in them are written in flow style when their line is no longer than this.
    package static let lineLimit = 100

    private static let nestedLimit = 80

    private var text = ""

    /// The document; its top-level collections are set apart by empty lines.
    package static func text(_ node: YAMLNode) -> String {
        var writer = YAMLWriter()
        guard let entries = node.mapping, !entries.isEmpty else {
            writer.value(node, indent: 0, after: .dash)
            return writer.text
        }
        var wasCollection = false
        for (index, entry) in entries.enumerated() {
            let isCollection = Self.isBlock(entry.value, after: .key, column: entry.key.count + 2)
            if index > 0, isCollection || wasCollection { writer.text += "\n" }
            writer.entry(entry, indent: 0)
            wasCollection = isCollection
        }
        return writer.text
    }

    /// What stands before a value in its line.
    private enum Place { case key, dash }

    private mutating func entry(_ entry: YAMLEntry, indent: Int) {
        let key = Self.key(entry.key)
        text += key + ":"
        value(entry.value, indent: indent, after: .key, column: indent + key.count + 1)
    }

    /// Everything behind `key:` or `-`, with the line's end.
    private mutating func value(_ node: YAMLNode, indent: Int, after place: Place, column: Int = 0) {
        if !Self.isBlock(node, after: place, column: column + 1) {
            let flow = Self.flow(node) ?? ""
            text += (flow.isEmpty || text.isEmpty ? "" : " ") + flow + "\n"
            return
        }
        switch node.content {
        case .scalar: break
        case .sequence(let nodes):
            // A list in a list begins in the line of the outer one's dash.
            if place == .key { text += "\n" } else if !text.isEmpty { text += " " }
            let inner = place == .key ? indent + 2 : indent
            for (index, element) in nodes.enumerated() {
                if index > 0 || place == .key { text += Self.spaces(inner) }
                text += "-"
                value(element, indent: inner + 2, after: .dash, column: inner + 1)
            }
        case .mapping(let entries):
            if place == .key { text += "\n" } else if !text.isEmpty { text += " " }
            let inner = place == .key ? indent + 2 : indent
            for (index, item) in entries.enumerated() {
                if index > 0 || place == .key { text += Self.spaces(inner) }
                entry(item, indent: inner)
            }
        }
    }

    /// Whether a node needs lines of its own, or a form that flow style does not have.
    private static func isBlock(_ node: YAMLNode, after place: Place, column: Int) -> Bool {
        guard let flow = flow(node) else { return true }
        if node.scalar != nil { return false }
        // An element with one key begins with it: - wait: 5s.
        if place == .dash, node.mapping?.count == 1 { return true }
        if isLeaf(node) { return column + flow.count > lineLimit }
        // One level more below a key, as in expect: { frames: { command: reboot } }.
        let isNested = place == .key && node.mapping?.allSatisfy { isLeaf($0.value) || isSmall($0.value) } == true
        return !isNested || column + flow.count > nestedLimit
    }

    /// A list of single values, or a mapping of those and of such lists; what is deeper is easier to read in blocks.
    private static func isLeaf(_ node: YAMLNode) -> Bool {
        if let nodes = node.sequence { return nodes.allSatisfy { $0.scalar != nil } }
        return (node.mapping ?? []).allSatisfy { isSmall($0.value) }
    }

    private static func isSmall(_ node: YAMLNode) -> Bool {
        switch node.content {
        case .scalar: true
        case .mapping(let entries): entries.isEmpty
        case .sequence(let nodes): nodes.allSatisfy { $0.scalar != nil || ($0.mapping != nil && isLeaf($0)) }
        }
    }

    /// The node on one line; nil when a part of it cannot be written so or a collection lies too deep.
    private static func flow(_ node: YAMLNode, depth: Int = 0) -> String? {
        switch node.content {
        case .scalar(let scalar):
            if depth > 0 { return flowScalar(scalar) }
            return blockScalar(scalar)
        case .sequence(let nodes):
            guard depth < 3 else { return nil }
            let parts = nodes.compactMap { flow($0, depth: depth + 1) }
            return parts.count == nodes.count ? "[" + parts.joined(separator: ", ") + "]" : nil
        case .mapping(let entries):
            guard depth < 3 else { return nil }
            if entries.isEmpty { return "{}" }
            let parts = entries.compactMap { entry in
                flow(entry.value, depth: depth + 1).map { key(entry.key) + ": " + $0 }
            }
            return parts.count == entries.count ? "{ " + parts.joined(separator: ", ") + " }" : nil
        }
    }

    private static func key(_ text: String) -> String {
        isPlain(text, inFlow: true) ? text : quoted(text)
    }

    private static func blockScalar(_ scalar: YAMLScalar) -> String {
        if scalar.isPlain, scalar.text.isEmpty || isPlain(scalar.text, inFlow: false) { return scalar.text }
        return quoted(scalar.text)
    }

    /// Nil for what would have to be quoted there although it is plain, and for nothing at all.
    private static func flowScalar(_ scalar: YAMLScalar) -> String? {
        guard scalar.isPlain else { return quoted(scalar.text) }
        return isPlain(scalar.text, inFlow: true) ? scalar.text : nil
    }

    /// Whether a text can stand without quotes.
    private static func isPlain(_ text: String, inFlow: Bool) -> Bool {
        guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
        if first == " " || last == " " || last == ":" { return false }
        if "!&*|>'\"%@`#,[]{}".unicodeScalars.contains(first) { return false }
        // These begin something else only before a space; alone they would be that something.
        if "-?:".unicodeScalars.contains(first) {
            guard let second = text.unicodeScalars.dropFirst().first, second != " " else { return false }
            if inFlow, ",[]{}".unicodeScalars.contains(second) { return false }
        }
        if text.hasPrefix("---") || text.hasPrefix("...") { return false }
        if text.contains(": ") || text.contains(" #") { return false }
        if inFlow, text.unicodeScalars.contains(where: { ",[]{}".unicodeScalars.contains($0) }) { return false }
        return text.unicodeScalars.allSatisfy { !needsEscape($0) }
    }

    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE...0xFFFF: true
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case _ where needsEscape(scalar):
                let hex = String(scalar.value, radix: 16)
                out += scalar.value < 0x100 ? "\\x" : "\\u"
                out += String(repeating: "0", count: (scalar.value < 0x100 ? 2 : 4) - hex.count) + hex
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
