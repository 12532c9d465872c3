internal import MeshProtocol
internal import RigBase

extension ConsoleCommand {
    /// Commands the programs try before the common ones: members, regions, neighbours, posts.
    static let members: [ConsoleCommand] = [
        ConsoleCommand("setperm ") { server, command, _ in
            server.setPermissions(argument(of: command, behind: "setperm "))
        },
        ConsoleCommand("get acl") { server, _, source in
            guard source.isConsole else { return server.get("acl", source) }
            server.console.write("ACL:\r\n", at: server.node.now)
            for client in server.table.clients where client.permissions != 0 {
                let role = Hex.encode([client.permissions]).uppercased()
                let key = Hex.encode(client.key.bytes).uppercased()
                server.console.write("\(role) \(key)\n", at: server.node.now)
            }
            return ""
        },
        ConsoleCommand("discover.neighbors") { server, command, _ in
            guard server.kind == .repeater else { return "Unknown command" }
            guard command == "discover.neighbors" else { return "Err - discover.neighbors has no options" }
            server.discoverNeighbours()
            return "OK - Discover sent"
        },
        ConsoleCommand("region") { server, command, _ in server.runRegion(command) },
        ConsoleCommand("room.post ") { server, command, _ in
            guard server.kind == .room else { return "Unknown command" }
            let text = argument(of: command, behind: "room.post ")
            guard !text.isEmpty else { return "ERR empty message" }
            server.store(text.consoleBytes, by: server.node.publicKey)
            return "OK"
        },
    ]
}

extension Server {
    /// Role 0 deletes the first member with that prefix; any other needs the whole key.
    fileprivate func setPermissions(_ text: Substring) -> String {
        guard let space = text.firstIndex(of: " ") else { return "Err - bad params" }
        guard let key = Hex.decode(text[..<space]), key.count <= PublicKey.size else { return "Err - bad pubkey" }
        let permissions = UInt8(clamping: ConsoleText.integer(text[text.index(after: space)...]))
        if permissions & 3 == 0 {
            guard let place = table.clients.firstIndex(where: { $0.key.matches(prefix: key) }) else {
                return "Err - invalid params"
            }
            table.clients.remove(at: place)
        } else {
            guard let key = PublicKey(checking: key) else { return "Err - invalid params" }
            let place = table.place(of: key, secret: node.identity.sharedSecret(with: key))
            table.clients[place].permissions = permissions
        }
        clientsChanged()
        return "OK"
    }

    /// The `region` commands (remote-nodes §4.5).
    fileprivate func runRegion(_ command: String) -> String {
        let words = command.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard words.count > 1 else { return regions.tree }
        let argument = words.count > 2 ? words[2] : nil
        switch words[1] {
        case "put": return putRegion(argument, below: words.count > 3 ? words[3] : nil)
        case "def": return defineRegions(command)
        case "allowf": return setFlood(argument, allowed: true)
        case "denyf": return setFlood(argument, allowed: false)
        case "get":
            guard let id = argument.flatMap(regions.find) else { return "Err - unknown region" }
            return regions.line(of: id)
        case "remove":
            switch argument.map({ regions.remove($0) }) ?? .unknown {
            case .removed: return "OK"
            case .hasChildren: return "Err - not empty"
            case .unknown: return "Err - not found"
            }
        case "home": return home(argument)
        case "default": return standard(argument)
        case "list":
            guard argument == "allowed" || argument == "denied" else { return "Err - use 'allowed' or 'denied'" }
            let names = regions.names(allowed: argument == "allowed", limit: 159)
            return names.isEmpty ? "-none-" : names
        case "save":
            // A sensor has no place for them.
            if kind == .sensor { return "Err - save failed" }
            flash.regions = regions
            regionsModified = node.seconds()
            return "OK"
        case "load":
            loading = RegionLoading(replacing: regions)
            return ""
        default: return "Err - ??"
        }
    }

    private func putRegion(_ name: String?, below parent: String?) -> String {
        guard let place = parent.map({ regions.find($0) }) ?? 0 else { return "Err - unknown parent" }
        guard let name, regions.put(name, parent: place) != nil else { return "Err - unable to put" }
        return "OK - (flood allowed)"
    }

    /// Each word becomes a child of the one before; `name|jump` goes on below `jump`.
    private func defineRegions(_ command: String) -> String {
        let words = command.split(separator: " ").dropFirst(2)
        guard !words.isEmpty else { return "Err - empty def" }
        var cursor = 0
        for word in words {
            let parts = word.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "|" || $0 == "," }
            guard let name = parts.first, !name.isEmpty else { return "Err - empty name" }
            guard let id = regions.put(String(name), parent: cursor) else { return "Err - put failed: \(name)" }
            cursor = id
            guard parts.count > 1 else { continue }
            guard !parts[1].isEmpty else { return "Err - empty jump" }
            guard let jump = regions.find(String(parts[1])) else { return "Err - unknown jump: \(parts[1])" }
            cursor = jump
        }
        return regions.tree
    }

    private func setFlood(_ name: String?, allowed: Bool) -> String {
        guard let id = name.flatMap(regions.find) else { return "Err - unknown region" }
        regions.setFlood(id, allowed: allowed)
        return "OK"
    }

    private func home(_ name: String?) -> String {
        guard let name else { return " home is \(regions.homeName)" }
        guard let id = regions.find(name) else { return "Err - unknown region" }
        regions.setHome(id)
        return " home is now \(regions.homeName)"
    }

    private func standard(_ name: String?) -> String {
        guard let name else { return " default scope is \(regions.defaultName ?? "<null>")" }
        guard regions.setDefault(name == "<null>" ? nil : name) else { return "Err - unable to put" }
        flash.regions = regions
        return " default scope is now \(regions.defaultName ?? "<null>")"
    }
}
