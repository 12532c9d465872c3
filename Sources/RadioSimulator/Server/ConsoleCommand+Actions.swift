internal import MeshProtocol
internal import RigBase

extension ConsoleCommand {
    /// Commands both programs have, in the order in which they are tried.
    static let actions: [ConsoleCommand] =
        power + [
            ConsoleCommand("advert.zerohop") { server, _, _ in
                server.sendRequestedAdvert(flood: false)
                return "OK - zerohop advert sent"
            },
            ConsoleCommand("advert") { server, _, _ in
                server.sendRequestedAdvert(flood: true)
                return "OK - Advert sent"
            },
            ConsoleCommand("clock sync") { server, _, source in
                guard source.time > server.node.seconds() else { return "ERR: clock cannot go backwards" }
                return server.setClock(source.time &+ 1)
            },
            ConsoleCommand("start ota") { _, _, _ in "Error" },
            ConsoleCommand("clock") { server, _, _ in ConsoleText.clock(server.node.seconds()) },
            ConsoleCommand("time ") { server, command, _ in
                let time = UInt32(clamping: Int64(max(0, min(4_294_967_295, ConsoleText.number(command.dropFirst(5))))))
                guard time > server.node.seconds() else { return "(ERR: clock cannot go backwards)" }
                return server.setClock(time)
            },
            ConsoleCommand("neighbors") { server, _, _ in server.neighbourLines },
            ConsoleCommand("neighbor.remove ") { server, command, _ in
                guard let prefix = Hex.decode(argument(of: command, behind: "neighbor.remove ")), prefix.count <= 32
                else {
                    return "ERR: bad pubkey"
                }
                server.neighbours.remove(prefix: prefix)
                return "OK"
            },
            ConsoleCommand("tempradio ") { server, command, _ in
                server.setTemporaryRadio(argument(of: command, behind: "tempradio "))
            },
            ConsoleCommand("password ") { server, command, _ in
                server.preferences.adminPassword = Array(command.dropFirst(9).consoleBytes.prefix(15))
                server.saveFromConsole()
                return "password now: \(Server.string(server.preferences.adminPassword))"
            },
            ConsoleCommand("clear stats") { server, _, _ in
                if server.kind != .sensor { server.clearStatistics() }
                return "(OK - stats reset)"
            },
            ConsoleCommand("get ") { server, command, source in server.get(command.dropFirst(4), source) },
            ConsoleCommand("set ") { server, command, source in server.set(command.dropFirst(4), source) },
            ConsoleCommand("ver") { server, _, _ in "\(server.profile.version) (Build: \(server.profile.buildDate))" },
            ConsoleCommand("board") { server, _, _ in server.board.model },
            ConsoleCommand("io") { server, command, _ in server.portCommand(argument(of: command, behind: "io")) },
            ConsoleCommand("sensor get ") { _, _, _ in "null" },
            ConsoleCommand("sensor set ") { _, _, _ in "can't find custom var" },
            ConsoleCommand("sensor list") { _, _, _ in "no custom var" },
            ConsoleCommand("powersaving on") { _, _, _ in "Board not supported" },
            ConsoleCommand("powersaving off") { _, _, _ in "off" },
            ConsoleCommand("powersaving") { _, _, _ in "off" },
            ConsoleCommand("log start") { _, _, _ in "   logging on" },
            ConsoleCommand("log stop") { _, _, _ in "   logging off" },
            ConsoleCommand("log erase") { _, _, _ in "   log erased" },
        ] + statistics

    private static let power: [ConsoleCommand] = [
        ConsoleCommand("poweroff") { server, _, _ in server.stop(.powerOff) },
        ConsoleCommand("shutdown") { server, _, _ in server.stop(.powerOff) },
        ConsoleCommand("reboot") { server, _, _ in server.stop(.command) },
        ConsoleCommand("clkreboot") { server, _, _ in
            server.node.clock.set(Server.volatileClockStart, at: server.node.now)
            return server.stop(.command)
        },
    ]

