internal import Reporting
internal import RunRecord
internal import ScenarioModel

/// Tells what became of a packet.
enum ExplainCommand {
    static let command = Command(
        "explain", "Tells the life of a packet from the record of a run, or lists its packets.", words: "RUN [PACKET]",
        options: [OptionDescriptor("--case", .text("ID"), "of a run of several cases, the one with this id or number")],
        example: "meshrig explain run.jsonl last"
    ) { arguments, output in
        let words = try arguments.words(upTo: 2, needing: "the file of a run, as `meshrig run --jsonl` writes it,")
        let contents: [UInt8]
        do { contents = try FileAccess.read(words[0], limit: RunFile.sizeLimit) } catch { throw UsageError("\(error)") }
        let file: RunFile
        do { file = try RunFile(reading: contents) } catch {
            throw UsageError("\(words[0]) is no record of a run, as `meshrig run --jsonl` writes it: \(error)")
        }
        let chosen = try choose(arguments.text("--case"), in: file)
        guard words.count == 2 else {
            output.write(PacketStory.list(chosen.events).joined(separator: "\n") + "\n")
            return 0
        }
        do {
            output.write(try PacketStory(chosen.events, packet: words[1]).lines.joined(separator: "\n") + "\n")
        } catch { throw UsageError("\(error)") }
        return 0
    }

    private static func choose(_ name: String?, in file: RunFile) throws(UsageError) -> RunFile.Case {
        let ids = file.cases.map(\.id)
        guard let name else {
            if file.cases.count == 1 { return file.cases[0] }
            throw UsageError(
                "the run has \(ids.count) cases; choose one with --case and its number: "
                    + file.cases.prefix(12).map { "\($0.number) (\($0.id), seed \($0.seed))" }.joined(separator: ", "))
        }
        guard let found = file.cases.first(where: { $0.id == name || "\($0.number)" == name }) else {
            throw UsageError.unknown("case", name, among: ids)
        }
        return found
    }
}
