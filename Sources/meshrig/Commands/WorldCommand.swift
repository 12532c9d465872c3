internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import ScenarioModel
internal import ScenarioRunner

/// Tells what a world is made of: radio, nodes with their keys, and who hears whom.
enum WorldCommand {
    static let command = Command(
        "world", "Tells the radio, the nodes with their keys, and the links of a world file or scenario.",
        words: "FILE",
        options: [
            OptionDescriptor("--private-keys", .flag, "also the private keys, for `meshrig decode packet --key`"),
            OptionDescriptor("--seed", short: "-s", .seed, "of the world; 1 when missing"),
        ],
        notes: "Links that follow from positions are listed too, with the SNR worked out for them.",
        example: "meshrig world Scenarios/worlds/sandbox.yaml"
    ) { arguments, output in
        let path = try arguments.words(upTo: 1, needing: "the path of a world file or scenario")[0]
        let spec = try spec(of: path, seed: arguments.seed("--seed") ?? RunSettings.defaultSeed)
        let radio = spec.radio
        var lines = [
            "radio   \(fixed(radio.frequencyKHz)) MHz, \(fixed(radio.bandwidthHz)) kHz, SF \(radio.spreadingFactor), CR 4/\(radio.codingRate)",
            "medium  \(name(of: spec.medium))", "",
        ]
        lines += table(
            ["node", "role", "public key"] + (arguments.flag("--private-keys") ? ["private key"] : []),
            spec.nodes.map { node in
                let identity = node.identity ?? .named(node.name)
                let shown = [node.name, node.role.rawValue, Hex.encode(identity.publicKey.bytes)]
                return arguments.flag("--private-keys")
                    ? shown + [identity.privateKey.reveal { Hex.encode($0) }] : shown
            })
        lines.append("")
        lines += table(
            ["from", "to", "SNR", "loss"],
            spec.links.map { link in
                let snr = ScalarText.decimalText(Int(link.snrQuarterDB) * 25, places: 2) + " dB"
                let loss =
                    ScalarText.decimalText(
                        Int(link.loss.numerator) * 1_000_000 / Int(link.loss.denominator), places: 4) + " %"
                return [link.from, link.to, snr, loss]
            })
        output.write(lines.joined(separator: "\n") + "\n")
        return 0
    }

    /// The world of a file, built.
    static func spec(of path: String, seed: UInt64) throws -> WorldSpec {
        let files = OverlayFiles(root: Selection.root(nil) ?? "")
        let root = try ScenarioDocument.whole(try ScenarioFolder.node(at: path), open: files.open)
        let problems = ProblemList()
        let spec = WorldBuilder(try WorldDocument.file(root).world, problems).build(seed: seed)
        try problems.throwIfAny()
        return spec
    }

    private static func name(of medium: MediumSpec) -> String {
        switch medium {
        case .ideal: "ideal"
        case .lossy: "lossy"
        case .contention: "contention"
        case .recorder: "recorder"
        }
    }

    private static func fixed(_ thousandths: UInt32) -> String {
        ScalarText.decimalText(Int(thousandths), places: 3)
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let all = [head] + rows
        let widths = head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
