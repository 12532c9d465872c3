internal import RigBase

/// The status a server tells of itself (companion-protocol §14.3).
public struct NodeStatus: Sendable, Hashable {
    /// What only a repeater or only a room tells, behind the common part.
    public enum Extra: Sendable, Hashable {
        case repeater(receiveSeconds: UInt32, receiveErrors: UInt32?)
        case room(posts: UInt16, postPushes: UInt16)
        case none
    }

    public var batteryMillivolts: UInt16 = 0
    public var queueLength: UInt16 = 0
    /// dBm.
    public var noiseFloor: Int16 = 0
    public var lastRSSI: Int16 = 0
    public var received: UInt32 = 0
    public var sent: UInt32 = 0
    public var transmitSeconds: UInt32 = 0
    public var uptimeSeconds: UInt32 = 0
    public var floodSent: UInt32 = 0
    public var directSent: UInt32 = 0
    public var floodReceived: UInt32 = 0
    public var directReceived: UInt32 = 0
    public var errorFlags: UInt16 = 0
    public var lastSNRQuarterDB: Int16 = 0
    public var directDuplicates: UInt16 = 0
    public var floodDuplicates: UInt16 = 0
    public var extra = Extra.none

    /// Bytes that every server's status has.
    public static let commonSize = 48

    static let fields: [FieldLayout] = [
        .u16("battery", unit: "mV"), .u16("queue-length"), .i16("noise-floor", unit: "dBm"),
        .i16("last-rssi", unit: "dBm"), .u32("received"), .u32("sent"), .u32("transmit-time", unit: "s"),
        .u32("uptime", unit: "s"), .u32("flood-sent"), .u32("direct-sent"), .u32("flood-received"),
        .u32("direct-received"), .u16("error-flags"), .init("last-snr", .fixed(2), .quarters, unit: "dB"),
        .u16("direct-duplicates"), .u16("flood-duplicates"),
    ]

    public init() {}

    /// Reads `blob`; a room's extra part has another layout than a repeater's. Nil when the common part is cut off.
    public init?(_ blob: [UInt8], isRoom: Bool) {
        guard blob.count >= Self.commonSize else { return nil }
        var reader = ByteReader(blob)
        do {
            batteryMillivolts = try reader.u16()
            queueLength = try reader.u16()
            noiseFloor = try reader.i16()
            lastRSSI = try reader.i16()
            received = try reader.u32()
            sent = try reader.u32()
            transmitSeconds = try reader.u32()
            uptimeSeconds = try reader.u32()
            floodSent = try reader.u32()
            directSent = try reader.u32()
            floodReceived = try reader.u32()
            directReceived = try reader.u32()
            errorFlags = try reader.u16()
            lastSNRQuarterDB = try reader.i16()
            directDuplicates = try reader.u16()
            floodDuplicates = try reader.u16()
            guard reader.remaining >= 4 else { return }
            if isRoom {
                extra = .room(posts: try reader.u16(), postPushes: try reader.u16())
            } else {
                extra = .repeater(
                    receiveSeconds: try reader.u32(), receiveErrors: reader.remaining >= 4 ? try reader.u32() : nil)
            }
        } catch {
            return nil
        }
    }
}
