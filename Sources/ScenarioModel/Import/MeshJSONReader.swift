/// Reads topologies of meshcore_simv2 (`simulation`, `nodes`, `topology.links`) and JSON lists of nodes.
///
/// Files of others have keys of others: what is not known is left alone, and what a world cannot hold is listed.
enum MeshJSONReader {
    static func read(_ root: YAMLNode) throws(ScenarioError) -> ImportedMesh {
        var mesh = ImportedMesh()
        let list = root.sequence ?? root["nodes"]?.sequence
        guard let list, !list.isEmpty else {
            throw ScenarioError(root.spot, "there is no list of nodes here, neither at the top nor as \"nodes\"")
        }
        guard list.count <= ImportedMesh.nodeLimit else {
            throw ScenarioError(root.spot, "\(list.count) nodes are more than \(ImportedMesh.nodeLimit)")
        }
        var indexByName: [String: Int] = [:]
        for node in list {
            let read = try self.node(node)
            guard indexByName[read.name] == nil else {
                throw ScenarioError(node.spot, "\"\(YAMLNode.shortened(read.name))\" is there twice")
            }
            indexByName[read.name] = mesh.nodes.count
            mesh.nodes.append(read)
            if node["adversarial"] != nil { note("what adversarial nodes do (see `script`)", &mesh) }
            if node["radio"] != nil { note("radio parameters of single nodes", &mesh) }
            if NodeColumns.key.contains(where: { node[$0] != nil }) { note(NodeColumns.keyNote, &mesh) }
            if node["tx_fail_prob"] != nil { note("failing transmitters", &mesh) }
        }
        if let simulation = root["simulation"] { try read(simulation, into: &mesh) }
        let links = root["topology"]?["links"] ?? root["links"]
        if let links, links.sequence == nil, !links.isEmpty, !isNull(links) {
            throw ScenarioError(links.spot, "links are a list, found \(links.kindName)")
        }
        for link in links?.sequence ?? [] {
            guard mesh.links.count < ImportedMesh.linkLimit else {
                throw ScenarioError(link.spot, "more than \(ImportedMesh.linkLimit) links")
            }
            mesh.links.append(try self.link(link, indexByName))
        }
        for key in ["commands", "message_schedule", "channel_schedule", "expect"] where root[key]?.isEmpty == false {
            note("\"\(key)\": steps and expectations belong into a scenario", &mesh)
        }
        return mesh
    }

    private static func note(_ text: String, _ mesh: inout ImportedMesh) {
        if !mesh.leftOut.contains(text) { mesh.leftOut.append(text) }
    }

    private static func node(_ node: YAMLNode) throws(ScenarioError) -> ImportedMesh.Node {
        func first(_ keys: [String]) -> YAMLNode? {
            keys.lazy.compactMap { node[$0] }.first { !$0.isEmpty && !isNull($0) }
        }
        guard let name = first(NodeColumns.name)?.text, !name.isEmpty else {
            throw ScenarioError(node.spot, "a node needs a name")
        }
        let role = try NodeColumns.role(first(NodeColumns.role)?.text, at: node.spot)
        let latitude = try first(NodeColumns.latitude).map { value throws(ScenarioError) in try number(value, -90...90)
        }
        let longitude = try first(NodeColumns.longitude).map { value throws(ScenarioError) in
            try number(value, -180...180)
        }
        let height = try first(NodeColumns.height).map { value throws(ScenarioError) in
            try number(value, NodeColumns.heights)
        }
        let gain = try first(NodeColumns.gain).map { value throws(ScenarioError) in
            try number(value, NodeColumns.gains)
        }
        return ImportedMesh.Node(
            name: name, role: role, latitude: latitude, longitude: longitude, height: height, gain: gain)
    }

