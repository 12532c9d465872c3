internal import MeshProtocol
internal import RigBase

extension ServerSetting {
    /// Every setting; of names that begin alike the longer one comes first.
    static let all: [ServerSetting] = identity + place + radio + forwarding + adverts + access + fixed

    private static let identity: [ServerSetting] = [
        ServerSetting(
            "name", get: { server, _ in Server.string(server.preferences.name) },
            set: { server, text, _ in
                guard !text.contains(where: { "[]\\:,?*".contains($0) }) else { return "Error, bad chars" }
                server.preferences.name = Array(text.consoleBytes.prefix(31))
                server.saveFromConsole()
                return "OK"
            }),
        ServerSetting(
            "owner.info",
            get: { server, _ in
                Server.string(server.preferences.ownerInfo.map { $0 == 0x0A ? UInt8(ascii: "|") : $0 })
            },
            set: { server, text, _ in
                server.preferences.ownerInfo = text.consoleBytes.prefix(119).map { $0 == UInt8(ascii: "|") ? 0x0A : $0 }
                server.saveFromConsole()
                return "OK"
            }),
        ServerSetting(
            "public.key", get: { server, _ in Hex.encode(server.node.publicKey.bytes).uppercased() }),
        ServerSetting(
            "prv.key",
            get: { server, source in
                source.isConsole ? server.node.identity.privateKey.reveal { Hex.encode($0).uppercased() } : nil
            },
            set: { server, text, _ in
                guard let key = Hex.decode(text), Identity.isAcceptable(privateKey: key),
                    let identity = Identity(privateKey: key)
                else { return "Error, bad key" }
                server.flash.identity = identity
                let shown = Hex.encode(identity.publicKey.bytes).uppercased()
                return "OK, reboot to apply! New pubkey: \(shown)"
            }),
        ServerSetting("role", get: { server, _ in server.nodeRoleName }),
    ]

    private static let place: [ServerSetting] = [
        degrees("lat", \.latitude), degrees("lon", \.longitude),
    ]

