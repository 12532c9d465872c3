internal import RigBase

/// Frequency, bandwidth, spreading factor and coding rate as frames carry them.
public struct RadioSettings: Sendable, Hashable {
    public var frequencyKHz: UInt32
    public var bandwidthHz: UInt32
    /// 5 to 12.
    public var spreadingFactor: UInt8
    /// 5 to 8, for 4/5 to 4/8.
    public var codingRate: UInt8

    public init(frequencyKHz: UInt32, bandwidthHz: UInt32, spreadingFactor: UInt8, codingRate: UInt8) {
        self.frequencyKHz = frequencyKHz
        self.bandwidthHz = bandwidthHz
        self.spreadingFactor = spreadingFactor
        self.codingRate = codingRate
    }

    static let fields: [FieldLayout] = [
        .u32("frequency", unit: "kHz"), .u32("bandwidth", unit: "Hz"), .u8("spreading-factor"), .u8("coding-rate"),
    ]
    static let sample = RadioSettings(frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 5)

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        frequencyKHz = try reader.u32()
        bandwidthHz = try reader.u32()
        spreadingFactor = try reader.u8()
        codingRate = try reader.u8()
    }

    func encode(into writer: inout ByteWriter) {
        writer.u32(frequencyKHz)
        writer.u32(bandwidthHz)
        writer.u8(spreadingFactor)
        writer.u8(codingRate)
    }
}
