import CompanionProtocol
import Foundation
import RigBase
import RigTestKit
import Testing

/// One frame of a firmware recording.
struct RecordedFrame {
    var direction: LinkDirection
    var bytes: [UInt8]
    var note: String

    static func all(of file: String) -> [RecordedFrame] {
        Fixture.text("1.17.1/" + file).split(separator: "\n").compactMap { line in
            guard let row = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let direction = row["dir"] as? String, let hex = row["hex"] as? String,
                let bytes = Hex.decode(hex), direction == "app>radio" || direction == "radio>app"
            else { return nil }
            return RecordedFrame(
                direction: direction == "app>radio" ? .toRadio : .fromRadio, bytes: bytes,
                note: row["note"] as? String ?? "")
        }
    }
}

@Suite struct `Frames recorded from firmware 1.17.1` {
    static let files = [
        "c01_settings", "c02_gps_temp", "c03_contacts", "c04_adverts", "c05_channels", "c06_send", "c07_keys_sign",
        "c12_contacts_full", "c13_offline_queue", "c14_msg_format_by_app_ver", "m01_two_companions",
        "m02_a_r_b", "m03_a_r1_r2_b", "m04_room",
    ].map { $0 + ".jsonl" }

    /// The bytes a radio leaves over from earlier frames: behind the name of CHANNEL_INFO and of a flood scope.
    static func withoutStaleBytes(_ frame: [UInt8]) -> [UInt8] {
        let field: Range<Int>
        switch frame.first {
        case RadioCode.channelInfo.rawValue where frame.count == 50: field = 2..<34
        case RadioCode.defaultFloodScope.rawValue where frame.count == 48: field = 1..<32
        default: return frame
        }
        var clean = frame
        if let end = frame[field].firstIndex(of: 0) {
            for index in end..<field.upperBound { clean[index] = 0 }
        }
        return clean
    }

    @Test(arguments: files)
    func `decode and encode to the same bytes`(_ file: String) {
        let frames = RecordedFrame.all(of: file).filter { $0.direction == .fromRadio }
        #expect(frames.count >= 20)
        for recorded in frames {
            let frame = RadioFrame.decode(recorded.bytes)
            switch frame {
            // The firmware stores a path length without looking at it and reports it back.
            case .malformed(.contact, let bytes, .reservedPathEncoding(let length)): #expect(bytes[35] == length)
            case .malformed, .unknown: Issue.record("\(frame)")
            default: #expect(frame.encoded == Self.withoutStaleBytes(recorded.bytes), "\(frame)")
            }
        }
    }

    @Test(arguments: files)
    func `are described without a rest`(_ file: String) {
        for recorded in RecordedFrame.all(of: file) where recorded.direction == .fromRadio {
            let fields = FrameDescription.describe(recorded.bytes, recorded.direction)
            #expect(!fields.contains { $0.name == "extra" || $0.name == "bytes" }, "\(fields)")
        }
    }

    @Test(arguments: files)
    func `commands in full length decode and encode to the same bytes`(_ file: String) {
        var same = 0
        for recorded in RecordedFrame.all(of: file) where recorded.direction == .toRadio {
            guard case .command(let command) = AppFrame.decode(recorded.bytes) else { continue }
            // Bytes behind the command, as some tests of the firmware send them, are not kept.
            if command.encoded == recorded.bytes { same += 1 }
            #expect(command.encoded.count <= max(recorded.bytes.count, 50), "\(recorded.note)")
        }
        #expect(same >= 8)
    }
}

@Suite struct `Worked examples of the protocol` {
    static func bytes(_ hex: String) -> [UInt8] { Hex.decode(hex) ?? [] }
    static let aliceKey = "47dfaaa6132376ff368a6ac4d0409a1631ad2dbaca7f9d1faaa75b6e53f404fa"
    static func zeros(_ count: Int) -> String { String(repeating: "00", count: count) }

    @Test func `device query and info`() {
        let query = DeviceQueryCommand(appVersion: 13)
        #expect(FrameEncoder.encode(query.encoded, .toRadio) == Self.bytes("3c0200 160d"))
        let frame = Self.bytes(
            "0d0daf28 00000000 313420417567203230323600 4f7261636c65204e6174697665" + Self.zeros(27)
                + "76312e31372e31" + Self.zeros(13) + "0000")
        #expect(frame.count == 82)
        guard case .deviceInfo(let info) = RadioFrame.decode(frame), let details = info.details else {
            Issue.record("\(RadioFrame.decode(frame))")
            return
        }
        #expect(info.protocolVersion == 13 && details.maxContacts == 350 && details.maxChannels == 40)
        #expect(details.buildDate == "14 Aug 2026" && details.model == "Oracle Native" && details.version == "v1.17.1")
        #expect(details.clientRepeat == 0 && details.pathHashMode == 0 && details.pin == 0)
    }

