import Foundation
import Testing

@testable import meshrig

@Suite struct ManTests {
    @Test func `the page has every command, option and example`() {
        let page = ManCommand.page(of: Program.root).replacing("\\-", with: "-")
        func check(_ command: Command, _ path: [String]) {
            let name = (path + [command.name]).joined(separator: " ")
            if command.subcommands.isEmpty { #expect(page.contains("\n.SS \"\(name)"), "\(name)") }
            for option in command.options {
                #expect(page.contains("\n.B \"" + option.usage), "\(name) \(option.usage)")
            }
            for inner in command.subcommands { check(inner, path + [command.name]) }
        }
        for command in Program.root.subcommands {
            check(command, [])
            #expect(page.contains(command.example.replacing("\"", with: "\"").prefix(12)))
        }
        let sections = page.split(separator: "\n").filter { $0.hasPrefix(".SH ") }
        #expect(
            sections == [
                ".SH \"NAME\"", ".SH \"SYNOPSIS\"", ".SH \"DESCRIPTION\"", ".SH \"COMMANDS\"", ".SH \"EXIT STATUS\"",
                ".SH \"ENVIRONMENT\"", ".SH \"FILES\"", ".SH \"EXAMPLES\"",
            ])
    }

    @Test func `every request is one of man's, and text is never taken for one`() {
        let page = ManCommand.page(of: Program.root)
        let known = [".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".nf", ".fi", ".nh", ".ad", ".br", ".RS", ".RE"]
        for line in page.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
            #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
        }
        #expect(page.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
        var roff = Roff()
        roff.paragraph(".TH is text")
        roff.paragraph("'so is this \\ and that…")
        roff.notes("a\nb\n\nc:\n  .d\n  e\nf")
        roff.item("-x \"y\"", "")
        #expect(
            roff.text
                == ".PP\n\\&.TH is text\n.PP\n\\(aqso is this \\e and that\\[u2026]\n.PP\na\nb\n.PP\nc:\n.RS 4\n\\&.d\n.br\ne\n.RE\n.PP\nf\n"
                + ".TP\n.B \"\\-x \\(dqy\\(dq\"\n\\&\n")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func `groff sets it without a warning`() throws {
        let outcome = try ProgramTests.shell("meshrig man | groff -man -ww -Tutf8 -P-cbou -rLL=100n")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.output.contains("--shard I/N|auto"))
        #expect(outcome.output.contains("meshrig run client/sync --seed 7"))
        // What stands at the beginning of a line in the help is there, with its special characters.
        #expect(outcome.output.contains("run [options] [ID, folder or file…]"))
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/man")))
    func `man shows it without a warning`() throws {
        let outcome = try ProgramTests.shell(
            "meshrig man > /tmp/meshrig-man-$$.1; man --warnings -l /tmp/meshrig-man-$$.1 2>&1 >/dev/null; rm /tmp/meshrig-man-$$.1"
        )
        #expect(outcome.output.isEmpty, "\(outcome.output)")
    }
}
