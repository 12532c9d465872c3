internal import RigBase

/// A parameter with the value a case runs with.
package struct ParameterValue: Sendable, Hashable {
    package var name: String
    package var value: YAMLScalar
    /// Given on the command line, not by the file.
    package var isSet = false
    /// Stands in the place of a password, key or PIN.
    package var isSecret = false

    package init(_ name: String, _ value: YAMLScalar) {
        self.name = name
        self.value = value
    }

    /// What a command line says to give it this value: `--set name=value`, quoted for a shell where it must be.
    package var option: String {
        let text = name + "=" + (isSecret ? "<secret>" : value.text)
        let isPlain = text.unicodeScalars.allSatisfy {
            ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
                || "-_=.,:/%+@".unicodeScalars.contains($0)
        }
        return "--set " + (isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'")
    }
}

/// The sets of parameter values that a file runs with, and how they are put in place of `${name}`.
struct ParameterSets {
    struct Row {
        /// Nil for the one row of a file without a matrix.
        var name: String?
        var values: [ParameterValue]
    }

    private(set) var rows: [Row] = []
    private let root: YAMLNode

    init(_ root: YAMLNode, settings: [(name: String, value: String)], strict: Bool, _ problems: ProblemList) {
        self.root = root
        var base = Self.scalars(of: root["parameters"], what: "parameters", problems)
        for index in base.indices { base[index].isSecret = Self.isSecret(base[index].name, in: root) }
        let names = base.map(\.name)
        var given: [String] = []
        for setting in settings {
            guard let position = names.firstIndex(of: setting.name) else {
                if strict {
                    MappingReader.reportUnknown(
                        setting.name, what: "parameter", at: root["parameters"]?.spot ?? root.spot, among: names,
                        problems)
                }
                continue
            }
            base[position].value = YAMLScalar(setting.value, isPlain: true)
            base[position].isSet = true
            given.append(setting.name)
        }
        guard let matrix = root["matrix"], !matrix.isEmpty else {
            rows = [Row(name: nil, values: base)]
            return
        }
        guard let entries = matrix.mapping, !entries.isEmpty else {
            problems.add(matrix.spot, "matrix is a mapping of row names, found \(matrix.kindName)")
            return
        }
        for entry in entries {
            var values = base
            for cell in entry.value.mapping ?? [] {
                guard let position = names.firstIndex(of: cell.key) else {
                    MappingReader.reportUnknown(
                        cell.key, what: "parameter", at: cell.keySpot, among: names, problems)
                    continue
                }
                // What the command line says wins over the row.
                if let scalar = cell.value.scalar, !given.contains(cell.key) { values[position].value = scalar }
            }
            if entry.value.mapping == nil {
                problems.add(entry.value.spot, "a row is a mapping of parameters, found \(entry.value.kindName)")
            }
            rows.append(Row(name: entry.key, values: values))
        }
    }

    /// Whether a parameter is used below a key that reports leave out.
    private static func isSecret(_ name: String, in node: YAMLNode) -> Bool {
        switch node.content {
        case .scalar: return false
        case .sequence(let nodes): return nodes.contains { isSecret(name, in: $0) }
        case .mapping(let entries):
            return entries.contains { entry in
                if YAMLNode.secretKeys.contains(entry.key), entry.value.text?.contains("${\(name)}") == true {
                    return true
                }
                return isSecret(name, in: entry.value)
            }
        }
    }

    private static func scalars(of node: YAMLNode?, what: String, _ problems: ProblemList) -> [ParameterValue] {
        guard let node, !node.isEmpty else { return [] }
        guard let entries = node.mapping else {
            problems.add(node.spot, "\(what) is a mapping of names with defaults, found \(node.kindName)")
            return []
        }
        return entries.compactMap { entry in
            guard let scalar = entry.value.scalar else {
                problems.add(entry.value.spot, "a parameter's value is a single value, found \(entry.value.kindName)")
                return nil
            }
            return ParameterValue(entry.key, scalar)
        }
    }

    /// The whole file with the values put in everywhere but where they are defined.
    func fill(_ values: [ParameterValue], _ problems: ProblemList) -> YAMLNode {
        guard let entries = root.mapping else { return root }
        let filled = entries.map { entry in
            var entry = entry
            if entry.key != "parameters", entry.key != "matrix" {
                entry.value = Self.fill(entry.value, values, problems)
            }
            return entry
        }
        return YAMLNode(.mapping(filled), at: root.spot)
    }

    /// `node` with every `${name}` replaced; a scalar that is nothing but one becomes what the value is, quoted or not.
    ///
    /// `$${` stands for `${` itself. Keys are left as they are.
    ///
    /// Within a repeat `${round}` is left for the one who writes the rounds out.
    private static func fill(
        _ node: YAMLNode, _ values: [ParameterValue], inRepeat: Bool = false, _ problems: ProblemList
    ) -> YAMLNode {
        switch node.content {
        case .scalar(let scalar):
            guard scalar.text.contains("${") else { return node }
            var values = values
            if inRepeat {
                values.append(ParameterValue(RoundNumber.name, YAMLScalar("${\(RoundNumber.name)}", isPlain: true)))
            }
            return YAMLNode(.scalar(fill(scalar, values, node.spot, problems)), at: node.spot)
        case .sequence(let nodes):
            return YAMLNode(
                .sequence(nodes.map { fill($0, values, inRepeat: inRepeat, problems) }), at: node.spot)
        case .mapping(let entries):
            let inRepeat = inRepeat || entries.contains { $0.key == StepNode.repeatKey }
            let filled = entries.map {
                YAMLEntry(
                    key: $0.key, keySpot: $0.keySpot, value: fill($0.value, values, inRepeat: inRepeat, problems))
            }
            return YAMLNode(.mapping(filled), at: node.spot)
        }
    }

    private static func fill(
        _ scalar: YAMLScalar, _ values: [ParameterValue], _ spot: SourceSpot, _ problems: ProblemList
    ) -> YAMLScalar {
        var out = ""
        var rest = Substring(scalar.text)
        while let start = rest.firstIndex(of: "$") {
            out += rest[..<start]
            rest = rest[start...]
            if rest.hasPrefix("$${") {
                out += "${"
                rest = rest.dropFirst(3)
                continue
            }
            guard rest.hasPrefix("${") else {
                out += "$"
                rest = rest.dropFirst()
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                problems.add(spot, "${ without its }", hint: "write $${ for ${ itself")
                return scalar
            }
            let name = String(rest[rest.index(rest.startIndex, offsetBy: 2)..<end])
            rest = rest[rest.index(after: end)...]
            guard let value = values.first(where: { $0.name == name })?.value else {
                MappingReader.reportUnknown(
                    name, what: "parameter", at: spot, among: values.map(\.name), problems)
                return scalar
            }
            if out.isEmpty, rest.isEmpty, scalar.text.hasPrefix("${") { return value }
            out += value.text
        }
        return YAMLScalar(out + rest, isPlain: scalar.isPlain)
    }
}
