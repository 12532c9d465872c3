internal import MeshProtocol
internal import Reporting
internal import RigBase
internal import RunRecord
internal import RadioSimulator
internal import ScenarioRunner

/// Explains bytes that someone has in hand.
enum DecodeCommand {
    static let command = Command(
        "decode", "Explains frames, packets and telemetry given as hex.",
        example: "meshrig decode frame 3e 09 00 82 0a 0b 0c 0d e8 03 00 00", subcommands: [frame, packet, telemetry])

    private static let frame = Command(
        "frame", "Explains a frame of the companion link.", words: "HEX…",
        options: [OptionDescriptor("--direction", .text("to-radio|from-radio"), "which way it went")],
        example: "meshrig decode frame --direction to-radio 16 03"
    ) { arguments, output in
        let direction = arguments.text("--direction")
        if let direction, direction != "to-radio", direction != "from-radio" {
            throw UsageError.unknown("direction", direction, among: ["to-radio", "from-radio"])
        }
        guard let lines = DecodeText.frame(try bytes(arguments), isToRadio: direction.map { $0 == "to-radio" }) else {
            throw UsageError("an empty frame says nothing")
        }
        return write(lines, output)
    }

    private static let packet = Command(
        "packet", "Explains a packet from the air, opening what the given keys open.", words: "HEX…",
        options: [
            OptionDescriptor(
                "--key", .text("NAME=HEX"), "private key of a node: 32-byte seed or 64 bytes expanded", repeats: true),
            OptionDescriptor("--peer", .text("NAME=HEX"), "public key of a node", repeats: true),
            OptionDescriptor(
                "--channel", .text("NAME[=HEX]"), "a channel: public, #name, or any name with its 16 or 32 bytes",
                repeats: true),
            OptionDescriptor(
                "--world", .text("FILE"), "a world file or scenario: the keys of all its nodes and channels"),
        ],
        example: "meshrig decode packet 0d00aabbccdd"
    ) { arguments, output in
        let (bytes, keys) = (try bytes(arguments), try keys(arguments))
        let fields = PacketDescription.fields(of: bytes, keys: keys)
        if let error = fields.first(where: { $0.name == "error" }) {
            throw UsageError("this is no packet: \(error.value)")
        }
        return write(DecodeText.packet(bytes, keys: keys), output)
    }

    /// The keys of the command line. What is wrong with one is said without repeating it.
    private static func keys(_ arguments: Arguments) throws -> PacketKeys {
        var keys = PacketKeys()
        if let path = arguments.text("--world") {
            for node in try WorldCommand.spec(of: path, seed: RunSettings.defaultSeed).nodes {
                keys.add(node.name, node.identity ?? .named(node.name))
                for channel in node.channels {
                    let secret = channel.key.map { ChannelSecret(key16: $0) }
                    keys.add(channel: channel.name, secret ?? .hashtag(channel.name))
                }
            }
        }
        for text in arguments.texts("--key") {
            let (name, bytes) = try named(text, "--key")
            guard let bytes, let identity = bytes.count == 32 ? Identity(seed: bytes) : Identity(privateKey: bytes)
            else { throw UsageError("the key of \(name) is no private key: it takes 32 or 64 bytes in hex") }
            keys.add(name, identity)
        }
        for text in arguments.texts("--peer") {
            let (name, bytes) = try named(text, "--peer")
            guard let bytes, let key = PublicKey(checking: bytes) else {
                throw UsageError("the key of \(name) is no public key: it takes 32 bytes in hex")
            }
            keys.add(name, key)
        }
        for text in arguments.texts("--channel") {
            guard text.contains("=") else {
                guard text == "public" || text.hasPrefix("#") else {
                    throw UsageError(
                        "channel \"\(text)\" needs its key: only public and names with # have one by themselves")
                }
                keys.add(channel: text, text == "public" ? .publicChannel : .hashtag(text))
                continue
            }
            let (name, bytes) = try named(text, "--channel")
            switch bytes?.count {
            case 16: keys.add(channel: name, ChannelSecret(key16: bytes ?? []))
            case 32: keys.add(channel: name, ChannelSecret(secret32: bytes ?? []))
            default: throw UsageError("the key of channel \(name) takes 16 or 32 bytes in hex")
            }
        }
        return keys
    }

    /// `NAME=HEX`; nil bytes for what is no hex.
    private static func named(_ text: String, _ option: String) throws(UsageError) -> (String, [UInt8]?) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
            throw UsageError("\(option) takes NAME=HEX")
        }
        return (String(text[..<equals]), Hex.decode(String(text[text.index(after: equals)...])))
    }

    private static let telemetry = Command(
        "lpp", "Explains a CayenneLPP list.", words: "HEX…", example: "meshrig decode lpp 01 74 01 9a"
    ) { arguments, output in write(DecodeText.telemetry(try bytes(arguments)), output) }

    private static func bytes(_ arguments: Arguments) throws(UsageError) -> [UInt8] {
        let text = arguments.words.joined()
        if text.isEmpty { throw UsageError("the bytes are missing, as hex digits") }
        guard let bytes = Hex.decode(text) else {
            throw UsageError("\"\(text)\" is no hex: it takes pairs of the digits 0-9 and a-f")
        }
        return bytes
    }

    private static func write(_ lines: [String], _ output: Output) -> Int32 {
        output.write(lines.joined(separator: "\n") + "\n")
        return 0
    }
}
