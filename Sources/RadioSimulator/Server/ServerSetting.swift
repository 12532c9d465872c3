internal import MeshProtocol
internal import RigBase

/// One setting the console can show and change (remote-nodes §4.4).
struct ServerSetting: Sendable {
    /// Where a setting's value is kept.
    typealias Path<Value> = any WritableKeyPath<ServerPreferences, Value> & Sendable

    var name: String
    /// Shown behind `> `; nil shows the setting as unknown, here.
    var get: @Sendable (Server, CommandSource) -> String?
    /// Changes it and answers; nil: it cannot be set.
    var set: (@Sendable (Server, Substring, CommandSource) -> String)?

    init(
        _ name: String, get: @escaping @Sendable (Server, CommandSource) -> String?,
        set: (@Sendable (Server, Substring, CommandSource) -> String)? = nil
    ) {
        self.name = name
        self.get = get
        self.set = set
    }

    /// On or off.
    static func toggle(
        _ name: String, _ path: Path<Bool>, reply: String = "OK"
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in server.preferences[keyPath: path] ? "on" : "off" },
            set: { server, text, _ in
                server.preferences[keyPath: path] = text.hasPrefix("on")
                server.saveFromConsole()
                return reply
            })
    }

    /// A whole number within a range.
    static func whole(
        _ name: String, _ path: Path<Int>, in range: ClosedRange<Int>,
        otherwise refusal: String
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in "\(server.preferences[keyPath: path])" },
            set: { server, text, _ in
                let value = ConsoleText.integer(text)
                guard range.contains(value) else { return refusal }
                server.preferences[keyPath: path] = value
                server.saveFromConsole()
                return "OK"
            })
    }

    /// A single-precision number within a range.
    static func decimal(
        _ name: String, _ path: Path<Float>, in range: ClosedRange<Float>,
        otherwise refusal: String
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in ConsoleText.float(server.preferences[keyPath: path]) },
            set: { server, text, _ in
                let value = Float(ConsoleText.number(text))
                guard range.contains(value) else { return refusal }
                server.preferences[keyPath: path] = value
                server.node.budget.factor = server.preferences.airtimeFactor
                server.saveFromConsole()
                return "OK"
            })
    }

    /// Text cut to so many bytes.
    static func text(
        _ name: String, _ path: Path<[UInt8]>, limit: Int
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in Server.string(server.preferences[keyPath: path]) },
            set: { server, text, _ in
                server.preferences[keyPath: path] = Array(text.consoleBytes.prefix(limit))
                server.saveFromConsole()
                return "OK"
            })
    }
}

extension Server {
    func get(_ name: Substring, _ source: CommandSource) -> String {
        let found =
            ServerSetting.all.first { $0.name == name } ?? ServerSetting.all.first { name.hasPrefix($0.name) }
        guard let value = found?.get(self, source) else { return "??: \(name)" }
        return value.hasPrefix("ERROR") || value.hasPrefix("Error: ") ? value : "> \(value)"
    }

    func set(_ text: Substring, _ source: CommandSource) -> String {
        guard let found = ServerSetting.all.first(where: { text.hasPrefix($0.name + " ") }), let set = found.set else {
            return "unknown config: \(text)"
        }
        return set(self, text.dropFirst(found.name.count + 1), source)
    }
}