    /// Console only; over the mesh they are unknown.
    private static let statistics: [ConsoleCommand] = [
        ConsoleCommand("stats-core") { server, _, source in
            guard source.isConsole else { return "Unknown command" }
            let node = server.node
            return "{\"battery_mv\":\(server.battery),\"uptime_secs\":\(node.uptime / 1_000),"
                + "\"errors\":\(node.errorFlags),\"queue_len\":\(node.sendQueue.count)}"
        },
        ConsoleCommand("stats-radio") { server, _, source in
            guard source.isConsole else { return "Unknown command" }
            let (node, counters) = (server.node, server.node.counters)
            let hundredths = Int(node.lastSNR).magnitude * 25
            let snr =
                (node.lastSNR < 0 ? "-" : "") + "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "")
                + "\(hundredths % 100)"
            return "{\"noise_floor\":\(node.noiseFloor),\"last_rssi\":\(node.lastRSSI),\"last_snr\":\(snr),"
                + "\"tx_air_secs\":\(counters.transmitAirtime / 1_000),"
                + "\"rx_air_secs\":\(counters.receiveAirtime / 1_000)}"
        },
        ConsoleCommand("stats-packets") { server, _, source in
            guard source.isConsole else { return "Unknown command" }
            let counters = server.node.counters
            return "{\"recv\":\(counters.received),\"sent\":\(counters.sent),\"flood_tx\":\(counters.sentFlood),"
                + "\"direct_tx\":\(counters.sentDirect),\"flood_rx\":\(counters.receivedFlood),"
                + "\"direct_rx\":\(counters.receivedDirect),\"recv_errors\":\(counters.receiveErrors)}"
        },
    ]
}

extension Server {
    /// The clock of a node without a clock chip after it lost its power: 15 May 2024.
    static let volatileClockStart: UInt32 = 1_715_770_351

    fileprivate func stop(_ reason: RestartReason) -> String {
        node.restart = reason
        return ""
    }

    fileprivate func setClock(_ time: UInt32) -> String {
        node.clock.set(time, at: node.now)
        return "OK - clock set: \(ConsoleText.clock(node.seconds()))"
    }

    /// Airtimes and post counters stay.
    fileprivate func clearStatistics() {
        var counters = NodeCounters()
        counters.transmitAirtime = node.counters.transmitAirtime
        counters.receiveAirtime = node.counters.receiveAirtime
        node.counters = counters
        node.errorFlags = 0
    }

    /// Newest first, until 134 characters are reached.
    fileprivate var neighbourLines: String {
        guard kind == .repeater else { return "not supported" }
        var text = ""
        for neighbour in neighbours.sorted(by: 0) where text.utf8.count < 134 {
            let key = Hex.encode(neighbour.key.prefix(4)).uppercased()
            text += (text.isEmpty ? "" : "\n")
            text += "\(key):\(node.seconds() &- neighbour.heard):\(neighbour.snrQuarterDB)"
        }
        return text.isEmpty ? "-none-" : text
    }

    fileprivate func setTemporaryRadio(_ text: Substring) -> String {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 5, let radio = Self.radio(parts[..<4]) else { return "Error, invalid params" }
        let minutes = ConsoleText.integer(parts[4])
        guard minutes > 0 else { return "Error, invalid params" }
        let start = node.now + 2_000
        temporaryRadio = (radio, start, start + Int64(minutes) * 60_000)
        return "OK - temp params for \(minutes) mins"
    }

    /// `freq,bw,sf,cr` in MHz and kHz.
    static func radio(_ parts: ArraySlice<Substring>) -> RadioParameters? {
        guard parts.count == 4 else { return nil }
        let numbers = parts.map { ConsoleText.number($0) }
        guard numbers.allSatisfy({ (0...1e6).contains($0) }) else { return nil }
        return RadioParameters(
            checkingKHz: UInt32((numbers[0] * 1_000).rounded()), bandwidthHz: UInt32((numbers[1] * 1_000).rounded()),
            spreadingFactor: UInt8(clamping: Int(numbers[2])), codingRate: UInt8(clamping: Int(numbers[3])))
    }

    /// Saves settings; a local advert interval below an hour, as a new node has it, is switched off by that.
    func saveFromConsole() {
        if preferences.localAdvertMinutes < 60 { preferences.localAdvertMinutes = 0 }
        savePreferences()
    }
}
