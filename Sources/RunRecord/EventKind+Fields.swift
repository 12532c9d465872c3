extension EventKind {
    /// The names of the fields an event of this kind can have; nil when they are not listed.
    public var fieldNames: [String]? { Self.fields[self] }

    private static let packet = ["type", "route", "hops", "size"]
    private static let frame = ["code", "name", "frame"]
    private static let message = ["id", "direction", "contact", "channel", "sender", "text", "timestamp"]

    private static let fields: [EventKind: [String]] = [
        .frameToRadio: frame, .frameFromRadio: frame, .noise: ["direction", "length"], .linkUp: ["transport"],
        .linkDown: ["reason", "connecting"], .packetQueued: packet + ["delay"],
        .packetSent: packet + ["bytes", "airtime", "to"], .packetReceived: ["from", "snr", "rssi", "bytes"],
        .packetMissed: ["from", "reason", "snr", "rssi", "with", "with-packet"], .packetIgnored: ["reason"],
        .packetForwarded: packet + ["delay"], .channelBusy: ["wait"], .airtimeSpent: ["wait"],
        .radioTuned: ["frequency", "bandwidth", "spreading-factor", "coding-rate"],
        .queueDropped: ["reason", "dropped", "frame", "queue", "waiting", "from", "channel", "text", "type", "data"],
        .nodeBooted: ["reason", "boot", "rtc"],
        .nodeStopped: ["reason", "clock"], .linkChanged: ["to", "up", "snr", "rssi"],
        .firmwareCrash: ["reason", "clock", "why"],
        .messageQueued: ["from", "channel", "text", "type", "data", "waiting"],
        .peerCommand: ["code", "answers"], .peerMessage: ["frame"], .behaviour: ["what"],
        .connection: ["state", "reason"], .syncPhase: ["phase", "state", "count", "reason"], .messageStored: message,
        .messageStatus: ["id", "status", "attempt", "reason", "tripTime"], .messageDuplicate: message,
        .contactStored: ["key", "name"], .contactRemoved: ["key", "name"], .channelStored: ["index", "name"],
        .channelRemoved: ["index"], .clientWarning: ["text", "code"], .runStarted: ["scenario", "seed", "defects"],
        .stepStarted: ["step"], .stepEnded: ["step", "result"], .note: ["text"], .phase: ["name"],
        .expectation: ["name", "verdict", "expected", "seen"], .runEnded: ["verdict"],
    ]
}

extension RunEvent {
    /// A field as people write it: an `snr` in dB, although the record keeps quarters of one.
    public func plainText(of name: String) -> String? {
        guard let value = self[name] else { return nil }
        guard name == "snr", case .int(let quarters) = value else { return value.plainText }
        let fraction = ["", ".25", ".5", ".75"][Int(quarters.magnitude % 4)]
        return (quarters < 0 ? "-" : "") + "\(quarters.magnitude / 4)" + fraction
    }
}
