import CompanionProtocol
import Reporting
import RigBase
import RunRecord
import Testing

@Suite struct PacketCaptureTests {
    private struct Block {
        var type: UInt32
        var body: [UInt8]

        /// What follows the fixed part and the data of a packet.
        var data: [UInt8] { Array(body[20..<20 + Int(PacketCaptureTests.u32(body, 12))]) }
    }

    private static func u32(_ bytes: [UInt8], _ at: Int) -> UInt32 {
        bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func blocks(_ bytes: [UInt8]) throws -> [Block] {
        var blocks: [Block] = []
        var at = 0
        while at < bytes.count {
            let length = Int(Self.u32(bytes, at + 4))
            try #require(length % 4 == 0 && length >= 12 && at + length <= bytes.count)
            #expect(Self.u32(bytes, at + length - 4) == UInt32(length))
            blocks.append(Block(type: Self.u32(bytes, at), body: Array(bytes[at + 8..<at + length - 4])))
            at += length
        }
        return blocks
    }

    private func result(_ journal: Journal, _ id: String = "a/b") -> CaseResult {
        CaseResult(id: id, title: "", seed: 1, verdict: .passed, journal: journal)
    }

    @Test func `a sent and a heard packet carry the settings of the sender's radio`() throws {
        let journal = Journal()
        journal.post(
            .radioTuned, "bob", at: .zero,
            ["frequency": 869_618, "bandwidth": 250_000, "spreading-factor": 8, "coding-rate": 5])
        let sent = journal.post(
            .packetSent, "bob", at: SimInstant(milliseconds: 5), packet: 3, ["bytes": .bytes([9, 0, 7]), "airtime": 9])
        journal.post(
            .packetReceived, "amy", at: SimInstant(milliseconds: 9), cause: sent, packet: 3,
            ["from": "bob", "snr": -23, "rssi": -118, "bytes": .bytes([9, 0, 7])])
        journal.post(.packetMissed, "eve", at: SimInstant(milliseconds: 9), cause: sent, packet: 3, ["from": "bob"])
        var capture = PacketCapture()
        let all = try blocks(capture.blocks(result(journal), number: 1, epoch: 1_750_000_000))
        #expect(all.map(\.type) == [1, 1, 6, 6])
        #expect(all[0].body.prefix(2).elementsEqual([14, 1]))
        #expect(all[1].body.prefix(2).elementsEqual([147, 0]))
        let head: [UInt8] = [0, 0, 0, 15, 0x33, 0xD5, 0x51, 0x50, 2, 8]
        #expect(all[2].data == head + [0, 0, 0, 0, 0x12, 9, 0, 7])
        #expect(all[3].data == head + [21, 0, 0, 233, 0x12, 9, 0, 7])
        let time = UInt64(Self.u32(all[2].body, 4)) << 32 | UInt64(Self.u32(all[2].body, 8))
        #expect(time == 1_750_000_000_005_000_000)
    }

    @Test func `the next case has interfaces of its own, and hostile names stay within their option`() throws {
        let journal = Journal()
        journal.post(
            .frameToRadio, String(repeating: "\u{0}\u{1B}é", count: 40_000), at: .zero, ["frame": .bytes([22, 3])])
        var capture = PacketCapture()
        _ = capture.blocks(result(journal), number: 1, epoch: 0)
        let second = try blocks(
            capture.blocks(result(journal, String(repeating: "x", count: 100_000)), number: 2, epoch: 0))
        #expect(second.map(\.type) == [1, 1, 6])
        #expect(Self.u32(second[2].body, 0) == 3)
        #expect(second[2].data == [22, 3])
        #expect(second.allSatisfy { $0.body.count < 2_000 })
    }

    @Test func `a case that did not run leaves nothing`() {
        var capture = PacketCapture()
        let none = CaseResult(id: "a", title: "", seed: 1, verdict: .bad)
        #expect(capture.blocks(none, number: 1, epoch: 0).isEmpty)
        #expect(PacketCapture.header(version: "1").prefix(4).elementsEqual([0x0A, 0x0D, 0x0D, 0x0A]))
    }

    @Test func `the dissector knows every frame and each of its fields`() {
        let text = DissectorScript.text(version: "1")
        for command in CommandCatalog.all {
            #expect(text.contains("  [\(command.code.rawValue)] = { name = \"\(FrameNames.name(of: command.code))\""))
        }
        for frame in FrameNames.radioFrames {
            #expect(text.contains("  [\(frame.code.rawValue)] = { name = \"\(frame.name)\""))
        }
        let secrets = text.split(separator: "\n").filter { $0.contains("secret = true") }
        #expect(secrets.count >= 5)
        #expect(text.contains("{ name = \"attempt\", form = \"unsigned\", size = 1 }"))
    }
}
