internal import RigBase
package import RunRecord

/// Runs as a packet capture that Wireshark reads: pcapng, for each case an interface with its air (LoRaTap) and one with
/// its host link (the frames of the companion protocol).
///
/// Made from the journal, whose frames have their secrets masked. Only appends, so that a file that ends early can be
/// read up to there.
package struct PacketCapture: Sendable {
    /// Link type of the air.
    static let loRaTap: UInt16 = 270
    /// Link type of the host link, the first of those free for private use.
    static let userZero: UInt16 = 147

    private var interfaces: UInt32 = 0

    package init() {}

    /// What a file begins with.
    package static func header(version: String) -> [UInt8] {
        var body = ByteWriter()
        body.u32(0x1A2B_3C4D)
        body.u16(1)
        body.u16(0)
        // The section's length is not known before its end.
        body.u32(.max)
        body.u32(.max)
        body.options([(4, Array("meshrig \(version)".utf8))])
        return block(0x0A0D_0D0A, body.bytes)
    }

    /// All blocks of a case. `number` counts the cases of the run from 1, `epoch` is the Unix time at which it began.
    package mutating func blocks(_ result: CaseResult, number: Int, epoch: UInt32) -> [UInt8] {
        guard let journal = result.journal else { return [] }
        let (air, link) = (interfaces, interfaces + 1)
        interfaces += 2
        let story = PlainText.printable("\(result.id) seed \(result.seed)")
        var bytes = Self.interface(Self.loRaTap, "\(number) air", story)
        bytes += Self.interface(Self.userZero, "\(number) host link", story)
        var radios = Radios()
        for event in journal.events() {
            radios.note(event)
            guard let record = Record(event, radios) else { continue }
            bytes += Self.packet(record, event, on: record.isAir ? air : link, epoch: epoch)
        }
        return bytes
    }

    private static func interface(_ type: UInt16, _ name: String, _ description: String) -> [UInt8] {
        var body = ByteWriter()
        body.u16(type)
        body.u16(0)
        body.u32(0)
        // 9: times are in nanoseconds.
        body.options([(2, Array(name.utf8)), (3, cut(description)), (9, [9])])
        return block(1, body.bytes)
    }

    private static func packet(_ record: Record, _ event: RunEvent, on interface: UInt32, epoch: UInt32) -> [UInt8] {
        let time = UInt64(epoch) * 1_000_000_000 &+ UInt64(max(0, event.at.nanoseconds))
        var body = ByteWriter(reserving: record.bytes.count + 160)
        body.u32(interface)
        body.u32(UInt32(truncatingIfNeeded: time >> 32))
        body.u32(UInt32(truncatingIfNeeded: time))
        body.u32(UInt32(record.bytes.count))
        body.u32(UInt32(record.bytes.count))
        body.append(record.bytes)
        body.zeros(padding(record.bytes.count))
        var direction = ByteWriter()
        direction.u32(record.isOutbound ? 2 : 1)
        var number = ByteWriter()
        number.u32(UInt32(truncatingIfNeeded: event.id.number))
        number.u32(UInt32(truncatingIfNeeded: event.id.number >> 32))
        body.options([(1, cut(record.comment)), (2, direction.bytes), (5, number.bytes)])
        return block(6, body.bytes)
    }

    private static func block(_ type: UInt32, _ body: [UInt8]) -> [UInt8] {
        let length = UInt32(body.count + 12)
        var block = ByteWriter(reserving: body.count + 12)
        block.u32(type)
        block.u32(length)
        block.append(body)
        block.u32(length)
        return block.bytes
    }

    fileprivate static func padding(_ count: Int) -> Int { (4 - count % 4) % 4 }

    /// Texts of others are not longer than this in a file.
    private static func cut(_ text: String) -> [UInt8] { Array(String(text.prefix(400)).utf8) }
}

extension ByteWriter {
    /// Options of a block with their end.
    fileprivate mutating func options(_ options: [(code: UInt16, value: [UInt8])]) {
        for option in options {
            u16(option.code)
            u16(UInt16(option.value.count))
            append(option.value)
            zeros(PacketCapture.padding(option.value.count))
        }
        u32(0)
    }
}

