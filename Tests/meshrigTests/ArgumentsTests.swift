import Testing

@testable import meshrig

@Suite struct ArgumentsTests {
    private static let options = [
        OptionDescriptor("--seed", short: "-s", .seed, ""), OptionDescriptor("--seeds", .seedRange, ""),
        OptionDescriptor("--jobs", short: "-j", .number(1...8), ""),
        OptionDescriptor("--set", .setting, "", repeats: true), OptionDescriptor("--strict", .flag, ""),
        OptionDescriptor("--junit", .text("FILE"), ""), OptionDescriptor("--pace", .pace, ""),
    ]

    private func parse(_ texts: String...) throws -> Arguments { try Arguments(texts[...], declared: Self.options) }

    private func complaint(_ texts: String...) -> String {
        do throws(UsageError) {
            _ = try Arguments(texts[...], declared: Self.options)
            return ""
        } catch { return error.description }
    }

    @Test func `reads options in every form, and words`() throws {
        let arguments = try parse(
            "a", "--seed", "0x1F", "--jobs=4", "--set", "x=1=2", "--set=y=", "--strict", "--", "--b")
        #expect(arguments.words == ["a", "--b"])
        #expect(arguments.seed("--seed") == 31)
        #expect(arguments.number("--jobs") == 4)
        #expect(arguments.settings("--set").map(\.name) == ["x", "y"])
        #expect(arguments.settings("--set").map(\.value) == ["1=2", ""])
        #expect(arguments.flag("--strict"))
        #expect(try parse("-s", "18446744073709551615").seed("--seed") == .max)
        #expect(try parse("--seeds", "3..5").seeds("--seeds") == 3...5)
        #expect(try parse("-").words == ["-"])
        #expect(try parse("x", "-h").asksForHelp)
    }

    @Test(arguments: [
        (["--sede", "1"], "unknown option --sede; did you mean --seed?"), (["--zzzzzzzz"], "unknown option --zzzzzzzz"),
        (["--seed"], "--seed needs a value: -s, --seed N"),
        (["--seed", "-1"], "--seed takes a number of at most 64 bits, not \"-1\""),
        (["--seed", "18446744073709551616"], "--seed takes a number of at most 64 bits, not \"18446744073709551616\""),
        (["--seeds", "5..3"], "--seeds takes a range such as 1..100 (at most 100000 seeds), not \"5..3\""),
        (["--seeds", "0..100000"], "--seeds takes a range such as 1..100 (at most 100000 seeds), not \"0..100000\""),
        (["--jobs", "9"], "--jobs takes a whole number from 1 to 8, not \"9\""),
        (["--set", "=x"], "--set takes NAME=VALUE, not \"=x\""), (["--strict=1"], "--strict takes no value"),
        (["--strict", "--strict"], "--strict is given twice"), (["--junit", ""], "--junit takes a value, not \"\""),
        (["--pace", "0"], "--pace takes a factor such as 1 or 0.5, at most 1000000, not \"0\""),
    ])
    func `explains what it cannot read`(texts: [String], message: String) throws {
        do throws(UsageError) {
            _ = try Arguments(texts[...], declared: Self.options)
            Issue.record("nothing was thrown")
        } catch { #expect(error.description == message) }
    }

    @Test func `the last word that is too many is named`() throws {
        #expect(throws: UsageError.self) { try parse("a", "b").words(upTo: 1) }
        #expect(throws: UsageError.self) { try parse().words(upTo: 1, needing: "a file") }
    }

    @Test func `every command has a summary and an example that names it`() {
        func check(_ command: Command, _ path: [String]) {
            let full = path + [command.name]
            #expect(!command.summary.isEmpty)
            #expect(path.isEmpty || command.example.hasPrefix(full.joined(separator: " ")), "\(full)")
            #expect(command.help(path: path).contains("usage: " + full.joined(separator: " ")))
            #expect(Set(command.options.map(\.name)).count == command.options.count)
            for inner in command.subcommands { check(inner, full) }
        }
        check(Program.root, [])
    }
}
