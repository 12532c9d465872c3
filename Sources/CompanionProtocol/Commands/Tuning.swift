internal import RigBase

/// Receive delay base and airtime factor, both in thousandths.
public struct Tuning: Sendable, Hashable {
    public var receiveDelayThousandths: UInt32
    public var airtimeFactorThousandths: UInt32

    public init(receiveDelayThousandths: UInt32, airtimeFactorThousandths: UInt32) {
        self.receiveDelayThousandths = receiveDelayThousandths
        self.airtimeFactorThousandths = airtimeFactorThousandths
    }

    static let layout = FrameLayout(.u32("receive-delay", unit: "‰"), .u32("airtime-factor", unit: "‰"))

    init(decoding reader: inout FrameReader) throws(FrameDefect) {
        receiveDelayThousandths = try reader.u32()
        airtimeFactorThousandths = try reader.u32()
    }

    func encode(into writer: inout ByteWriter) {
        writer.u32(receiveDelayThousandths)
        writer.u32(airtimeFactorThousandths)
    }
}
