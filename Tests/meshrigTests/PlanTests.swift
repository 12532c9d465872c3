import Foundation
import Testing

/// `meshrig plan`, as a user would call it.
@Suite struct PlanTests {
    @Test func `a plan has a row for each case and a total`() throws {
        let outcome = try ProgramTests.shell("meshrig plan client/direct-messages client/sync --jobs 2")
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(lines[0].prefix(4) == ["scenario", "steps", "frames", "packets"])
        let rows = lines.dropFirst().dropLast()
        let total = try #require(lines.last)
        #expect(total.prefix(2) == ["\(rows.count)", "cases"])
        for column in [1, 2, 3, 6] {
            #expect(rows.reduce(0) { $0 + (Int($1[column]) ?? -99) } == Int(total[column + 1]), "\(outcome.output)")
        }
        let flood = try #require(rows.first { $0[0].hasSuffix("/flood-with-ack") })
        #expect(flood[1] == "2" && flood[7] == "--allow-transmit", "\(flood)")
        #expect(!outcome.output.contains("passed"))
    }

    @Test func `a failing case is not judged, and the JSON is the same`() throws {
        let folder = try Folder()
        try folder.write(ProgramTests.good + "expect: { contacts: 7 }\n", "a.yaml")
        let outcome = try ProgramTests.shell("cd '\(folder.path)' && meshrig plan a.yaml --json")
        #expect(outcome.code == 0)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("{\"kind\":\"case\",\"id\":\"a\",\"seed\":1,\"steps\":1,\"frames\":"))
        #expect(lines[0].hasSuffix("\"consents\":[]}"))
        #expect(lines[1].hasPrefix("{\"kind\":\"total\",\"cases\":1,\"steps\":1,"))
    }

    @Test func `with radios it tells what they cannot do and which steps need consent`() throws {
        let folder = try Folder()
        try folder.write(
            """
            title: t
            requirement: r
            world: { nodes: { alice: { contacts: [bob] }, bob: {} }, links: { alice-bob: 9 } }
            steps:
              - connect
              - send: { to: bob, text: "hi" }
              - remove-contact: bob
              - cut: alice-bob
            """, "a.yaml")
        try folder.write("title: t\nradios: { alice: tcp:127.0.0.1:9, bob: tcp:127.0.0.1:10 }\n", "desk.yaml")
        let outcome = try ProgramTests.shell("cd '\(folder.path)' && meshrig plan a.yaml --testbed desk.yaml")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("    --allow-transmit  send: { to: bob, text: \"hi\" }\n"), "\(outcome.output)")
        #expect(outcome.output.contains("    --allow-destructive  remove-contact: bob\n"))
        try folder.write("title: t\nradios: { alice: tcp:127.0.0.1:9 }\n", "desk.yaml")
        let less = try ProgramTests.shell("cd '\(folder.path)' && meshrig plan a.yaml --testbed desk.yaml")
        #expect(less.output.contains("    desk.yaml has no radio for bob\n"), "\(less.output)\(less.errors)")
    }

    @Test func `a file that is wrong ends with 2`() throws {
        let folder = try Folder()
        try folder.write("title: t\n", "a.yaml")
        #expect(try ProgramTests.shell("meshrig plan '\(folder.path)/a.yaml'").code == 2)
    }
}