    private static func degrees(
        _ name: String, _ path: Path<Double>
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in ConsoleText.float(Float(server.preferences[keyPath: path])) },
            set: { server, text, _ in
                server.preferences[keyPath: path] = ConsoleText.number(text)
                server.saveFromConsole()
                return "OK"
            })
    }

    /// The boards that are simulated have no amplifier of their own.
    private static func amplifier(_ name: String) -> ServerSetting {
        ServerSetting(
            name, get: { _, _ in "Error: unsupported" },
            set: { _, text, _ in
                text == "on" || text == "off" ? "Error: unsupported" : "Error: state must be on or off"
            })
    }

    private static let radio: [ServerSetting] = [
        ServerSetting(
            "radio.rxgain", get: { server, _ in server.preferences.receiveGainBoost ? "on" : "off" },
            set: { server, text, _ in
                server.preferences.receiveGainBoost = text.hasPrefix("on")
                server.saveFromConsole()
                return "OK"
            }),
        amplifier("radio.fem.rxgain"), amplifier("radio.fem.txgain"),
        ServerSetting(
            "radio",
            get: { server, _ in
                let radio = server.preferences.radio
                let frequency = ConsoleText.float(Float(Double(radio.frequencyKHz) / 1_000))
                return "\(frequency),\(ConsoleText.thousandths(radio.bandwidthHz)),"
                    + "\(radio.spreadingFactor),\(radio.codingRate)"
            },
            set: { server, text, _ in
                let parts = text.split(separator: ",", omittingEmptySubsequences: false)
                guard let radio = Server.radio(parts[...]) else { return "Error, invalid radio params" }
                server.preferences.radio = radio
                server.savePreferences()
                return "OK - reboot to apply"
            }),
        ServerSetting(
            "freq",
            get: { server, _ in ConsoleText.float(Float(Double(server.preferences.radio.frequencyKHz) / 1_000)) },
            set: { server, text, source in
                let kilohertz = (ConsoleText.number(text) * 1_000).rounded()
                guard source.isConsole else { return "unknown config: freq \(text)" }
                guard (150_000...2_500_000).contains(kilohertz) else { return "Error, invalid radio params" }
                server.preferences.radio.frequencyKHz = UInt32(kilohertz)
                server.savePreferences()
                return "OK - reboot to apply"
            }),
        whole("tx", \.transmitPower, in: -128...127, otherwise: "Error"),
        toggle("cad", \.usesActivityDetection),
        whole("int.thresh", \.interferenceThreshold, in: -128...127, otherwise: "Error"),
        ServerSetting(
            "agc.reset.interval", get: { server, _ in "\(server.preferences.gainResetSeconds)" },
            set: { server, text, _ in
                server.preferences.gainResetSeconds = max(0, min(1_020, ConsoleText.integer(text))) / 4 * 4
                server.saveFromConsole()
                return "OK - interval rounded to \(server.preferences.gainResetSeconds)"
            }),
        decimal("af", \.airtimeFactor, in: 0...1_000, otherwise: "Error"),
        ServerSetting(
            "dutycycle",
            get: { server, _ in
                let percent = 100 / (server.preferences.airtimeFactor + 1)
                let whole = Int(percent)
                return "\(whole).\(Int((percent - Float(whole)) * 10 + 0.5))%"
            },
            set: { server, text, _ in
                let percent = Float(ConsoleText.number(text))
                guard (1...100).contains(percent) else { return "ERROR: dutycycle must be 1-100" }
                server.preferences.airtimeFactor = 100 / percent - 1
                server.node.budget.factor = server.preferences.airtimeFactor
                server.saveFromConsole()
                let whole = Int(percent)
                return "OK - \(whole).\(Int((percent - Float(whole)) * 10 + 0.5))%"
            }),
        decimal("rxdelay", \.receiveDelayBase, in: 0...20, otherwise: "Error, must be 0-20"),
        decimal("txdelay", \.floodDelayFactor, in: 0...2, otherwise: "Error, must be 0-2"),
        decimal("direct.txdelay", \.directDelayFactor, in: 0...2, otherwise: "Error, must be 0-2"),
    ]

    private static let forwarding: [ServerSetting] = [
        small("multi.acks", \.multiAcks, in: 0...1, otherwise: "Error"),
        small("path.hash.mode", \.pathHashMode, in: 0...2, otherwise: "Error, must be 0,1, or 2"),
        ServerSetting(
            "repeat", get: { server, _ in server.preferences.isForwarding ? "on" : "off" },
            set: { server, text, _ in
                server.preferences.isForwarding = text.hasPrefix("on")
                server.saveFromConsole()
                return "OK - repeat is now \(server.preferences.isForwarding ? "ON" : "OFF")"
            }),
        whole("flood.max.unscoped", \.unscopedMax, in: 0...64, otherwise: "Error, max 64"),
        whole("flood.max.advert", \.advertMax, in: 0...64, otherwise: "Error, max 64"),
        whole("flood.max", \.floodMax, in: 0...64, otherwise: "Error, max 64"),
        ServerSetting(
            "loop.detect", get: { server, _ in server.preferences.loopDetection.rawValue },
            set: { server, text, _ in
                guard let detection = ForwardingPolicy.LoopDetection(rawValue: String(text)) else {
                    return "Error, must be: off, minimal, moderate, or strict"
                }
                server.preferences.loopDetection = detection
                server.saveFromConsole()
                return "OK"
            }),
    ]

    private static func small(
        _ name: String, _ path: Path<UInt8>, in range: ClosedRange<Int>,
        otherwise refusal: String
    ) -> ServerSetting {
        ServerSetting(
            name, get: { server, _ in "\(server.preferences[keyPath: path])" },
            set: { server, text, _ in
                let value = ConsoleText.integer(text)
                guard range.contains(value) else { return refusal }
                server.preferences[keyPath: path] = UInt8(value)
                server.saveFromConsole()
                return "OK"
            })
    }

    private static let adverts: [ServerSetting] = [
        ServerSetting(
            "flood.advert.interval", get: { server, _ in "\(server.preferences.floodAdvertHours)" },
            set: { server, text, _ in
                let hours = ConsoleText.integer(text)
                guard hours == 0 || (3...168).contains(hours) else { return "Error: interval range is 3-168 hours" }
                server.preferences.floodAdvertHours = hours
                server.floodAdvertAfter = hours > 0 ? server.node.now + Int64(hours) * 3_600_000 : nil
                server.saveFromConsole()
                return "OK"
            }),
        ServerSetting(
            "advert.interval", get: { server, _ in "\(server.preferences.localAdvertMinutes)" },
            set: { server, text, _ in
                let minutes = ConsoleText.integer(text)
                guard minutes == 0 || (60...240).contains(minutes) else {
                    return "Error: interval range is 60-240 minutes"
                }
                server.preferences.localAdvertMinutes = minutes / 2 * 2
                server.scheduleLocalAdvert(from: server.node.now)
                server.saveFromConsole()
                return "OK"
            }),
    ]

    private static let access: [ServerSetting] = [
        text("guest.password", \.guestPassword, limit: 15),
        toggle("allow.read.only", \.allowsReadOnly),
    ]

    /// What the board decides.
    private static let fixed: [ServerSetting] = [
        ServerSetting(
            "adc.multiplier", get: { _, _ in "Error: unsupported" }, set: { _, _, _ in "Error: unsupported" }),
        ServerSetting("bridge.type", get: { _, _ in "none" }),
        ServerSetting("bootloader.ver", get: { _, _ in "unsupported" }),
        ServerSetting("pwrmgt.support", get: { _, _ in "unsupported" }),
        ServerSetting("pwrmgt.", get: { _, _ in "ERROR: Power management not supported" }),
    ]
}
