import CompanionProtocol
import RigBase
import Testing

@Suite struct `Frame samples` {
    /// Bytes of every sample of every frame with the direction it goes.
    static let all: [(direction: LinkDirection, bytes: [UInt8])] =
        CommandCatalog.all.flatMap { commandSamples($0) } + RadioCatalog.all.flatMap { radioSamples($0) }

    static func commandSamples<Command: CompanionCommand>(_ type: Command.Type) -> [(LinkDirection, [UInt8])] {
        type.samples.map { (.toRadio, $0.encoded) }
    }

    static func radioSamples<Payload: RadioPayload>(_ type: Payload.Type) -> [(LinkDirection, [UInt8])] {
        type.samples.map { (.fromRadio, $0.encoded) }
    }

    static func checkCommand<Command: CompanionCommand>(_ type: Command.Type) {
        #expect(!type.samples.isEmpty, "\(type) has no sample")
        for sample in type.samples {
            #expect((try? sample.checkedEncoding()) == sample.encoded)
            #expect(sample.encoded.first == type.code.rawValue)
            guard case .command(let decoded) = AppFrame.decode(sample.encoded) else {
                Issue.record("\(AppFrame.decode(sample.encoded)) instead of \(sample)")
                continue
            }
            let same = (decoded as? Command) == sample
            #expect(same, "\(decoded)")
        }
    }

    static func checkRadio<Payload: RadioPayload>(_ type: Payload.Type) {
        #expect(!type.samples.isEmpty, "\(type) has no sample")
        for sample in type.samples {
            let frame = RadioFrame.decode(sample.encoded)
            #expect(frame == sample.frame)
            #expect(frame.encoded == sample.encoded)
            #expect(frame.code == sample.code && type.codes.contains(sample.code))
        }
    }

    @Test func `every command decodes to what was encoded`() { CommandCatalog.all.forEach { Self.checkCommand($0) } }
    @Test func `every radio frame decodes to what was encoded`() { RadioCatalog.all.forEach { Self.checkRadio($0) } }

    @Test func `every code has a name and a catalogue entry`() {
        #expect(
            FrameNames.commands.map(\.code) == FrameNames.commands.map(\.code.rawValue).sorted().map(CommandCode.init))
        for (name, code) in FrameNames.commands {
            let found = CommandCatalog.command(code).map { $0.code }
            #expect(found == code, "\(name)")
            #expect(FrameNames.command(named: name) == code)
            #expect(FrameNames.name(of: code) == name)
        }
        #expect(CommandCatalog.all.count == FrameNames.commands.count)
        for (name, code) in FrameNames.radioFrames {
            let found = RadioCatalog.payload(code).map { $0.codes } ?? []
            #expect(found.contains(code), "\(name)")
            #expect(FrameNames.radioFrame(named: name) == code)
            #expect(FrameNames.name(of: code) == name)
        }
        let radioCodes = RadioCatalog.all.flatMap { $0.codes }
        #expect(radioCodes.count == FrameNames.radioFrames.count)
        #expect(FrameNames.command(named: "get-advert-path") == .getAdvertPath)
        #expect(FrameNames.radioFrame(named: "direct-message-v3") == .directMessageV3)
        #expect(FrameNames.command(named: "0x2f") == CommandCode(rawValue: 0x2F))
        #expect(FrameNames.name(of: CommandCode(rawValue: 0x2F)) == "0x2f")
        #expect(FrameNames.command(named: "send-texts") == nil)
    }

    @Test func `the layout tables cover every byte of every sample`() {
        for (direction, bytes) in Self.all {
            let layout = FrameDescription.layout(of: bytes, direction)
            let placed = layout?.place(on: bytes) ?? []
            #expect((placed.last?.range.upperBound ?? 1) == bytes.count, "\(FrameDescription.line(bytes, direction))")
            for entry in placed {
                if case .fixed(let size) = entry.field.size { #expect(entry.range.count == size) }
            }
        }
    }

    @Test func `documentation tells offsets up to the first field without a fixed size`() {
        let rows = SendTextCommand.layout.rows
        #expect(rows.map(\.field.name) == ["text-type", "attempt", "timestamp", "recipient", "text"])
        #expect(rows.map(\.offset) == [1, 2, 3, 7, 13] && rows.map(\.size) == [1, 1, 4, 6, nil])
        #expect(ContactReply.layout(of: .contact).rows.last?.offset == 144)
        #expect(SendChannelDataCommand.layout.rows.map(\.offset) == [1, 2, 3, nil, nil])
    }

    @Test func `every prefix of every sample decodes without a trap and keeps its bytes when it is refused`() {
        for (direction, bytes) in Self.all {
            for count in 0..<bytes.count {
                let cut = Array(bytes[..<count])
                switch direction {
                case .toRadio:
                    if case .malformed(_, let kept, _) = AppFrame.decode(cut) { #expect(kept == cut) }
                case .fromRadio:
                    if case .malformed(_, let kept, _) = RadioFrame.decode(cut) { #expect(kept == cut) }
                }
                _ = FrameDescription.describe(cut, direction)
                #expect(Redaction.mask(cut, direction).count == count)
            }
        }
    }

    @Test func `random bytes never trap and stay what they are`() {
        var prng = Prng(seed: 1).fork("random frames")
        let codes = RadioCatalog.all.flatMap { $0.codes }
        for _ in 0..<3_000 {
            let count = prng.index(below: 200)
            var bytes = prng.bytes(count)
            // Mostly known codes, because unknown ones are not looked into.
            if let first = bytes.indices.first, prng.chance(Ratio(9, in: 10)) {
                bytes[first] = codes[prng.index(below: codes.count)].rawValue
            }
            let frame = RadioFrame.decode(bytes)
            #expect(RadioFrame.decode(frame.encoded) == frame)
            let app = AppFrame.decode(bytes)
            #expect(AppFrame.decode(app.encoded).encoded == app.encoded)
            for direction in LinkDirection.allCases {
                _ = FrameDescription.line(bytes, direction)
                #expect(Redaction.mask(bytes, direction).count == count)
            }
        }
    }
}