    @Test func `app start and self info`() {
        #expect(AppStartCommand(appName: "demo").encoded == Self.bytes("01" + Self.zeros(7) + "64656d6f"))
        let parameters = OtherParameters(
            telemetryModes: TelemetryModes(base: .all, location: .all, environment: .all), advertLocationPolicy: 1,
            multiAcks: 1)
        #expect(SetOtherParametersCommand(parameters).encoded == Self.bytes("26002a0101"))
        let info = SelfInfoReply(
            power: 22, maxPower: 22, key: Self.bytes(Self.aliceKey),
            position: GeoPosition(latitude: 52_520_008, longitude: 13_404_954), parameters: parameters,
            radio: RadioSettings(frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5),
            name: "Alice")
        #expect(
            info.encoded
                == Self.bytes(
                    "05011616" + Self.aliceKey + "48642103 1a8bcc00 01012a00 f2440d00 24f40000 0805 416c696365"))
    }

    @Test func `contact listing`() {
        #expect(GetContactsCommand().encoded == [4])
        #expect(GetContactsCommand(since: 0x68E7_7801).encoded == Self.bytes("040178e768"))
        let contact = ContactRecord(
            key: Self.bytes(Self.aliceKey), type: .chat, name: "Alice", lastAdvert: 1_760_000_000,
            position: GeoPosition(latitude: 52_520_008, longitude: 13_404_954), lastModified: 1_760_000_001)
        let frame = Self.bytes(
            "03" + Self.aliceKey + "0100ff" + Self.zeros(64) + "416c696365" + Self.zeros(27)
                + "0078e768 48642103 1a8bcc00 0178e768")
        #expect(ContactReply(contact).encoded == frame)
        #expect(RadioFrame.decode(frame) == .contact(ContactReply(contact)))
        #expect(RadioFrame.decode(Self.bytes("0400000000")) == .contactsEnd(ContactsEndReply(lastModified: 0)))
    }

    @Test func `direct text`() {
        let prefix = Self.bytes("3c2024ef1170")
        let command = SendTextCommand(timestamp: 1_760_000_100, recipientPrefix: prefix, text: "héllo")
        #expect(command.encoded == Self.bytes("02 00 00 6478e768 3c2024ef1170 68c3a96c6c6f"))
        #expect(
            RadioFrame.decode(Self.bytes("06013da8d14834160000"))
                == SentReply(floods: true, tag: Self.bytes("3da8d148"), suggestedTimeoutMillis: 5_684).frame)
        #expect(
            RadioFrame.decode(Self.bytes("823da8d1484c030000"))
                == SendConfirmedPush(tag: Self.bytes("3da8d148"), tripTimeMillis: 844).frame)
        let message = DirectMessageReply(
            snrQuarterDB: 48, senderPrefix: Self.bytes("47dfaaa61323"), pathLength: .zeroHops,
            timestamp: 1_760_000_100, text: "héllo")
        #expect(RadioFrame.decode(Self.bytes("10300000 47dfaaa61323 00 00 6478e768 68c3a96c6c6f")) == message.frame)
        var old = message
        old.snrQuarterDB = nil
        #expect(RadioFrame.decode(Self.bytes("07 47dfaaa61323 00 00 6478e768 68c3a96c6c6f")) == old.frame)
    }

    @Test func `channel text and datagram`() {
        #expect(
            SendChannelTextCommand(channel: 0, timestamp: 0x68E7_7865, text: "hi").encoded
                == Self.bytes("0300006578e7686869"))
        #expect(
            RadioFrame.decode(Self.bytes("11300000 000000 6578e768 416c6963653a206869"))
                == ChannelMessageReply(
                    snrQuarterDB: 48, channel: 0, pathLength: .zeroHops, timestamp: 0x68E7_7865, text: "Alice: hi"
                ).frame)
        #expect(
            SendChannelDataCommand(channel: 0, dataType: 0xFF01, data: [1, 2, 3]).encoded
                == Self.bytes("3e00ff01ff010203"))
        #expect(
            RadioFrame.decode(Self.bytes("1b300000000001ff03010203"))
                == ChannelDataReply(
                    snrQuarterDB: 48, channel: 0, pathLength: .zeroHops, dataType: 0xFF01, data: [1, 2, 3]
                ).frame)
    }

    @Test func `contact with a path of two-byte hashes`() {
        let key = "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f"
        let command = AddUpdateContactCommand(
            key: Self.bytes(key), type: .repeater, flags: .favourite,
            pathLength: PathLengthByte(hashSize: 2, hopCount: 1), path: [0xAA, 0xBB], name: "Hilltop",
            lastAdvert: 1_760_000_000, position: GeoPosition(latitude: -33_868_820, longitude: 151_209_290),
            lastModified: 1_760_000_050)
        let body =
            key + "020141aabb" + Self.zeros(62) + "48696c6c746f70" + Self.zeros(25)
            + "0078e768 ec33fbfd 4a450309 3278e768"
        #expect(command.encoded == Self.bytes("09" + body))
        guard case .contact(let reply) = RadioFrame.decode(Self.bytes("03" + body)) else {
            Issue.record("no contact")
            return
        }
        #expect(reply.contact.path == [0xAA, 0xBB] && reply.contact.displayName == "Hilltop")
    }

    @Test func `radio parameters`() {
        let settings = RadioSettings(frequencyKHz: 869_525, bandwidthHz: 250_000, spreadingFactor: 11, codingRate: 5)
        #expect(SetRadioParametersCommand(settings: settings).encoded == Self.bytes("0b95440d0090d003000b05"))
        #expect(SetRadioParametersCommand(settings: settings, repeats: true).encoded.last == 1)
    }

    @Test func `login, status and access list`() throws {
        let key = Self.bytes("efe922a03938a2baed9074105493cbd74d5c7f70a2599619ab700585215ff362")
        #expect(
            SendLoginCommand(key: key, password: Secret(utf8: "password")).encoded
                == [0x1A] + key + Self.bytes("70617373776f7264"))
        guard case .loginSucceeded(let login) = RadioFrame.decode(Self.bytes("8501efe922a039381078e7680302")) else {
            Issue.record("no login")
            return
        }
        #expect(login.permission == .admin && login.serverTime == 0x68E7_7810 && login.extended?.featureLevel == 2)
        let frame = Self.bytes(
            "8700efe922a03938 0410 0000 92ff c4ff 06000000 04000000 02000000 1d000000 03000000 01000000 02000000"
                + "04000000 0000 3000 0000 0000 03000000 00000000 00000000")
        guard case .statusResponse(let push) = RadioFrame.decode(frame) else {
            Issue.record("\(RadioFrame.decode(frame))")
            return
        }
        #expect(RadioFrame.statusResponse(push).encoded == frame)
        let status = try #require(NodeStatus(push.blob, isRoom: false))
        #expect(status.batteryMillivolts == 4_100 && status.noiseFloor == -110 && status.lastRSSI == -60)
        #expect(status.lastSNRQuarterDB == 48 && status.extra == .repeater(receiveSeconds: 3, receiveErrors: 0))
        #expect(NodeStatus(push.blob, isRoom: true)?.extra == .room(posts: 3, postPushes: 0))
        #expect(NodeStatus(Array(push.blob.prefix(47)), isRoom: false) == nil)
        #expect(
            RadioFrame.decode(Self.bytes("8c002e78e76847dfaaa613230300000000 00"))
                == BinaryResponsePush(tag: Self.bytes("2e78e768"), data: Self.bytes("47dfaaa61323030000000000")).frame)
    }

    @Test func `trace`() {
        #expect(
            SendTracePathCommand(tag: 0x1122_3344, authentication: 0x5566_7788, path: [0xEF]).encoded
                == Self.bytes("24443322118877665500ef"))
        #expect(
            RadioFrame.decode(Self.bytes("89000100 44332211 88776655 ef 30 30"))
                == TraceDataPush(
                    flags: 0, tag: 0x1122_3344, authentication: 0x5566_7788, hashes: [0xEF], hopSNRsQuarterDB: [48],
                    finalSNRQuarterDB: 48
                ).frame)
    }

    @Test func `small frames`() {
        #expect(
            RadioFrame.decode(Self.bytes("1800 0410 12000000 0000 00"))
                == StatisticsReply(
                    .core(.init(batteryMillivolts: 4_100, uptimeSeconds: 18, errorFlags: 0, queueLength: 0))
                ).frame)
        #expect(SendTelemetryRequestCommand().encoded == [0x27, 0, 0, 0])
        guard case .telemetryResponse(let push) = RadioFrame.decode(Self.bytes("8b0047dfaaa61323 0174019a")) else {
            Issue.record("no telemetry")
            return
        }
        #expect(CayenneLPP.decode(push.telemetry).map(\.text) == ["4.1 V"])
        #expect(
            RadioFrame.decode(Self.bytes("0c04101c00000000040000"))
                == BatteryReply(millivolts: 4_100, storage: .init(usedKiB: 28, totalKiB: 1_024)).frame)
        #expect(
            RadioFrame.decode(Self.bytes("1a689b0600689b060077440d0077440d00f0010e00f0010e00"))
                == RepeatFrequenciesReply(
                    ranges: [433_000, 869_495, 918_000].map { .init(low: $0, high: $0) }
                ).frame)
        #expect(RadioFrame.decode([1, 1]) == ErrorReply(error: .unsupportedCommand).frame)
        #expect(RadioFrame.decode(Self.bytes("130000200000")) == SignStartedReply(limit: 8_192).frame)
        #expect(AppFrame.decode([0x35]) == .unknown([0x35]))
        guard case .controlData(let control) = RadioFrame.decode(Self.bytes("8e30c4009230efbeaddeefe922a03938a2ba"))
        else {
            Issue.record("no control data")
            return
        }
        #expect(control.discovery?.nodeType == .repeater && control.discovery?.key.count == 8)
    }
}
