import MeshProtocol
import RigBase
import Testing

@testable import Conformance

@Suite struct StreamComparisonTests {
    private func frames(_ entries: [(Int64, [UInt8])]) -> [Observation] {
        entries.map { Observation(at: $0.0, content: .frame($0.1)) }
    }

    private func compare(_ recorded: [Observation], _ simulated: [Observation]) -> (Int, [Mismatch]) {
        var comparison = StreamComparison(masking: Masking(Recording()))
        comparison.compare(ObservationStream(node: "A", kind: .frames, recorded: recorded, simulated: simulated))
        return (comparison.passed, comparison.mismatches)
    }

    private let stream: [(Int64, [UInt8])] = (1...20).map { (Int64($0) * 10, [UInt8($0)]) }

    @Test func `equal streams pass row by row`() {
        let (passed, mismatches) = compare(frames(stream), frames(stream))
        #expect(passed == 20)
        #expect(mismatches.isEmpty)
    }

    @Test func `a changed byte and a millisecond each fail exactly one row`() {
        var changed = stream
        changed[4].1 = [0xFF]
        changed[9].0 += 1
        let (passed, mismatches) = compare(frames(stream), frames(changed))
        #expect(passed == 18)
        #expect(mismatches.count == 2)
        #expect(mismatches.first?.recorded?.content == .frame([5]))
        #expect(mismatches.first?.simulated?.content == .frame([0xFF]))
    }

    @Test func `a missing and a surplus row fail once and leave the rest aligned`() {
        var shorter = stream
        shorter.remove(at: 3)
        let (passed, mismatches) = compare(frames(stream), frames(shorter))
        #expect(passed == 19)
        #expect(mismatches.count == 1 && mismatches[0].simulated == nil)
        let (backPassed, surplus) = compare(frames(shorter), frames(stream))
        #expect(backPassed == 19)
        #expect(surplus.count == 1 && surplus[0].recorded == nil)
    }

    @Test func `streams that never agree fail in every row`() {
        let (passed, mismatches) = compare(frames(stream), frames(stream.map { ($0.0 + 1, $0.1) }))
        #expect(passed == 0)
        #expect(mismatches.count == 20)
        #expect(compare(frames(stream), []).1.count == 20)
        #expect(compare([], frames(stream)).1.count == 20)
    }

    @Test func `ignored bytes count neither way but the rest of the frame does`() {
        let recorded = [Observation(at: 1, content: .frame([1, 2, 3]), ignored: [1..<2, 7..<9])]
        #expect(compare(recorded, frames([(1, [1, 9, 3])])).0 == 1)
        #expect(compare(recorded, frames([(1, [1, 9, 4])])).0 == 0)
        #expect(compare(recorded, frames([(1, [1])])).0 == 0)
    }

    @Test func `a short contact command masks the position until it is set`() {
        var masking = FrameMasking()
        let key = [UInt8](repeating: 7, count: 32)
        let contact = [0x03] + key + [UInt8](repeating: 0, count: 115)
        #expect(masking.ranges(in: contact).isEmpty)
        masking.sees(command: [0x09] + key + [UInt8](repeating: 0, count: 103))
        #expect(masking.ranges(in: contact) == [136..<144])
        masking.sees(command: [0x09] + key + [UInt8](repeating: 0, count: 111))
        #expect(masking.ranges(in: contact).isEmpty)
        masking.sees(command: [0x09] + key + [UInt8](repeating: 0, count: 103))
        #expect(masking.ranges(in: contact).isEmpty)
    }

    @Test func `the undefined byte of an acknowledgement is masked, in a PATH too, and no other byte is`() throws {
        let alice = Identity(seed: RecorderIdentity.seed(of: "A"))
        let bob = Identity(seed: RecorderIdentity.seed(of: "B"))
        let secret = alice.sharedSecret(with: bob.publicKey)
        let text = TextMessage(timestamp: 9, text: Array("eleven byte".utf8))
        let envelope = PeerEnvelope(text.plaintext, from: alice.publicKey, to: bob.publicKey, secret: secret)
        let sent = Packet.flood(.textMessage, envelope.encoded).encoded
        let rows = [
            RecordingSample.header, RecordingSample.secondHeader,
            #"{"t":1,"ota":"A","airtime_us":1,"hex":"\#(Hex.encode(sent))","rx":[]}"#,
        ].joined(separator: "\n")
        let masking = Masking(try RecordingReader.read(file: "x", contents: Array(rows.utf8)))
        let ack = text.ackHash(key: alice.publicKey).bytes

        func bare(_ undefined: UInt8, _ random: UInt8 = 1) -> [UInt8] {
            masking.packet(Packet.flood(.ack, ack + [undefined, random]).encoded)
        }
        func path(_ undefined: UInt8, _ random: UInt8 = 1) -> [UInt8] {
            let returned = PathReturn(pathLength: .empty, path: [], carrying: .ack, ack + [undefined, random])
            let sealed = PeerEnvelope(returned.plaintext, from: bob.publicKey, to: alice.publicKey, secret: secret)
            return masking.packet(Packet.flood(.path, sealed.encoded).encoded)
        }
        #expect(bare(0x5D) == bare(0))
        #expect(bare(0, 2) != bare(0))
        #expect(path(0x5D) == path(0))
        #expect(path(0, 2) != path(0))
        #expect(masking.frame([0x88, 1, 2] + Packet.flood(.ack, ack + [9, 1]).encoded) == [0x88, 1, 2] + bare(0))
        let other = Packet.flood(.ack, [1, 2, 3, 4, 5, 6]).encoded
        #expect(masking.packet(other) == other)
    }
}
