package import RigBase

/// A link whose strength wanders about its mean.
package struct FadingDocument: Sendable, Hashable {
    package var sigmaQuarterDB: Int
    package var correlation: Duration

    package static let shape = ShapeDescriptor(
        "fading of a link", shorthand: "sigma",
        [
            FieldDescriptor("sigma", .decibel, "standard deviation in dB, at most 20", required: true),
            FieldDescriptor("correlation", .duration, "after which it is hardly like before (1/e)", default: "60s"),
        ])

    static func read(_ reader: MappingReader) -> FadingDocument? {
        guard let sigma = reader.decibel("sigma"), let correlation = reader.duration("correlation") else { return nil }
        if !(0...80).contains(sigma) {
            reader.problems.add(reader.spot(of: "sigma"), "a standard deviation lies between 0 and 20 dB")
        }
        if correlation < .milliseconds(1) || correlation > .seconds(86_400 * 366) {
            reader.problems.add(reader.spot(of: "correlation"), "a correlation time lies between 1ms and a year")
        }
        return FadingDocument(sigmaQuarterDB: sigma, correlation: correlation)
    }
}

/// A change of a link at a time of the run.
package struct LinkEntryDocument: Sendable, Hashable {
    package var at: Duration
    package var isCut: Bool
    package var snrQuarterDB: Int?
    package var rssi: Int?
    package var loss: Ratio?

    package static let shape = ShapeDescriptor(
        "a change of a link",
        [
            FieldDescriptor("at", .duration, "when, since the run began", required: true),
            FieldDescriptor("cut", .bool, "the link is gone from then on", default: "false"),
            FieldDescriptor("snr", .decibel, "its new SNR in dB; a link that was cut is back"),
            FieldDescriptor("rssi", .integer(-150...0), "its new strength in dBm; follows the SNR when missing"),
            FieldDescriptor("loss", .ratio, "its new share of lost packets"),
        ])

    static func read(_ reader: MappingReader) -> LinkEntryDocument? {
        guard let at = reader.duration("at") else { return nil }
        let isCut = reader.bool("cut") ?? false
        let changes = ["snr", "rssi", "loss"].filter(reader.has)
        if isCut, let first = changes.first {
            reader.problems.add(reader.spot(of: first), "a link that is cut has no \(first)")
        }
        if !isCut, changes.isEmpty {
            reader.problems.add(reader.spot, "a change of a link needs \"cut: true\", \"snr\", \"rssi\" or \"loss\"")
        }
        return LinkEntryDocument(
            at: at, isCut: isCut, snrQuarterDB: LinkDocument.checkedSNR(reader), rssi: reader.integer("rssi"),
            loss: reader.ratio("loss"))
    }
}

/// How often nodes overlook what is on the air when they want to send.
package struct CarrierSenseDocument: Sendable, Hashable {
    package var misses: Ratio
    package var sureQuarterDB: Int
    package var deafQuarterDB: Int

    package static let shape = ShapeDescriptor(
        "carrier sense", shorthand: "misses",
        [
            FieldDescriptor("misses", .ratio, "share of frames that a node does not notice", required: true),
            FieldDescriptor("sure", .decibel, "SNR in dB below which more are missed; never, when missing"),
            FieldDescriptor("deaf", .decibel, "SNR in dB at which all are missed; goes with `sure`"),
        ])

    static func read(_ reader: MappingReader) -> CarrierSenseDocument? {
        guard let misses = reader.ratio("misses") else { return nil }
        switch (reader.has("sure"), reader.has("deaf")) {
        case (false, false): return CarrierSenseDocument(misses: misses, sureQuarterDB: -128, deafQuarterDB: -128)
        case (true, true): break
        case (let hasSure, _):
            reader.problems.add(reader.spot(of: hasSure ? "sure" : "deaf"), "\"sure\" and \"deaf\" go together")
            return nil
        }
        guard let sure = reader.decibel("sure"), let deaf = reader.decibel("deaf") else { return nil }
        if !(-200...200).contains(sure) || !(-200...200).contains(deaf) || deaf >= sure {
            reader.problems.add(reader.spot(of: "deaf"), "\"deaf\" lies below \"sure\", and both within 50 dB of 0")
        }
        return CarrierSenseDocument(misses: misses, sureQuarterDB: sure, deafQuarterDB: deaf)
    }
}