/// The radio settings of the nodes, as far as the journal has told of them.
private struct Radios {
    struct Settings {
        var frequencyKHz: Int64
        var bandwidthHz: Int64
        var spreadingFactor: Int64
        var codingRate: Int64
    }

    private var settings: [String: Settings] = [:]

    subscript(node: String) -> Settings? { settings[node] }

    mutating func note(_ event: RunEvent) {
        guard event.kind == .radioTuned, let frequency = event["frequency"]?.number,
            let bandwidth = event["bandwidth"]?.number, let factor = event["spreading-factor"]?.number,
            let rate = event["coding-rate"]?.number
        else { return }
        settings[event.subject] = Settings(
            frequencyKHz: frequency, bandwidthHz: bandwidth, spreadingFactor: factor, codingRate: rate)
    }
}

/// One record of a capture.
private struct Record {
    var bytes: [UInt8]
    var comment: String
    var isOutbound: Bool
    var isAir: Bool

    /// Nil for events that are no frame and no packet.
    init?(_ event: RunEvent, _ radios: Radios) {
        let who = PlainText.printable(event.subject)
        switch event.kind {
        case .frameToRadio, .frameFromRadio:
            guard case .bytes(let frame)? = event["frame"], !frame.isEmpty else { return nil }
            isAir = false
            isOutbound = event.kind == .frameToRadio
            bytes = frame
            comment = isOutbound ? "the client of \(who) to its radio" : "the radio of \(who) to its client"
        case .packetSent:
            guard case .bytes(let packet)? = event["bytes"] else { return nil }
            isAir = true
            isOutbound = true
            bytes = Self.loRaTap(radios[event.subject] ?? radios[event["to"]?.plainText ?? ""], nil, nil) + packet
            comment = "\(who) sends" + Self.number(event) + Self.modulation(radios[event.subject])
            if let micros = event["airtime"]?.number { comment += ", \(micros) µs on the air" }
        case .packetReceived:
            guard case .bytes(let packet)? = event["bytes"] else { return nil }
            isAir = true
            isOutbound = false
            let sender = event["from"]?.plainText ?? ""
            let radio = radios[sender] ?? radios[event.subject]
            bytes = Self.loRaTap(radio, event["snr"]?.number, event["rssi"]?.number) + packet
            comment = "\(who) hears \(PlainText.printable(sender))" + Self.number(event) + Self.modulation(radio)
        default: return nil
        }
        if let cause = event.cause { comment += ", because of event \(cause.number)" }
    }

    private static func number(_ event: RunEvent) -> String { event.packet.map { ", packet \($0)" } ?? "" }

    /// What the header has no place for: bandwidths below 125 kHz, and the coding rate.
    private static func modulation(_ radio: Radios.Settings?) -> String {
        radio.map { ", \($0.bandwidthHz) Hz, coding rate 4/\($0.codingRate)" } ?? ""
    }

    /// A LoRaTap header of version 0, the one that every version of Wireshark reads rightly; big-endian.
    private static func loRaTap(_ radio: Radios.Settings?, _ snrQuarterDB: Int64?, _ rssi: Int64?) -> [UInt8] {
        let hertz = UInt32(clamping: (radio?.frequencyKHz ?? 0) * 1_000)
        let strength = rssi.map { UInt8(clamping: min(254, $0 + 139)) } ?? 0
        let bandwidth: UInt8 =
            switch radio?.bandwidthHz {
            case 125_000: 1
            case 250_000: 2
            case 500_000: 4
            default: 0
            }
        let frequency = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: hertz >> UInt32($0)) }
        let snr = UInt8(bitPattern: Int8(clamping: snrQuarterDB ?? 0))
        return [0, 0, 0, 15] + frequency
            + [bandwidth, UInt8(clamping: radio?.spreadingFactor ?? 0), strength, 0, 0, snr, DissectorScript.syncWord]
    }
}

extension FieldValue {
    /// A whole number; nil for anything else.
    var number: Int64? { if case .int(let number) = self { number } else { nil } }
}
