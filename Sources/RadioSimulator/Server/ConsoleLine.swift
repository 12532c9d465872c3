public import RigBase
public import RunRecord

/// Text a repeater or room has printed on its serial console.
public struct ConsoleOutput: Sendable, Hashable {
    public var at: SimInstant
    public var text: String
}

/// A server's serial console: lines that wait to be read, and what was printed.
struct ConsoleLine {
    private var waiting: [(text: String, readable: Int64, cause: EventID?)] = []
    private(set) var printed: [ConsoleOutput] = []

    /// When the next line can be read; `.max` when there is none.
    var nextDue: Int64 { waiting.first?.readable ?? .max }

    mutating func arrived(_ line: String, readable: Int64, cause: EventID?) {
        waiting.append((line, readable, cause))
    }

    mutating func take(at now: Int64) -> (text: String, cause: EventID?)? {
        guard let first = waiting.first, first.readable <= now else { return nil }
        waiting.removeFirst()
        return (first.text, first.cause)
    }

    mutating func write(_ text: String, at millisecond: Int64) {
        printed.append(ConsoleOutput(at: SimInstant(milliseconds: millisecond), text: text.consoleText))
        // A console nobody reads must not grow for ever.
        if printed.count > 10_000 { printed.removeFirst(5_000) }
    }

    mutating func takePrinted() -> [ConsoleOutput] {
        defer { printed = [] }
        return printed
    }

    /// Lines that were not read are lost with the rest of the memory.
    mutating func restart() { waiting = [] }
}

/// The serial console of repeaters and rooms.
extension World {
    /// A line typed on the console, without its end; the node reads it in the next millisecond.
    public func consoleWrite(_ line: String, to name: String, cause: EventID? = nil) {
        let node = node(name)
        guard node.isOn, let server = node.role as? Server else { return }
        server.console.arrived(Server.string(Array(line.utf8)), readable: millisecond + 1, cause: cause)
        touch(node)
    }

    /// What a node has printed since the last call, echo included.
    public func takeConsoleOutput(of name: String) -> [ConsoleOutput] {
        (node(name).role as? Server)?.console.takePrinted() ?? []
    }
}