    private static func read(_ simulation: YAMLNode, into mesh: inout ImportedMesh) throws(ScenarioError) {
        if let epoch = simulation["epoch_start"] { mesh.epoch = Int(try number(epoch, 0...4_294_967_295)) }
        guard let radio = simulation["radio"] else { return }
        if let coherence = radio["snr_coherence_ms"] { mesh.coherence = try number(coherence, 0...31_622_400_000) }
        if radio["sf"] != nil || radio["bw"] != nil || radio["cr"] != nil {
            mesh.radio = ImportedMesh.Radio(
                bandwidth: Int(
                    try radio["bw"].map { value throws(ScenarioError) in try number(value, 7_000...500_000) } ?? 62_500),
                spreadingFactor: Int(
                    try radio["sf"].map { value throws(ScenarioError) in try number(value, 5...12) } ?? 8),
                codingRate: 4
                    + Int(try radio["cr"].map { value throws(ScenarioError) in try number(value, 1...4) } ?? 1))
        }
        let senseKeys = ["cad_miss_prob", "cad_reliable_snr", "cad_marginal_snr"]
        if senseKeys.contains(where: { radio[$0] != nil }) {
            // What is not said is as the simulator that wrote the file takes it.
            func value(_ key: String, _ range: ClosedRange<Double>, _ other: Double) throws(ScenarioError) -> Double {
                try radio[key].map { value throws(ScenarioError) in try number(value, range) } ?? other
            }
            let (sure, deaf) = (try value(senseKeys[1], -50...50, 0), try value(senseKeys[2], -50...50, -15))
            mesh.carrierSense = ImportedMesh.CarrierSense(
                misses: try value(senseKeys[0], 0...1, 0.05), sure: max(sure, deaf), deaf: deaf)
        }
        for key in ["capture_locked_db", "capture_unlocked_db", "hardware"] where radio[key] != nil {
            note("\"\(key)\" of the radio model", &mesh)
        }
    }

    private static func link(
        _ link: YAMLNode, _ indexByName: [String: Int]
    ) throws(ScenarioError) -> ImportedMesh.Link {
        func end(_ key: String) throws(ScenarioError) -> Int {
            guard let name = link[key]?.text else { throw ScenarioError(link.spot, "a link needs \"\(key)\"") }
            guard let index = indexByName[name] else {
                throw ScenarioError(link.spot, "a link names \"\(YAMLNode.shortened(name))\", which is no node here")
            }
            return index
        }
        func value(_ key: String, _ range: ClosedRange<Double>) throws(ScenarioError) -> Double? {
            try link[key].flatMap { isNull($0) ? nil : $0 }.map { value throws(ScenarioError) in
                try number(value, range)
            }
        }
        let (from, to) = (try end("from"), try end("to"))
        guard from != to else { throw ScenarioError(link.spot, "a link joins a node with itself") }
        return ImportedMesh.Link(
            from: from, to: to, isOneWay: link["bidir"]?.text == "false", snr: try value("snr", -200...200) ?? 8,
            rssi: try value("rssi", -300...100), loss: try value("loss", 0...1) ?? 0,
            deviation: try value("snr_std_dev", 0...100) ?? 0)
    }

    /// JSON's word for a value that is not there.
    private static func isNull(_ node: YAMLNode) -> Bool {
        node.scalar.map { $0.isPlain && $0.text == "null" } ?? false
    }

    static func number(_ node: YAMLNode, _ range: ClosedRange<Double>) throws(ScenarioError) -> Double {
        guard let text = node.text, let value = Double(text), value.isFinite, range.contains(value) else {
            throw ScenarioError(
                node.spot, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(node.kindName)")
        }
        return value
    }
}

/// The words under which lists of nodes keep what matters here.
enum NodeColumns {
    static let name = ["name", "adv_name", "node_name", "label"]
    static let role = ["role", "type", "adv_type", "device_role", "firmware"]
    static let key = ["public_key", "publickey", "public key", "pubkey", "pub_key", "key"]
    static let keyNote = "public keys: nodes of a world have private keys of their own, made from their names"
    static let latitude = ["lat", "latitude", "adv_lat"]
    static let longitude = ["lon", "lng", "longitude", "adv_lon"]
    static let height = ["height", "antenna_height", "height_m"]
    static let gain = ["gain", "antenna_gain", "gain_dbi"]
    /// What the antenna of a world's node can have.
    static let heights: ClosedRange<Double> = 0...2_000
    static let gains: ClosedRange<Double> = -20...30
    static let all = name + role + key + latitude + longitude + height + gain

    /// A repeater when nothing is said: that is what lists of fixed nodes mostly hold.
    static func role(_ text: String?, at spot: SourceSpot) throws(ScenarioError) -> NodeDocument.Role {
        switch text?.lowercased() {
        case nil, "", "repeater", "2": .repeater
        case "companion", "chat", "client", "1": .companion
        case "room", "room_server", "room-server", "room server", "3": .room
        case "sensor", "4": .sensor
        default:
            throw ScenarioError(
                spot, "\"\(YAMLNode.shortened(text ?? ""))\" is no role; companion, repeater, room and sensor are")
        }
    }
}
