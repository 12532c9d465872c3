extension EventKind {
    // The seam between client and radio. Fields: frame (bytes, secrets masked), code, name; length for noise.
    public static let frameToRadio = EventKind("frame-to-radio")
    public static let frameFromRadio = EventKind("frame-from-radio")
    /// Bytes on the link that belong to no frame (log text, garbage, a damaged frame).
    public static let noise = EventKind("noise")
    public static let linkUp = EventKind("link-up")
    /// Fields: reason.
    public static let linkDown = EventKind("link-down")

    // The air. Fields: bytes, type, route, hops, airtime (µs); snr, reason where it applies.
    public static let packetQueued = EventKind("packet-queued")
    public static let packetSent = EventKind("packet-sent")
    public static let packetReceived = EventKind("packet-received")
    /// A frame that a linked receiver did not get. Fields: from, reason.
    public static let packetMissed = EventKind("packet-missed")
    /// A received packet the node did nothing with. Fields: reason.
    public static let packetIgnored = EventKind("packet-ignored")
    public static let packetForwarded = EventKind("packet-forwarded")
    public static let channelBusy = EventKind("channel-busy")
    /// A packet waits because its node has used up its share of air time.
    public static let airtimeSpent = EventKind("airtime-spent")
    /// The settings a node sends with from now on. Fields: frequency (kHz), bandwidth (Hz), spreading-factor, coding-rate.
    public static let radioTuned = EventKind("radio-tuned")

    // A node's own doings.
    public static let queueDropped = EventKind("queue-dropped")
    public static let nodeBooted = EventKind("node-booted")
    public static let nodeStopped = EventKind("node-stopped")
    public static let linkChanged = EventKind("link-changed")
    /// The firmware ran into a defect of its own and restarts. Fields: reason, clock.
    public static let firmwareCrash = EventKind("firmware-crash")
    /// A message has entered a companion's offline queue. Fields: from or channel, text or data, waiting.
    public static let messageQueued = EventKind("message-queued")
    /// A companion without a client has run a command of its own. Fields: code, answers.
    public static let peerCommand = EventKind("peer-command")
    /// A companion without a client has fetched a message. Fields: frame.
    public static let peerMessage = EventKind("peer-message")

    /// A scripted neighbour acts; what comes of it has this as its cause. Fields: what.
    public static let behaviour = EventKind("behaviour")

    // The client stack.
    public static let connection = EventKind("connection")
    public static let syncPhase = EventKind("sync-phase")
    public static let messageStored = EventKind("message-stored")
    public static let messageStatus = EventKind("message-status")
    public static let messageDuplicate = EventKind("message-duplicate")
    public static let contactStored = EventKind("contact-stored")
    /// A contact left the store. Fields: key, name.
    public static let contactRemoved = EventKind("contact-removed")
    public static let channelStored = EventKind("channel-stored")
    /// A channel left the store. Fields: index.
    public static let channelRemoved = EventKind("channel-removed")
    public static let clientWarning = EventKind("client-warning")

    // The scenario.
    public static let runStarted = EventKind("run-started")
    public static let stepStarted = EventKind("step-started")
    public static let stepEnded = EventKind("step-ended")
    /// A fault acts. Fields: rule, action and what it acts on.
    public static let fault = EventKind("fault")
    /// A lasting fault is over. Fields: rule.
    public static let faultEnded = EventKind("fault-ended")
    public static let expectation = EventKind("expectation")
    public static let note = EventKind("note")
    /// A phase of the scenario begins.
    public static let phase = EventKind("phase")
    public static let runEnded = EventKind("run-ended")

    /// All of the above, in this order.
    public static let known: [EventKind] = [
        .frameToRadio, .frameFromRadio, .noise, .linkUp, .linkDown, .packetQueued, .packetSent, .packetReceived,
        .packetMissed, .packetIgnored, .packetForwarded, .channelBusy, .airtimeSpent, .radioTuned, .queueDropped,
        .nodeBooted,
        .nodeStopped, .linkChanged, .firmwareCrash, .messageQueued, .peerCommand, .peerMessage, .behaviour, .connection,
        .syncPhase,
        .messageStored, .messageStatus, .messageDuplicate, .contactStored, .contactRemoved, .channelStored,
        .channelRemoved, .clientWarning, .runStarted, .stepStarted, .stepEnded, .fault, .faultEnded, .expectation,
        .note,
        .phase, .runEnded,
    ]
}
