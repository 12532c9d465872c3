import CompanionProtocol
import RigBase
import RigTestKit
import Testing

@Suite struct `Framing` {
    static func clientFrames(_ chunks: [[UInt8]], _ options: ClientFrameDecoder.Options = .init()) -> [[UInt8]] {
        var decoder = ClientFrameDecoder(options: options)
        return chunks.flatMap { decoder.receive($0) }.compactMap {
            if case .frame(let frame) = $0 { frame } else { nil }
        }
    }

    static func randomFrames(_ prng: inout Prng, count: Int) -> [[UInt8]] {
        (0..<count).map { _ in prng.bytes(1 + prng.index(below: CompanionLimits.maxFrameSize)) }
    }

    @Test func `the client decoder finds the same frames however they are cut`() {
        var prng = Prng(seed: 11).fork("client framing")
        let verifier = FrameDecoderVerifier(
            encode: { FrameEncoder.encode($0, .fromRadio) }, decode: { Self.clientFrames($0) })
        let garbage: [[UInt8]] = [
            Array("boot 1.17.1\r\n".utf8), [0, 0x3C, 5, 0], [0x3E, 0xFF, 0xFF], [0x3E, 0, 0], [0x3E, 0x3E, 0xFF],
            [0x3E, 0xB1, 0x00],
        ]
        for _ in 0..<20 {
            let frames = Self.randomFrames(&prng, count: 12)
            #expect(verifier.problems(with: frames, garbage: garbage, &prng) == [])
        }
    }

    @Test func `the serial device decoder finds the same frames however they are cut`() {
        var prng = Prng(seed: 12).fork("device framing")
        let verifier = FrameDecoderVerifier(
            encode: { FrameEncoder.encode($0, .toRadio) },
            decode: { chunks in
                var decoder = SerialFirmwareDecoder()
                var frames: [[UInt8]] = []
                for chunk in chunks {
                    decoder.receive(chunk)
                    while let frame = decoder.nextFrame() { frames.append(frame) }
                }
                return frames
            })
        for _ in 0..<20 {
            let frames = Self.randomFrames(&prng, count: 12)
            let garbage: [[UInt8]] = [[0, 1, 2, 0x3E], [0x3C, 0, 0], Array("ATZ\r".utf8)]
            #expect(verifier.problems(with: frames, garbage: garbage, &prng) == [])
        }
    }

    @Test func `the Wi-Fi device decoder finds the same frames however they are cut`() {
        var prng = Prng(seed: 13).fork("device framing")
        let verifier = FrameDecoderVerifier(
            encode: { FrameEncoder.encode($0, .toRadio) },
            decode: { chunks in
                var decoder = WifiFirmwareDecoder()
                var frames: [[UInt8]] = []
                for chunk in chunks {
                    decoder.receive(chunk)
                    for _ in 0..<chunk.count + 2 { if let frame = decoder.nextFrame() { frames.append(frame) } }
                }
                return frames
            })
        for _ in 0..<20 {
            let frames = Self.randomFrames(&prng, count: 12)
            #expect(
                verifier.problems(with: frames, garbage: [[0x3C, 0, 0], [0, 9, 9], [0x0D, 2, 0, 1, 1]], &prng) == [])
        }
    }

    @Test func `a log line before a frame is noise and the frame decodes`() {
        var decoder = ClientFrameDecoder()
        let line = Array("I (31) boot: MeshCore\n".utf8)
        #expect(decoder.receive(line + [0x3E, 1, 0, 0x0A]) == [.noise(line), .frame([0x0A])])
    }

    @Test func `a zero-length frame is nothing`() {
        var decoder = ClientFrameDecoder()
        #expect(decoder.receive([0x3E, 0, 0]) == [])
        #expect(decoder.receive([0x3E, 0, 0, 0x3E, 1, 0, 0]) == [.frame([0])])
        #expect(decoder.heldCount == 0)
    }

    @Test func `a senseless length costs no more than one frame`() {
        let good: [[UInt8]] = [[0], [9, 1, 2, 3, 4], [0x0A]]
        let stream: [UInt8] = [0x3E, 0xFF, 0xFF] + good.flatMap { FrameEncoder.encode($0, .fromRadio) }
        #expect(Self.clientFrames([stream]) == good)
        #expect(Self.clientFrames(stream.map { [$0] }) == good)
        // The decoder without a limit waits for 65535 bytes.
        #expect(Self.clientFrames([stream], .init(resynchronises: false)) == [])
    }

    @Test func `what is held when the link ends is given back`() {
        var decoder = ClientFrameDecoder()
        #expect(decoder.receive([0x3E, 5, 0, 1]) == [])
        #expect(decoder.reset() == [0x3E, 5, 0, 1])
        #expect(decoder.receive([0x3E, 1, 0, 7]) == [.frame([7])])
    }

    @Test func `random bytes keep the decoder usable`() {
        var prng = Prng(seed: 14).fork("garbage")
        for _ in 0..<200 {
            var decoder = ClientFrameDecoder()
            for _ in 0..<20 { _ = decoder.receive(prng.bytes(prng.index(below: 100))) }
            // At most one false frame's worth of bytes is waited for.
            #expect(decoder.heldCount < FrameEncoder.envelopeSize + CompanionLimits.maxFrameSize)
            _ = decoder.receive([UInt8](repeating: 0, count: 200))
            #expect(decoder.receive([0x3E, 1, 0, 0x42]).contains(.frame([0x42])))
        }
    }

    @Test func `a half frame swallows the next command on a serial radio`() {
        var decoder = SerialFirmwareDecoder()
        decoder.receive([0x3C, 5, 0, 0x16])
        #expect(decoder.nextFrame() == nil && decoder.isInsideFrame)
        decoder.receive([0x3C, 1, 0, 0x05])
        #expect(decoder.nextFrame() == [0x16, 0x3C, 1, 0, 5])
        #expect(decoder.nextFrame() == nil && !decoder.isInsideFrame)
    }

    @Test func `an oversize frame is cut by a serial radio and dropped by a Wi-Fi one`() {
        let long = [UInt8](repeating: 5, count: 200)
        let bytes = FrameEncoder.encode(long, .toRadio) + FrameEncoder.encode([6], .toRadio)
        var serial = SerialFirmwareDecoder()
        serial.receive(bytes)
        #expect(serial.nextFrame() == Array(long.prefix(176)))
        #expect(serial.unreadCount == 4)
        #expect(serial.nextFrame() == [6])
        var wifi = WifiFirmwareDecoder()
        wifi.receive(bytes)
        #expect(wifi.nextFrame() == nil)
        #expect(wifi.nextFrame() == [6])
    }

    @Test func `garbage stalls a Wi-Fi radio until the client is replaced`() {
        var decoder = WifiFirmwareDecoder()
        decoder.receive([0x0D, 0x0A, 0x3C] + FrameEncoder.encode([5], .toRadio))
        for _ in 0..<10 { #expect(decoder.nextFrame() == nil) }
        decoder.clientChanged()
        decoder.receive(FrameEncoder.encode([5], .toRadio))
        #expect(decoder.nextFrame() == [5])
    }
}
