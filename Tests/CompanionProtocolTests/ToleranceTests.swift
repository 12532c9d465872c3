import CompanionProtocol
import RigBase
import Testing

@Suite struct `Tolerance of old and odd frames` {
    @Test func `short optional parts are taken as missing`() {
        #expect(RadioFrame.decode([0]) == .ok(OkReply()))
        #expect(RadioFrame.decode([0, 1, 2, 3]) == .ok(OkReply()))
        #expect(RadioFrame.decode([0, 1, 0, 0, 0]) == .ok(OkReply(value: 1)))
        #expect(RadioFrame.decode([1]) == .error(ErrorReply(error: nil)))
        #expect(RadioFrame.decode([4]) == .contactsEnd(ContactsEndReply(lastModified: nil)))
        #expect(RadioFrame.decode([0x82, 1, 2, 3, 4]) == .sendConfirmed(SendConfirmedPush(tag: [1, 2, 3, 4])))
        #expect(
            RadioFrame.decode([0x82, 1, 2, 3, 4, 9, 9, 9]) == .sendConfirmed(SendConfirmedPush(tag: [1, 2, 3, 4])))
        #expect(RadioFrame.decode([0x0C, 0x74, 0x0E]) == .battery(BatteryReply(millivolts: 3_700)))
        #expect(RadioFrame.decode([0x19, 2]) == .autoAdd(AutoAddReply(mask: .chat)))
        #expect(
            RadioFrame.decode([0x85, 1]) == LoginSucceededPush(permissionByte: 0, serverPrefix: [], extended: nil).frame
        )
        #expect(RadioFrame.decode([0x86]) == .loginFailed(LoginFailedPush(serverPrefix: nil)))
        #expect(RadioFrame.decode([0x0D, 2]) == .deviceInfo(DeviceInfoReply(protocolVersion: 2, details: nil)))
        #expect(RadioFrame.decode([0x1C]) == .defaultFloodScope(DefaultFloodScopeReply(scope: nil)))
    }

    @Test(
        arguments: [
            ([0x0C, 1, 2, 3], FrameDefect.oddLength(4)), ([0x0D, 3, 1], .tooShort(needed: 80, got: 3)),
            ([0x82, 1, 2, 3], .tooShort(needed: 5, got: 4)), ([0x1C, 1], .oddLength(2)), ([0x18, 7], .unknownKind(7)),
            ([0x10] + [UInt8](repeating: 0, count: 10) + [2, 0, 0, 0, 0, 1, 2, 3], .missingAuthor),
            ([0x89, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 1, 1, 1], .truncatedPath),
            ([0x8D, 0, 1, 2, 3, 4, 5, 6, 2, 0xAA], .truncatedPath), ([0x16, 0, 0, 0, 0, 2, 1], .truncatedPath),
            ([0x03], .tooShort(needed: 148, got: 1)), ([0x87, 0, 1, 2], .tooShort(needed: 56, got: 4)),
        ] as [([UInt8], FrameDefect)])
    func `frames that are too short or make no sense are malformed`(_ bytes: [UInt8], _ defect: FrameDefect) {
        #expect(RadioFrame.decode(bytes) == .malformed(RadioCode(rawValue: bytes[0]), bytes, defect))
        #expect(RadioFrame.decode(bytes).encoded == bytes)
    }

    @Test func `unknown codes and empty frames are kept as they are`() {
        #expect(RadioFrame.decode([]) == .unknown([]))
        #expect(RadioFrame.decode([0x7F, 1]) == .unknown([0x7F, 1]))
        #expect(RadioFrame.decode([0x7F, 1]).code == RadioCode(rawValue: 0x7F))
        #expect(AppFrame.decode([]) == .unknown([]))
    }

    @Test func `device info of eighty and eighty-one bytes lacks what came later`() {
        let full = DeviceInfoReply.samples[0].encoded
        for (count, clientRepeat, mode) in [(80, nil, nil), (81, UInt8(0), nil), (82, 0, UInt8(0))] {
            guard case .deviceInfo(let info) = RadioFrame.decode(Array(full.prefix(count))) else {
                Issue.record("\(count)")
                continue
            }
            #expect(info.details?.clientRepeat == clientRepeat && info.details?.pathHashMode == mode)
            #expect(info.encoded == Array(full.prefix(count)))
        }
    }

    @Test(arguments: [
        (UInt8(1), UInt8(3), true, LoginPermission.admin), (0, 2, true, .readWrite), (0, 0, true, .guest),
        (1, 0, false, .admin), (2, 0, false, .guest), (0, 0, false, .readWrite),
    ])
    func `login permissions come in one scale`(
        _ first: UInt8, _ acl: UInt8, _ isExtended: Bool, _ expected: LoginPermission
    ) {
        let push = LoginSucceededPush(
            permissionByte: first, serverPrefix: [1, 2, 3, 4, 5, 6],
            extended: isExtended ? .init(serverTime: 0, aclPermission: acl, featureLevel: nil) : nil)
        #expect(push.permission == expected)
        #expect(push.serverTime == nil)
    }

    @Test func `a datagram's declared length is clipped to what arrived`() {
        guard case .channelData(let data) = RadioFrame.decode([0x1B, 0, 0, 0, 1, 0xFF, 1, 0, 9, 7, 8]) else {
            Issue.record("no datagram")
            return
        }
        #expect(data.data == [7, 8])
    }

    @Test func `names are cut between characters and end at a NUL`() {
        #expect(WireText.cut("aé", toBytes: 2) == "a")
        #expect(WireText.cut("aé", toBytes: 3) == "aé")
        #expect(WireText.cut("👩‍👩‍👧x", toBytes: 10) == "")
        #expect(SetAdvertNameCommand(cutting: String(repeating: "ß", count: 16)).name.bytes.count == 30)
        #expect(WireText(bytes: [0x41, 0xC3]).validPrefix == "A")
        #expect(WireText(bytes: [0x41, 0xFF, 0x42]).validPrefix == "A")
        #expect(WireText(bytes: [0x41, 0xF0, 0x9F, 0x98, 0x80, 0x80]).validPrefix == "A😀")
        #expect(WireText(bytes: [0x41, 0xFF, 0x42]).string == "A\u{FFFD}B")
        #expect(WireText.untilNUL([0x41, 0, 0x42]) == "A")
    }
}

