import CompanionProtocol
import RigBase
import Testing

@Suite struct `Secrets in frames` {
    struct Case: CustomTestStringConvertible {
        var direction: LinkDirection
        var hex: String
        var secret: Range<Int>
        var testDescription: String { direction.rawValue + " " + hex.prefix(4) }

        init(_ direction: LinkDirection, _ hex: String, _ secret: Range<Int>) {
            self.direction = direction
            self.hex = hex
            self.secret = secret
        }
    }

    static func fill(_ byte: String, _ count: Int) -> String { String(repeating: byte, count: count) }

    static let cases: [Case] = [
        Case(.toRadio, "1a" + fill("11", 32) + "70617373", 33..<37),
        Case(.toRadio, "18" + fill("41", 64), 1..<65),
        Case(.toRadio, "2001" + fill("41", 48), 34..<50),
        // The refused form with 32 secret bytes hides the second half too.
        Case(.toRadio, "2001" + fill("41", 64), 34..<66),
        Case(.toRadio, "2540e20100", 1..<5),
        Case(.toRadio, "3600" + fill("55", 16), 2..<18),
        Case(.toRadio, "3f" + fill("61", 47), 32..<48),
        Case(.fromRadio, "0e" + fill("41", 64), 1..<65),
        Case(.fromRadio, "1203" + fill("41", 48), 34..<50),
        Case(.fromRadio, "1c" + fill("61", 47), 32..<48),
        Case(.fromRadio, "0d0daf2840e20100" + fill("41", 74), 4..<8),
    ]

    @Test(arguments: cases)
    func `are masked and nothing else is`(_ example: Case) throws {
        let direction = example.direction
        let secret = example.secret
        let frame = try #require(Hex.decode(example.hex))
        let masked = Redaction.mask(frame, direction)
        var expected = frame
        for index in secret { expected[index] = 0 }
        #expect(masked == expected)
        let secretHex = Hex.encode(frame[secret])
        #expect(!FrameDescription.line(frame, direction).contains(secretHex))
        #expect(FrameDescription.line(frame, direction).contains("<secret>"))
    }

    @Test func `do not show in a decoded frame`() {
        let login = SendLoginCommand(key: [UInt8](repeating: 1, count: 32), password: Secret(utf8: "hunter2"))
        #expect(!"\(login)".contains("hunter2"))
        #expect(!"\(AppFrame.decode(login.encoded))".contains("hunter2"))
        let info = DeviceInfoReply.samples[1]
        #expect(info.details?.pin == 123_456)
        #expect(!"\(info)".contains("123456"))
    }

    @Test func `signing data is no secret`() {
        let frame: [UInt8] = [0x22, 1, 2, 3]
        #expect(Redaction.mask(frame, .toRadio) == frame)
    }
}
