internal import Reporting
internal import RigBase
internal import RunRecord

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
        "packet", "Explains a packet from the air.", words: "HEX…",
        example: "meshrig decode packet 0d00aabbccdd"
    ) { arguments, output in write(DecodeText.packet(try bytes(arguments)), output) }

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
