internal import ScenarioModel
internal import ScenarioRunner

/// Makes a world file of a mesh that somebody else described.
enum ImportCommand {
    private static let sizeLimit = 64 << 20

    static let command = Command(
        "import", "Makes a world file of a meshcore_simv2 topology or a list of nodes (JSON or CSV).", words: "FILE",
        options: [OptionDescriptor("--title", .text("TEXT"), "title of the world; the file's name if missing")],
        notes: """
            A list of nodes has a name for each (name, adv_name, node_name or label), and may have a role (role, type,
            adv_type or firmware: repeater, companion, room, sensor or their numbers; a repeater when missing), degrees
            (lat or latitude, lon, lng or longitude) and an antenna (height in m, gain in dBi), as members of JSON objects
            or columns of a CSV file with a line of column names. Without links, positions decide who hears whom.
            A topology is a JSON object with nodes and topology.links, each with from, to and perhaps snr, rssi, loss,
            snr_std_dev and bidir.
            """,
        example: "meshrig import topology.json > world.yaml"
    ) { arguments, output in
        guard let path = try arguments.words(upTo: 1).first else { throw UsageError("a file to import is missing") }
        let bytes: [UInt8]
        do { bytes = try FileAccess.read(path, limit: sizeLimit) } catch { throw UsageError("\(error)") }
        let mesh = try ImportedMesh.read(bytes, file: path)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        output.write(mesh.world(title: arguments.text("--title") ?? name))
        let companions = mesh.nodes.count { $0.role == .companion }
        if companions > ImportedMesh.contactLimit {
            Output.errors.write("meshrig: left out: contacts of the \(companions) companions among each other\n")
        }
        for what in mesh.leftOut { Output.errors.write("meshrig: left out: \(what)\n") }
        return 0
    }
}
