import MeshProtocol
import Testing

@Suite struct TimingVectorTests {
    private let vectors: Vectors

    init() throws { vectors = try Vectors() }

    @Test func `airtime and channel windows are the recorded ones`() throws {
        for entry in try vectors.entries("airtime") {
            let radio = try vectors.radio(entry.text("preset"))
            #expect(radio.symbolMicros == (try entry.number("symbol_us")))
            #expect(radio.isLowDataRate == (try entry.flag("ldro")))
            #expect(radio.preambleSymbols == (try entry.number("preamble_symbols")))
            #expect(radio.preambleWindowMillis == (try entry.number("rx_preamble_window_ms")))
            #expect(radio.payloadWindowMillis == (try entry.number("rx_payload_window_ms")))
            for length in [6, 10, 22, 40, 80, 116, 184, 255] {
                let micros = try entry.entry("airtime_us").number("\(length)")
                #expect(radio.airtimeMicros(length: length) == micros)
                #expect(radio.airtimeMillis(length: length) == (try entry.entry("airtime_ms").number("\(length)")))
            }
        }
    }

    @Test func `packet scores are the recorded ones`() throws {
        for entry in try vectors.entries("packet_score") {
            let radio = RadioParameters(
                frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: UInt8(try entry.number("sf")),
                codingRate: 5)
            let score = radio.packetScore(
                snrQuarterDB: Int(try entry.real("snr") * 4), length: try entry.number("length"))
            #expect(abs(Double(score) - (try entry.real("score"))) < 1e-6)
        }
    }

    @Test func `receive delays are the recorded ones`() throws {
        for entry in try vectors.entries("rx_delay") {
            let delay = ReceiveDelay.millis(
                base: Float(try entry.real("base")), score: Float(try entry.real("score")),
                airtimeMillis: try entry.number("airtime_ms"))
            #expect(abs(delay - (try entry.number("delay_ms"))) <= 1)
        }
        #expect(ReceiveDelay.applied(base: 20, score: 0, airtimeMillis: 3_000) == 32_000)
        #expect(ReceiveDelay.applied(base: 10, score: 1, airtimeMillis: 500) == 0)
    }

    @Test func `send timeouts are the recorded ones`() throws {
        for entry in try vectors.entries("send_timeouts") {
            let radio = try vectors.radio(entry.text("preset"))
            let packet = try Packet(parsing: vectors.packet(entry.text("packet")).bytes("raw"))
            let length = SendTimeout.estimatedLength(payload: packet.payload.count)
            #expect(length == (try entry.number("est_len")))
            let airtime = radio.airtimeMillis(length: length)
            #expect(airtime == (try entry.number("airtime_ms")))
            #expect(SendTimeout.flood(airtimeMillis: airtime) == (try entry.number("flood_timeout_ms")))
            for hops in [0, 1, 2, 5] {
                let timeout = try entry.entry("direct_timeout_ms").number("\(hops)")
                #expect(SendTimeout.direct(airtimeMillis: airtime, hops: hops) == timeout)
            }
        }
    }

    @Test func `retransmit delays have the recorded unit and range`() throws {
        for entry in try vectors.entries("retransmit_delay") {
            let radio = try vectors.radio(entry.text("preset"))
            let airtime = radio.airtimeMillis(length: try entry.number("est_len"))
            let unit = RetransmitDelay.unit(airtimeMillis: airtime, factor: Float(try entry.real("factor")))
            #expect(unit == (try entry.number("t")))
            #expect([0, RetransmitDelay.bound(unit: unit) - 1] == entry.fields["delay_range_ms"] as? [Int])
        }
        let packet = Packet(
            route: .transportDirect, type: .ack, pathLength: PathLength(hashSize: 2, hopCount: 2),
            path: [1, 2, 3, 4], payload: [1, 2, 3, 4, 5, 6])
        #expect(RetransmitDelay.estimatedLength(packet) == 12)
        let radio = try vectors.radio("EU/UK narrow")
        #expect(
            RetransmitDelay.unit(for: packet, radio: radio, factor: 0.5) == radio.airtimeMillis(length: 12) / 2)
    }

    @Test func `presets are found by name and within what nodes accept`() throws {
        #expect(RadioParameters.preset(named: "eu-868-narrow") == (try vectors.radio("EU/UK narrow")))
        #expect(RadioParameters.preset(named: "firmware-default") == (try vectors.radio("firmware build default")))
        #expect(RadioParameters.preset(named: "usa-canada") == (try vectors.radio("USA/Canada")))
        #expect(RadioParameters.preset(named: "mars") == nil)
        for (name, radio) in RadioParameters.presets {
            #expect(
                RadioParameters(
                    checkingKHz: radio.frequencyKHz, bandwidthHz: radio.bandwidthHz,
                    spreadingFactor: radio.spreadingFactor, codingRate: radio.codingRate) == radio, "\(name)")
        }
        #expect(
            RadioParameters(checkingKHz: 149_999, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5) == nil)
    }
}
