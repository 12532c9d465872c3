import CompanionProtocol
import Foundation
import MeshProtocol
import RadioSimulator
import RigBase
import Testing

/// What the commands say about themselves, held against the simulated firmware and the recorded one.
@Suite struct CommandRuleTests {
    private static func sample<C: CompanionCommand>(_ command: C.Type) -> [UInt8] { command.samples[0].encoded }

    @Test func `a frame shorter than a command's rules is answered like an unknown command`() throws {
        let bench = try Bench(["alice"])
        for command in CommandCatalog.all {
            guard let lengths = command.rules.lengths else { continue }
            let frame = Self.sample(command) + [UInt8](repeating: 0, count: 176)
            let refusal: [UInt8] = command.code == .sendChannelData ? [0x01, 0x06] : [0x01, 0x01]
            for length in 1..<max(1, lengths.lowerBound) {
                #expect(bench.ask(Array(frame[..<length]), "alice", within: 1) == [refusal], "\(command), \(length)")
            }
            if lengths.upperBound < 176 {
                let long = Array(frame[...lengths.upperBound])
                #expect(bench.ask(long, "alice", within: 1) == [[0x01, 0x01]], "\(command)")
            }
        }
    }

    @Test func `the recorded sweep holds no error a command does not announce`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Firmware-fixtures/1.17.1/s01_code_sweep.jsonl").standardized
        var errors = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            let request = try #require((row["req"] as? String).flatMap { Hex.decode($0) })
            guard let responses = row["resp"] as? [String], let answer = responses.first.flatMap({ Hex.decode($0) }),
                answer.count == 2, answer[0] == 0x01,
                let rules = CommandCatalog.command(CommandCode(rawValue: request[0]))?.rules
            else { continue }
            errors += 1
            let announced = rules.errors.map(\.rawValue) + (rules.lengths == nil ? [] : [1])
            #expect(announced.contains(answer[1]), "\(Hex.encode(request)) answers \(answer[1])")
        }
        #expect(errors > 500)
    }

    @Test(arguments: FirmwareProfile.catalogue)
    func `a release knows no command that is younger than its protocol version`(profile: FirmwareProfile) {
        for command in CommandCatalog.all where command.rules.since > profile.protocolCode {
            #expect(profile.missingCommands.contains(command.code.rawValue), "\(command)")
        }
        let unknown = profile.missingCommands.filter { CommandCatalog.command(CommandCode(rawValue: $0)) == nil }
        #expect(unknown.isEmpty)
    }
}
