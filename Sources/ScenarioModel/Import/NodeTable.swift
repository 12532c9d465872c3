/// Reads a list of nodes as CSV: a line of column names, then a line for each node; quotes as in RFC 4180.
enum NodeTable {
    static func read(_ bytes: [UInt8], file: String) throws(ScenarioError) -> ImportedMesh {
        let top = SourceSpot(file: file, line: 1, column: 1)
        var lines = try rows(String(decoding: bytes, as: UTF8.self), file: file)[...]
        guard let head = lines.popFirst() else { throw ScenarioError(top, "the file is empty") }
        let columns = head.fields.map { $0.lowercased().filter { $0 != "\u{FEFF}" } }
        func column(_ names: [String]) -> Int? { columns.firstIndex { names.contains($0) } }
        guard let nameColumn = column(NodeColumns.name) else {
            throw ScenarioError(
                top,
                "no column for names among \(YAMLNode.shortened(columns.joined(separator: ", "))); it is called "
                    + NodeColumns.name.joined(separator: ", "))
        }
        let places = (column(NodeColumns.role), column(NodeColumns.latitude), column(NodeColumns.longitude))
        var mesh = ImportedMesh()
        let known = NodeColumns.all
        for name in columns where !known.contains(name) && !name.isEmpty {
            mesh.leftOut.append("column \(YAMLNode.shortened(name))")
        }
        if column(NodeColumns.key) != nil { mesh.leftOut.append(NodeColumns.keyNote) }
        var seen: Set<String> = []
        for line in lines {
            let spot = SourceSpot(file: file, line: line.number, column: 1)
            func field(_ column: Int?) -> String? {
                guard let column, column < line.fields.count else { return nil }
                return line.fields[column].isEmpty ? nil : line.fields[column]
            }
            func degrees(_ column: Int?, _ range: ClosedRange<Double>) throws(ScenarioError) -> Double? {
                guard let text = field(column) else { return nil }
                return try MeshJSONReader.number(.plain(text, at: spot), range)
            }
            guard let name = field(nameColumn) else { throw ScenarioError(spot, "a node needs a name") }
            guard seen.insert(name).inserted else {
                throw ScenarioError(spot, "\"\(YAMLNode.shortened(name))\" is there twice")
            }
            guard mesh.nodes.count < ImportedMesh.nodeLimit else {
                throw ScenarioError(spot, "more than \(ImportedMesh.nodeLimit) nodes")
            }
            mesh.nodes.append(
                ImportedMesh.Node(
                    name: name, role: try NodeColumns.role(field(places.0), at: spot),
                    latitude: try degrees(places.1, -90...90), longitude: try degrees(places.2, -180...180),
                    height: try degrees(column(NodeColumns.height), NodeColumns.heights),
                    gain: try degrees(column(NodeColumns.gain), NodeColumns.gains)))
        }
        guard !mesh.nodes.isEmpty else { throw ScenarioError(top, "there are no nodes below the column names") }
        return mesh
    }

    /// The rows that are not empty, with the number of the line each begins in.
    private static func rows(_ text: String, file: String) throws(ScenarioError) -> [(number: Int, fields: [String])] {
        var rows: [(number: Int, fields: [String])] = []
        var (fields, field): ([String], String) = ([], "")
        var (line, first, isQuoted) = (1, 1, false)
        var previous: Character = "\n"
        for character in text + "\n" {
            if isQuoted {
                if character == "\"" { isQuoted = false } else { field.append(character) }
            } else if character == "\"" {
                // A quote right after a quoted part is one of its characters.
                if previous == "\"" { field.append("\"") }
                isQuoted = true
            } else if character == "," {
                fields.append(field)
                field = ""
            } else if character.isNewline {
                fields.append(field)
                if fields != [""] { rows.append((first, fields.map(trimmed))) }
                (fields, field) = ([], "")
            } else {
                field.append(character)
            }
            if character.isNewline {
                line += 1
                if !isQuoted { first = line }
            }
            previous = character
        }
        if isQuoted {
            throw ScenarioError(
                SourceSpot(file: file, line: first, column: 1), "a quote is opened here and never closed")
        }
        return rows
    }

    private static func trimmed(_ text: String) -> String {
        let start = text.firstIndex { !$0.isWhitespace } ?? text.endIndex
        let end = text.lastIndex { !$0.isWhitespace }.map { text.index(after: $0) } ?? start
        return String(text[start..<end])
    }
}
