package import RigBase

/// A place on the earth in millionths of a degree, as adverts carry it.
package struct PositionDocument: Sendable, Hashable {
    package var latitudeE6: Int32
    package var longitudeE6: Int32

    package static let shape = ShapeDescriptor(
        "a position",
        [
            FieldDescriptor("latitude", .decimal(places: 6, -90_000_000...90_000_000), "degrees north", required: true),
            FieldDescriptor(
                "longitude", .decimal(places: 6, -180_000_000...180_000_000), "degrees east", required: true),
        ])
}

/// A time limit that may differ between the simulator and a real radio.
package struct WindowDocument: Sendable, Hashable {
    package var simulator: Duration
    package var radio: Duration

    package init(simulator: Duration, radio: Duration) {
        self.simulator = simulator
        self.radio = radio
    }

    /// Which of the two limits counts.
    package enum Place: Sendable, Hashable { case simulator, radio }

    package subscript(place: Place) -> Duration {
        switch place {
        case .simulator: simulator
        case .radio: radio
        }
    }

    package static let shape = ShapeDescriptor(
        "a time limit",
        [
            FieldDescriptor("simulator", .duration, "in virtual time", required: true),
            FieldDescriptor("radio", .duration, "on real radios", required: true),
        ])
}

/// Reads one value as the type its key describes, and reports what does not fit.
package struct ValueReader {
    private let type: ValueType
    private let key: String
    private let problems: ProblemList

    package init(_ type: ValueType, _ key: String, _ problems: ProblemList) {
        self.type = type
        self.key = key
        self.problems = problems
    }

    package func text(_ node: YAMLNode) -> String? {
        switch type {
        case .text, .pattern, .anything:
            guard let scalar = scalar(node) else { return nil }
            return scalar.text
        case .choice(let words):
            guard let scalar = scalar(node) else { return nil }
            guard words.contains(scalar.text) else {
                let nearest = Nearest.name(to: scalar.text, among: words).map { "; did you mean \"\($0)\"?" } ?? ""
                problems.add(
                    node.spot, "\(key) cannot be \(node.kindName)\(nearest)",
                    hint: "it is one of: " + words.joined(separator: ", "))
                return nil
            }
            return scalar.text
        default: preconditionFailure("\(key) is no text")
        }
    }

    package func integer(_ node: YAMLNode) -> Int? {
        guard case .integer(let range) = type else { preconditionFailure("\(key) is no integer") }
        return plain(node).flatMap { text in
            ScalarText.integer(text).flatMap { range.contains($0) ? $0 : nil } ?? refuse(node)
        }
    }

    package func bool(_ node: YAMLNode) -> Bool? {
        guard case .bool = type else { preconditionFailure("\(key) is no bool") }
        return plain(node).flatMap { text in text == "true" ? true : text == "false" ? false : refuse(node) }
    }

    package func duration(_ node: YAMLNode) -> Duration? {
        let isSigned: Bool
        switch type {
        case .duration: isSigned = false
        case .signedDuration: isSigned = true
        default: preconditionFailure("\(key) is no duration")
        }
        guard let scalar = scalar(node) else { return nil }
        if let value = ScalarText.duration(scalar.text, signed: isSigned) { return value }
        if ScalarText.fixedPoint(scalar.text, places: 9) != nil {
            problems.add(
                node.spot, "\(key): \(scalar.text) of what? A duration carries a unit",
                hint: "units: us, ms, s, min, h, d; for example \(scalar.text)s")
            return nil
        }
        return refuse(node)
    }

    package func bytes(_ node: YAMLNode) -> [UInt8]? {
        guard case .bytes(let range) = type else { preconditionFailure("\(key) is no bytes") }
        guard let scalar = scalar(node) else { return nil }
        guard let bytes = Hex.decode(scalar.text) else { return refuse(node) }
        guard range.contains(bytes.count) else {
            let wanted =
                range.lowerBound == range.upperBound
                ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
            problems.add(node.spot, "\(key) has \(bytes.count) bytes; it takes \(wanted)")
            return nil
        }
        return bytes
    }

    package func ratio(_ node: YAMLNode) -> Ratio? {
        guard case .ratio = type else { preconditionFailure("\(key) is no ratio") }
        return scalar(node).flatMap { ScalarText.ratio($0.text) ?? refuse(node) }
    }

    package func decibel(_ node: YAMLNode) -> Int? {
        guard case .decibel = type else { preconditionFailure("\(key) is no decibel") }
        return plain(node).flatMap { ScalarText.quarterDecibel($0) ?? refuse(node) }
    }

    package func decimal(_ node: YAMLNode) -> Int? {
        guard case .decimal(let places, let range) = type else { preconditionFailure("\(key) is no decimal") }
        return plain(node).flatMap { text in
            guard let value = ScalarText.fixedPoint(text, places: places) else { return refuse(node) }
            guard range.contains(value) else {
                problems.add(node.spot, "\(key) is out of range: \(text)")
                return nil
            }
            return value
        }
    }

    package func pattern(_ node: YAMLNode) -> NamePattern? {
        guard case .pattern = type else { preconditionFailure("\(key) is no pattern") }
        return scalar(node).flatMap { scalar in
            if let pattern = NamePattern(scalar.text) { return pattern }
            problems.add(
                node.spot, "\(key): \(node.kindName) is not an expression that is understood",
                hint: "between slashes: . [a-z] [^x] \\ * + ? | and ^ $ at the ends")
            return nil
        }
    }

    package func position(_ node: YAMLNode) -> PositionDocument? {
        guard case .position = type else { preconditionFailure("\(key) is no position") }
        if node.mapping != nil {
            let reader = MappingReader(node, PositionDocument.shape, problems)
            guard let latitude = reader.decimal("latitude"), let longitude = reader.decimal("longitude") else {
                return nil
            }
            return PositionDocument(latitudeE6: Int32(latitude), longitudeE6: Int32(longitude))
        }
        guard let parts = node.sequence, parts.count == 2,
            let latitude = parts[0].text.flatMap({ ScalarText.fixedPoint($0, places: 6) }),
            let longitude = parts[1].text.flatMap({ ScalarText.fixedPoint($0, places: 6) })
        else { return refuse(node) }
        guard abs(latitude) <= 90_000_000, abs(longitude) <= 180_000_000 else {
            problems.add(node.spot, "\(key) is out of range: latitude -90…90, longitude -180…180, in this order")
            return nil
        }
        return PositionDocument(latitudeE6: Int32(latitude), longitudeE6: Int32(longitude))
    }

    package func window(_ node: YAMLNode) -> WindowDocument? {
        guard case .window = type else { preconditionFailure("\(key) is no window") }
        guard node.mapping != nil else {
            return ValueReader(.duration, key, problems).duration(node)
                .map { WindowDocument(simulator: $0, radio: $0) }
        }
        let reader = MappingReader(node, WindowDocument.shape, problems)
        guard let simulator = reader.duration("simulator"), let radio = reader.duration("radio") else { return nil }
        return WindowDocument(simulator: simulator, radio: radio)
    }

    private func scalar(_ node: YAMLNode) -> YAMLScalar? {
        guard let scalar = node.scalar, !node.isEmpty else { return refuse(node) }
        return scalar
    }

    private func plain(_ node: YAMLNode) -> String? {
        guard let scalar = scalar(node) else { return nil }
        return scalar.isPlain ? scalar.text : refuse(node)
    }

    private func refuse<Value>(_ node: YAMLNode) -> Value? {
        if YAMLNode.secretKeys.contains(key) || key == "key" {
            problems.add(node.spot, "\(key) takes \(type.name)")
            return nil
        }
        let found = node.scalar.map { $0.isPlain ? node.kindName : "the text \(node.kindName) in quotes" }
        problems.add(node.spot, "\(key) takes \(type.name), found \(found ?? node.kindName)")
        return nil
    }
}
