internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Where a command came from.
enum CommandSource {
    /// The serial console, which knows a few commands more.
    case console
    /// An admin's text; the time is that of the client's clock.
    case mesh(time: UInt32)

    var isConsole: Bool { if case .console = self { true } else { false } }
    /// 0 on the console.
    var time: UInt32 { if case .mesh(let time) = self { time } else { 0 } }
}

/// One command, found by the beginning of the text (remote-nodes §4.3).
struct ConsoleCommand: Sendable {
    var name: String
    /// Gets the whole text of the command; an empty reply is none.
    var run: @Sendable (Server, String, CommandSource) -> String

    init(_ name: String, _ run: @escaping @Sendable (Server, String, CommandSource) -> String) {
        self.name = name
        self.run = run
    }
}

extension Server {
    func run(consoleLine line: String, cause: EventID?) {
        console.write(line + (kind == .repeater ? "\r\n" : "\r"), at: node.now)
        node.cause = cause
        let reply = run(command: line, from: .console)
        node.cause = nil
        if !reply.isEmpty { console.write("  -> \(reply)\r\n", at: node.now) }
    }

    /// Runs a command and returns what it answers.
    func run(command text: String, from source: CommandSource) -> String {
        if var lines = loading {
            let finished = lines.take(text)
            loading = finished == nil ? lines : nil
            guard let finished else { return "" }
            regions = finished.map
            return "OK - loaded \(finished.count) regions"
        }
        let body = text.drop { $0 == " " }
        let bytes = body.consoleBytes
        guard bytes.count > 4, bytes[2] == UInt8(ascii: "|") else { return dispatch(String(body), source) }
        return Self.string(Array(bytes[..<3])) + dispatch(Self.string(Array(bytes[3...])), source)
    }

    private func dispatch(_ command: String, _ source: CommandSource) -> String {
        let command = String(command.drop { $0 == " " })
        let commands = ConsoleCommand.members + ConsoleCommand.actions
        guard let found = commands.first(where: { command.hasPrefix($0.name) }) else { return "Unknown command" }
        return found.run(self, command, source)
    }
}

/// The text behind a command's name.
func argument(of command: String, behind name: String) -> Substring { command.dropFirst(name.count) }
