public import RigBase

/// Sets the radio's position (§3.17).
public struct SetAdvertPositionCommand: CompanionCommand {
    public static let code = CommandCode.setAdvertPosition
    public static let rules = CommandRules(
        since: 1, lengths: 9...CompanionLimits.maxFrameSize, errors: [.illegalArgument])
    public static let replies: [RadioCode] = [.ok]
    public static let layout = FrameLayout(
        .i32("latitude", unit: "µ°"), .i32("longitude", unit: "µ°"), FieldLayout.i32("altitude").optional)
    public static let samples = [
        Self(position: GeoPosition(latitude: 52_520_008, longitude: 13_404_954)),
        Self(position: GeoPosition(latitude: -1, longitude: 1), altitude: 0),
    ]

    public var position: GeoPosition
    /// Read and ignored by radios.
    public var altitude: Int32?

    public init(position: GeoPosition, altitude: Int32? = nil) {
        self.position = position
        self.altitude = altitude
    }

    public init(decoding reader: inout FrameReader) throws(FrameDefect) {
        position = try GeoPosition(decoding: &reader)
        altitude = reader.remaining >= 4 ? try reader.i32() : nil
    }

    public func encode(into writer: inout ByteWriter) {
        position.encode(into: &writer)
        if let altitude { writer.i32(altitude) }
    }

    public func validate() throws(FieldLimitError) {
        try FieldLimit.range(position.latitude, -90_000_000...90_000_000, "latitude")
        try FieldLimit.range(position.longitude, -180_000_000...180_000_000, "longitude")
    }
}
