/// What a sensor measures besides its battery, in thousandths of each unit.
package struct ReadingsDocument: Sendable, Hashable {
    package var temperature: Int?
    package var humidity: Int?
    package var pressure: Int?
    /// Where its GPS says that it is; hundredths of a metre above the sea.
    package var place: PositionDocument?
    package var altitude: Int

    package static let shape = ShapeDescriptor(
        "readings of a sensor",
        [
            FieldDescriptor("temperature", .decimal(places: 3, -100_000...200_000), "degrees Celsius"),
            FieldDescriptor("humidity", .decimal(places: 3, 0...100_000), "per cent"),
            FieldDescriptor("pressure", .decimal(places: 3, 0...2_000_000), "hectopascal"),
            FieldDescriptor("gps", .position, "where its GPS says that it is; no GPS when missing"),
            FieldDescriptor("altitude", .decimal(places: 2, -50_000...1_000_000), "metres, of the GPS", default: "0"),
        ])

    package static func read(_ reader: MappingReader) -> ReadingsDocument {
        ReadingsDocument(
            temperature: reader.decimal("temperature"), humidity: reader.decimal("humidity"),
            pressure: reader.decimal("pressure"), place: reader.position("gps"),
            altitude: reader.decimal("altitude") ?? 0)
    }
}
