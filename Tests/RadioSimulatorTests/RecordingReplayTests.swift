import Foundation
import MeshProtocol
import RadioSimulator
import RigBase
import Testing

/// Replays parts of the firmware recordings: same frames in, same frames and packets out, to the millisecond.
@Suite struct RecordingReplayTests {
    private func rows(_ file: String) throws -> [[String: Any]] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
        let url = folder.appending(path: "Firmware-fixtures/1.17.1/\(file).jsonl")
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
            return try #require(value as? [String: Any])
        }
    }

    private func integer(_ value: Any?) -> Int { (value as? NSNumber)?.intValue ?? 0 }

    private func bytes(_ value: Any?) throws -> [UInt8] {
        let text = try #require(value as? String)
        return try #require(Hex.decode(text))
    }

    private func bench(_ rows: [[String: Any]]) throws -> Bench {
        var spec = WorldSpec(medium: .recorder(chunkMillis: 10))
        for row in rows where integer(row["t"]) < 0 {
            if let name = row["node"] as? String {
                let key = try bytes(row["prv"])
                let identity = try #require(Identity(privateKey: key))
                spec.nodes.append(
                    NodeSpec(
                        name: name, identity: identity, board: .recorder, displayName: "",
                        random: .recorder(seed: UInt32(integer(row["seed"])))))
            } else if let ends = row["link"] as? [String] {
                spec.links += LinkSpec.both(ends[0], ends[1], snrQuarterDB: 48, rssi: -60)
            }
        }
        return try Bench(spec)
    }

    /// Plays a recording up to `end` and compares what came out.
    private func replay(_ file: String, until end: Int = .max) throws -> Int {
        let all = try rows(file)
        let bench = try bench(all)
        let played = all.filter { (0...end).contains(integer($0["t"])) }
        var frames: [String: [String]] = [:]
        var packets: [String] = []
        for row in played {
            let (time, hex) = (integer(row["t"]), row["hex"] as? String ?? "")
            switch (row["dir"] as? String, row["node"] as? String, row["ota"] as? String) {
            case ("app>radio", let node?, _):
                bench.world.run(until: SimInstant(milliseconds: Int64(time)))
                bench.write(try bytes(hex), to: node)
            case ("radio>app", let node?, _): frames[node, default: []].append("\(time) \(hex)")
            case (_, _, "@inject"): Issue.record("a script packet in \(file)")
            case (_, _, let sender?): packets.append("\(time) \(sender) \(hex)")
            default: break
            }
        }
        bench.run(Int64(integer(played.last?["t"])) - bench.world.now.milliseconds)
        for name in bench.world.names {
            let got = bench.world.takeHostOutput(of: name).map { "\($0.at.milliseconds) \(Hex.encode($0.frame))" }
            #expect(got == frames[name])
        }
        #expect(bench.sent.map { "\($0.at) \($0.node) \(Hex.encode($0.bytes))" } == packets)
        return frames.values.reduce(packets.count) { $0 + $1.count }
    }

    @Test func `the channel recording is reproduced byte for byte`() throws {
        #expect(try replay("c05_channels") == 61)
    }

    /// The first acknowledgement with a byte of undefined memory is at 49356.
    @Test func `two companions meet as in the recording`() throws {
        #expect(try replay("m01_two_companions", until: 49_300) > 60)
    }
}
