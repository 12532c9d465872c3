internal import ScenarioModel
internal import ScenarioRunner

/// Makes a world file of a mesh that somebody else described.
enum ImportCommand {
    private static let sizeLimit = 64 << 20

    static let command = Command(
        "import", "Makes a world file of a meshcore_simv2 topology or a list of nodes (JSON or CSV).", words: "FILE",
        options: [OptionDescriptor("--title", .text("TEXT"), "title of the world; the file's name if missing")],
        notes: """
            A list of nodes has a name for each, and may have a role or type, a latitude and a longitude, as members of
            JSON objects or columns of a CSV file. Without links, positions decide who hears whom (geometry).
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