@Suite struct `Limits of what is sent` {
    let key = [UInt8](repeating: 7, count: 32)

    @Test func `keys must be whole`() {
        let short = Array(key.dropLast())
        let commands: [any CompanionCommand] = [
            ResetPathCommand(key: short), RemoveContactCommand(key: short), ShareContactCommand(key: short),
            ExportContactCommand(key: short), SendStatusRequestCommand(key: short),
            SendTelemetryRequestCommand(key: short), GetContactByKeyCommand(key: short), LogoutCommand(key: short),
            SendBinaryRequestCommand(key: short, request: [1]), SendPathDiscoveryCommand(key: short),
        ]
        for command in commands {
            #expect(throws: FieldLimitError.wrongSize(field: "key", expected: 32, got: 31)) {
                try command.checkedEncoding()
            }
        }
    }

    @Test func `values out of range are refused`() {
        func refused(_ command: some CompanionCommand) -> Bool { (try? command.checkedEncoding()) == nil }
        let settings = RadioSettings(frequencyKHz: 1, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5)
        #expect(refused(SetRadioParametersCommand(settings: settings)))
        #expect(refused(SetPathHashModeCommand(mode: 3)))
        #expect(refused(SetDevicePinCommand(pin: 99_999)))
        #expect(!refused(SetDevicePinCommand(pin: 0)))
        #expect(refused(SendTracePathCommand(tag: 1, authentication: 1, path: [])))
        #expect(refused(SendTracePathCommand(tag: 1, authentication: 1, flags: 1, path: [1])))
        #expect(refused(ImportPrivateKeyCommand(key: Secret([UInt8](repeating: 1, count: 63)))))
        #expect(refused(SetAdvertNameCommand(name: WireText(String(repeating: "a", count: 32)))))
        #expect(refused(SetAdvertNameCommand(name: "")))
        #expect(refused(SendRawPacketCommand(priority: 255, packet: [9, 0])))
        #expect(refused(SendTextCommand(timestamp: 0, recipientPrefix: Array(key.prefix(6)), text: "")))
        let long = WireText(String(repeating: "a", count: 159))
        #expect(!refused(SendTextCommand(attempt: 3, timestamp: 0, recipientPrefix: Array(key.prefix(6)), text: long)))
        #expect(refused(SendTextCommand(attempt: 4, timestamp: 0, recipientPrefix: Array(key.prefix(6)), text: long)))
        #expect(refused(SignDataCommand(data: [UInt8](repeating: 1, count: 176))))
    }
}

@Suite struct `Telemetry lists` {
    @Test func `decodes what radios send`() {
        let records = CayenneLPP.decode(Hex.decode("0174 0173 0167 00fa 0188 07f838 fad540 000000 0000")!)
        #expect(records.map(\.type) == [.voltage, .temperature, .gps])
        #expect(records.map(\.text) == ["3.71 V", "25 °C", "52.2296, -33.8624, 0 °, °, m"])
    }

    @Test func `stops at what it does not know and keeps what it has`() {
        #expect(CayenneLPP.decode([1, 0x74, 1, 0x9A, 2, 0xEE, 1, 2]).count == 1)
        #expect(CayenneLPP.decode([1, 0x74, 1, 0x9A, 2, 0x67, 1]).count == 1)
        #expect(CayenneLPP.decode([0, 0, 0]).isEmpty)
        // Halves of a per cent, a voltage below zero, a polyline that is stepped over by its length.
        #expect(CayenneLPP.decode([2, 0x68, 0x5F]).map(\.text) == ["47.5 %"])
        #expect(CayenneLPP.decode([1, 0x74, 0xFF, 0x9C]).map(\.text) == ["-1 V"])
        #expect(CayenneLPP.decode([1, 0xF0, 2, 9, 9, 1, 0x74, 1, 0x9A]).map(\.text) == ["4.1 V"])
        #expect(CayenneLPP.decode([1, 0xF0]).isEmpty)
        #expect(CayenneLPP.decode([1]).isEmpty)
    }

    @Test func `encodes every known type to what it decodes from`() {
        var prng = Prng(seed: 5).fork("lpp")
        for raw in UInt8.min...UInt8.max {
            guard let format = TelemetryType(rawValue: raw).format else { continue }
            for _ in 0..<20 {
                let bytes = [1, raw] + prng.bytes(format.size)
                let records = CayenneLPP.decode(bytes)
                #expect(records.count == 1 && CayenneLPP.encode(records) == bytes)
            }
        }
    }

    @Test func `negative values keep their sign`() {
        let record = TelemetryRecord(channel: 1, type: .temperature, values: [-55])
        #expect(record.text == "-5.5 °C")
        #expect(CayenneLPP.decode(CayenneLPP.encode([record])) == [record])
    }
}
