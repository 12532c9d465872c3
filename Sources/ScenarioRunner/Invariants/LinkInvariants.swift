internal import CompanionProtocol
internal import RigBase
internal import RunRecord

/// A companion radio serves one command at a time, so a client may not send the next before the reply or its timeout.
struct ExchangeInvariant: Invariant {
    static let name = "one-exchange-in-flight"
    static let requirement = "no command is sent while an earlier one may still be answered"

    /// What a client waits for a reply at least.
    private static let patience: Duration = .seconds(5)
    private var open: (code: UInt8, since: SimInstant)?

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        switch event.kind {
        case .linkUp, .linkDown: open = nil
        case .frameToRadio:
            guard case .int(let code)? = event["code"] else { return nil }
            let command = CommandCode(rawValue: UInt8(truncatingIfNeeded: code))
            defer {
                open = [.reboot, .factoryReset].contains(command) ? nil : (command.rawValue, event.at)
            }
            guard let open, open.since.duration(to: event.at) < Self.patience else { return nil }
            let earlier = FrameNames.name(of: CommandCode(rawValue: open.code))
            return "\(FrameNames.name(of: command)) was sent while \(earlier) was unanswered"
        case .frameFromRadio:
            guard let command = open?.code, case .int(let number)? = event["code"] else { return nil }
            let code = RadioCode(rawValue: UInt8(truncatingIfNeeded: number))
            let isListing = command == CommandCode.getContacts.rawValue
            if code == .contactsStart || (isListing && code == .contact) { return nil }
            if !code.isPush || code == .telemetryResponse { open = nil }
        default: break
        }
        return nil
    }
}

/// A client that finds its link broken does not hammer at it.
struct ReconnectInvariant: Invariant {
    static let name = "no-reconnect-storm"
    static let requirement = "at most \(limit) new links within \(window.components.seconds) s"

    private static let limit = 12
    private static let window: Duration = .seconds(10)
    private var ups: [SimInstant] = []

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        guard event.kind == .linkUp else { return nil }
        ups.append(event.at)
        ups.removeAll { $0.duration(to: event.at) > Self.window }
        return ups.count > Self.limit ? "\(ups.count) links were made" : nil
    }
}

/// A radio that begins to send gives up what it was receiving.
struct HalfDuplexInvariant: Invariant {
    static let name = "half-duplex"
    static let requirement = "no node receives a frame during which it began to send"

    private var lastStart: [String: SimInstant] = [:]

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        if event.kind == .packetSent { lastStart[event.subject] = event.at }
        guard event.kind == .packetReceived, let cause = event.cause, let sent = journal.event(cause),
            sent.kind == .packetSent, let own = lastStart[event.subject], own > sent.at, own < event.at
        else { return nil }
        return "\(event.subject) received a frame of \(sent.subject) while it was sending"
    }
}
