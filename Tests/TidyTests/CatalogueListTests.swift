import Testing

/// A file in a catalogue's folder that the catalogue does not list is dead.
@Suite struct CatalogueListTests {
    struct Listed: CustomTestStringConvertible {
        /// Where the listed things are declared.
        var folder: String
        /// The file that lists them.
        var catalogue: String
        /// Finds the name of a thing in a line of code.
        var declaration: Regex<(Substring, Substring)>

        var testDescription: String { folder }
    }

    @Test func `every command of the program is reachable`() throws {
        try expectListed(
            Listed(
                folder: "Sources/meshrig/Commands", catalogue: "Sources/meshrig/Program.swift",
                declaration: #/^enum (\w+Command) /#))
    }

    private func expectListed(_ listed: Listed) throws {
        let catalogue = try #require(SourceTree.text(listed.catalogue), "\(listed.catalogue) is not there")
        let names = SourceTree.files(below: listed.folder).flatMap { file in
            file.code.compactMap { line in (try? listed.declaration.firstMatch(in: line)).map { String($0.1) } }
        }
        #expect(!names.isEmpty, "nothing is declared in \(listed.folder)")
        let missing = names.filter { !catalogue.contains($0) }
        #expect(missing.isEmpty, "not listed in \(listed.catalogue)")
    }
}
