/// Writes a world file.
extension ImportedMesh {
    /// With more companions than this they do not know each other: a radio keeps only so many contacts.
    package static let contactLimit = 100
    /// Bytes of a name that a radio keeps.
    private static let nameLimit = 31

    /// The text of a world file; nodes with positions and no links at all get `geometry`.
    package func world(title: String) -> String {
        let ids = self.ids
        var lines = ["title: " + Self.quoted(title), "", "world:"]
        if let radio {
            lines.append(
                "  radio: { frequency: 869.618, bandwidth: \(Self.decimal(Double(radio.bandwidth) / 1_000, places: 3)),"
                    + " spreading-factor: \(radio.spreadingFactor), coding-rate: \(radio.codingRate) }")
        }
        lines.append("  medium: contention")
        if let sense = carrierSense {
            let misses = "misses: " + Self.decimal(sense.misses * 100, places: 4) + "%"
            let limits =
                ", sure: \(Self.decimal(sense.sure, places: 2)), deaf: \(Self.decimal(sense.deaf, places: 2))"
            lines.append("  carrier-sense: { " + misses + (sense.sure > sense.deaf ? limits : "") + " }")
        }
        if let epoch { lines.append("  epoch: \(epoch)") }
        lines.append("  nodes:")
        let companions = nodes.indices.filter { nodes[$0].role == .companion }
        for (index, node) in nodes.enumerated() {
            lines.append("    \(ids[index]): { " + parts(node, id: ids[index], index, companions, ids) + " }")
        }
        if links.isEmpty {
            if nodes.count(where: { $0.latitude != nil && $0.longitude != nil }) > 1 { lines.append("  geometry: {}") }
        } else {
            lines.append("  links:")
            var seen: Set<[Int]> = []
            for link in links {
                let directions =
                    link.isOneWay ? [[link.from, link.to]] : [[link.from, link.to], [link.to, link.from]]
                // The first description of a direction counts.
                let new = directions.filter { !seen.contains($0) }
                guard let ends = new.first else { continue }
                seen.formUnion(new)
                var described = link
                described.isOneWay = new.count == 1
                lines.append("    \(ids[ends[0]])-\(ids[ends[1]]): { " + parts(described) + " }")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Names that scenarios can use: lower case, a letter first, no two alike.
    private var ids: [String] {
        var taken: Set<String> = []
        return nodes.map { node in
            var id = ""
            for scalar in node.name.lowercased().unicodeScalars {
                let isPlain = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
                if isPlain { id.unicodeScalars.append(scalar) } else if !id.isEmpty, id.last != "_" { id.append("_") }
            }
            while id.last == "_" { id.removeLast() }
            if !("a"..."z").contains(id.first ?? " ") { id = id.isEmpty ? "node" : "n" + id }
            var unique = id
            var number = 2
            while !taken.insert(unique).inserted {
                unique = "\(id)_\(number)"
                number += 1
            }
            return unique
        }
    }

    private func parts(_ node: Node, id: String, _ index: Int, _ companions: [Int], _ ids: [String]) -> String {
        var parts = node.role == .companion ? [] : ["role: \(node.role.rawValue)"]
        var name = node.name
        // Scalar by scalar: a single character can be longer than a name may be.
        while name.utf8.count > Self.nameLimit { name.unicodeScalars.removeLast() }
        if name != id { parts.append("name: " + Self.quoted(name)) }
        if let latitude = node.latitude, let longitude = node.longitude {
            parts.append(
                "position: [\(Self.decimal(latitude, places: 6)), \(Self.decimal(longitude, places: 6))]")
        }
        let antenna = [
            node.height.map { "height: " + Self.decimal($0, places: 1) },
            node.gain.map { "gain: " + Self.decimal($0, places: 2) },
        ].compactMap { $0 }
        if !antenna.isEmpty { parts.append("antenna: { " + antenna.joined(separator: ", ") + " }") }
        if node.role == .companion {
            let others = companions.filter { $0 != index }.map { ids[$0] }
            if !others.isEmpty, others.count < Self.contactLimit {
                parts.append("contacts: [" + others.joined(separator: ", ") + "]")
            }
            parts.append("channels: [public]")
        }
        return parts.joined(separator: ", ")
    }

    private func parts(_ link: Link) -> String {
        let snr = min(31.75, max(-32, link.snr))
        var parts = ["snr: \(Self.decimal(snr, places: 2))"]
        if let rssi = link.rssi { parts.append("rssi: \(Int(min(0, max(-128, rssi)).rounded()))") }
        if link.loss > 0 { parts.append("loss: \(Self.decimal(link.loss * 100, places: 4))%") }
        if link.deviation > 0 {
            let time = max(1, Int(coherence.rounded()))
            parts.append(
                "fading: { sigma: \(Self.decimal(min(20, link.deviation), places: 2)), correlation: \(time)ms }")
        }
        if link.isOneWay { parts.append("one-way: true") }
        return parts.joined(separator: ", ")
    }

    /// A decimal number without exponent and without zeros at its end.
    private static func decimal(_ value: Double, places: Int) -> String {
        var scale = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int((value * Double(scale)).rounded())
        var fraction = String(scaled.magnitude % UInt(scale))
        fraction = String(repeating: "0", count: places - fraction.count) + fraction
        while fraction.last == "0" { fraction.removeLast() }
        return (scaled < 0 ? "-" : "") + "\(scaled.magnitude / UInt(scale))" + (fraction.isEmpty ? "" : "." + fraction)
    }

    /// Text as YAML and JSON both read it.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127: result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
