import Foundation
import ScenarioModel
import Testing

@Suite struct CatalogueTests {
    /// A folder that exists while the body runs.
    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let root = NSTemporaryDirectory() + "scenarios-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        for (path, text) in files {
            let full = root + "/" + path
            let folder = (full as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: full, atomically: true, encoding: .utf8)
        }
        try body(root)
    }

    @Test func `ids are paths, sorted, without other kinds of file`() throws {
        let files = [
            "b/two.yaml": "x", "b/one.yml": "x", "a.json": "x", "testbeds/t.yaml": "x", "sweeps/s.yaml": "x",
            "worlds/w.yaml": "x",
            "notes.md": "x", ".hidden/h.yaml": "x", "b-c/three.yaml": "x",
        ]
        try withFolder(files) { root in
            let folder = try ScenarioFolder(root + "/")
            #expect(folder.entries.map(\.id) == ["a", "b-c/three", "b/one", "b/two"])
            #expect(folder.entries[3].path == root + "/b/two.yaml")
        }
    }

    @Test func `two files of one id are an error`() throws {
        try withFolder(["a.yaml": "x", "a.json": "x"]) { root in
            #expect(throws: FileError.self) { try ScenarioFolder(root) }
        }
    }

    @Test func `links may not lead out of the folder`() throws {
        try withFolder(["in/a.yaml": "x", "out/b.yaml": "x"]) { root in
            let link = root + "/in/c.yaml"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.yaml")
            #expect(try ScenarioFolder(root + "/in").entries.map(\.id) == ["a", "c"])
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../out/b.yaml")
            let error = #expect(throws: FileError.self) { try ScenarioFolder(root + "/in") }
            #expect(error?.reason == "is a symbolic link to something outside the folder")
        }
    }

    @Test func `selects by id, folder, file and row`() throws {
        try withFolder(["a/one.yaml": "x", "a/two.yaml": "x", "b/three.yaml": "x"]) { root in
            let folder = try ScenarioFolder(root)
            #expect(try folder.select([]).count == 3)
            #expect(try folder.select(["a"]).map(\.id) == ["a/one", "a/two"])
            #expect(try folder.select(["b/three", "a/one", "a/one"]).map(\.id) == ["a/one", "b/three"])
            #expect(try folder.select([root + "/a"]).map(\.id) == ["a/one", "a/two"])
            #expect(try folder.select([root + "/b/three.yaml"]).map(\.id) == ["b/three"])
            #expect(try folder.select(["a/one[x]"]).map(\.id) == ["a/one"])
            let error = #expect(throws: FileError.self) { try folder.select(["tow"]) }
            #expect(error?.description.contains("did you mean \"a/two\"?") == true)
        }
    }

    @Test func `files outside the folder bear their path, by which they are found again`() throws {
        try withFolder(["in/a.yaml": "x", "out/b.yaml": "x", "out/c/d.yml": "x", "out/b.json": "x"]) { root in
            for folder in [try ScenarioFolder(root + "/in"), ScenarioFolder()] {
                #expect(try folder.select([root + "/out/b.yaml"]).map(\.id) == [root + "/out/b"])
                #expect(try folder.select([root + "/out/b.yaml[row]"]).map(\.path) == [root + "/out/b.yaml"])
                #expect(try folder.select([root + "/out/b[row]"]).map(\.path) == [root + "/out/b.yaml"])
                let below = try folder.select([root + "/out/c/"])
                #expect(below.map(\.id) == [root + "/out/c/d"])
                #expect(try folder.select(below.map(\.id)) == below)
                #expect(throws: FileError.self) { try folder.select([root + "/out/b.yaml", root + "/out/b.json"]) }
            }
        }
    }

    @Test func `a row is wanted when it or its file was named`() {
        #expect(ScenarioFolder.isWanted("a[x]", by: []))
        #expect(ScenarioFolder.isWanted("a[x]", by: ["a"]))
        #expect(ScenarioFolder.isWanted("a[x]", by: ["a[x]"]))
        #expect(!ScenarioFolder.isWanted("a[y]", by: ["a[x]"]))
        #expect(ScenarioFolder.isWanted("b[y]", by: ["a[x]", "b"]))
    }

    @Test func `a missing file is reported with its path`() {
        #expect(throws: ScenarioErrors.self) { try ScenarioFolder.node(at: "/nonexistent/x.yaml") }
        #expect(throws: FileError.self) { try ScenarioFolder("/nonexistent") }
    }

    @Test(arguments: [
        ("fast", true), ("slow", false), ("!slow", true), ("retry && fast", true), ("retry && slow", false),
        ("slow, retry", true), ("slow || must", true), ("!(retry || slow)", false), ("a && b || retry", true),
    ])
    func `evaluates tag expressions`(text: String, matches: Bool) throws {
        let node = try YAMLFile.parse(Array(ScenarioDocumentTests.example.utf8), file: "s")
        let document = try #require(try ScenarioDocument.cases(of: node, id: "s").first)
        #expect(try TagExpression(text).matches(document) == matches)
    }

    @Test(arguments: ["", "&&", "a &&", "(a", "a b", "a & b", "!", "a,,b"])
    func `refuses malformed tag expressions`(text: String) {
        #expect(throws: TagExpression.Failure.self) { try TagExpression(text) }
    }
}
