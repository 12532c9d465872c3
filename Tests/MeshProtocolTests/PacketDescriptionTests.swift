import MeshProtocol
import RigBase
import Testing

@Suite struct PacketDescriptionTests {
    @Test func `a description names the parts that are in the clear`() throws {
        let vectors = try Vectors()
        func line(_ id: String) throws -> String { PacketDescription.line(try vectors.packet(id).bytes("raw")) }
        #expect(
            try line("ack-direct-6") == "route=direct type=ack path=[21 db] ack=7baf326a005a hash=a447b82f62bdc817")
        #expect(try line("trace-hop2").contains("path=[6 dB -3.25 dB]"))
        #expect(try line("trace-hop2").contains("hops=db21db"))
        #expect(try line("advert-chat-loc-name").contains("signature=good node-type=1 position=51501400 -141900 µ°"))
        #expect(try line("txt-plain-scoped").hasPrefix("route=transport-flood type=txt-msg transport-codes=9600 0"))
        #expect(try line("control-discover-resp-prefix").contains("snr=-3.25 dB"))
        let forged = try vectors.object("advert_forged").bytes("raw")
        #expect(PacketDescription.line(forged).contains("signature=bad"))
    }

    @Test func `what is no packet says why`() {
        #expect(PacketDescription.line([0x49, 0]) == "error=payload version 1 is not supported")
        #expect(PacketDescription.line([]) == "error=the packet is cut short: 1 byte wanted at offset 0, 0 there")
    }

    @Test func `arbitrary bytes are described without a trap`() {
        var generator = Prng(seed: 5)
        for _ in 0..<2_000 {
            #expect(!PacketDescription.fields(of: generator.bytes(generator.index(below: 260))).isEmpty)
        }
    }
}
