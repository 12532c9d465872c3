internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// Switching nodes on and off, and restarting them.
extension World {
    /// Starts a node's first run or its next one after `power(_:on:)`.
    func start(_ node: Node, reason: String, clock: UInt32? = nil) {
        let time = millisecond
        boot(node, at: time, clock: clock ?? node.clock.seconds(at: time), isFirst: node.bootCount == 0)
        post(
            .nodeBooted, node.name, at: time, cause: node.cause,
            ["reason": FieldValue(reason), "boot": FieldValue(node.bootCount)])
    }

    private func boot(_ node: Node, at time: Int64, clock: UInt32, isFirst: Bool) {
        let spec = spec.nodes[node.index]
        node.bootCount += 1
        node.bootedAt = time
        node.now = time
        node.isOn = true
        node.stalledUntil = 0
        let setUp: Int64 = spec.role == .companion || (isFirst && spec.isReady) ? 0 : 1_000
        node.firstPass = time + setUp + 1
        var start = clock
        if !isFirst {
            if case .stream = spec.random {
                node.random = NodeBuilder.generator(of: spec, world: self, boot: node.bootCount)
            } else {
                node.random = NodeBuilder.generator(of: spec, world: self, boot: 0)
            }
            if let companion = node.role as? Companion {
                node.identity = companion.flash.identity
                companion.resetMemory()
                let newest = companion.flash.contacts.reduce(0) { max($0, $1.lastModified) }
                if newest > 0, companion.quirks.takesTimeFromContacts { start = newest &+ 1 }
            }
        }
        node.clock = NodeClock(start, at: time + setUp, drift: isFirst ? spec.clockDrift : node.clock.drift)
        node.resetMemory(ringSize: spec.profile.duplicateRing)
        node.receiver.forget(startedBefore: time)
        node.receiver.startReceiving(from: node.firstPass + 1)
        node.role.start()
        touch(node)
    }

    /// Carries out a restart a node has asked for, at the end of the millisecond it asked in.
    func restart(_ node: Node) {
        guard let reason = node.restart else { return }
        let wait: Int64 = reason == .factoryReset ? 1_000 : 0
        let clock = node.clock.seconds(at: node.now + wait)
        node.role.stopping(orderly: reason == .command || reason == .operatorAction)
        let kind: EventKind = reason == .crash ? .firmwareCrash : .nodeStopped
        var facts: Fields = ["reason": FieldValue(reason.rawValue), "clock": FieldValue(clock)]
        if let crash = node.crashCause { facts["why"] = FieldValue(crash) }
        let stopped = post(kind, node.name, at: node.now, cause: node.cause, facts)
        node.isOn = false
        node.receiver.switchOff()
        if reason == .powerOff {
            node.transmission = nil
            node.restart = nil
            restarts.append(NodeStop(node: node.name, crash: node.crashCause))
            return
        }
        if reason == .factoryReset, let companion = node.role as? Companion { erase(companion) }
        let boot = bootMillisecond(after: node.now, wait: wait)
        restarts.append(NodeStop(node: node.name, crash: node.crashCause))
        self.boot(node, at: boot, clock: clock, isFirst: false)
        post(
            .nodeBooted, node.name, at: boot, cause: stopped,
            ["reason": FieldValue(reason.rawValue), "boot": FieldValue(node.bootCount), "rtc": FieldValue(clock)])
    }

    /// When a node that restarts at `time` begins its next run: the end of the recorder's step (whose `wait` runs ahead
    /// within it), else when the wait is over.
    private func bootMillisecond(after time: Int64, wait: Int64) -> Int64 {
        guard case .recorder(let chunkMillis) = spec.medium else { return time + wait }
        let chunk = Int64(max(1, chunkMillis))
        return (time + chunk - 1) / chunk * chunk
    }

    /// A factory reset: everything stored is gone, and the node draws a new identity.
    private func erase(_ companion: Companion) {
        let node = companion.node
        let spec = spec.nodes[node.index]
        var random = NodeBuilder.generator(
            of: spec, world: self, boot: node.bootCount + 1)
        var identity = Identity(seed: random.identitySeed())
        var tries = 0
        while [0x00, 0xFF].contains(identity.publicKey.nodeHash), tries < 10 {
            identity = Identity(seed: random.identitySeed())
            tries += 1
        }
        var blank = spec
        blank.displayName = ""
        blank.position = nil
        blank.settings = NodeSettings()
        companion.flash = CompanionFlash(
            identity: identity,
            preferences: NodeBuilder.preferences(blank, identity: identity, radio: self.spec.radio),
            channels: NodeBuilder.freshChannels(spec.board))
    }
}

/// What a test bench does to nodes.
extension World {
    /// Switches a node off or on. Memory is lost, what was stored is kept; changes of the last seconds may not be.
    public func power(_ name: String, on: Bool) {
        let node = node(name)
        guard node.isOn != on else { return }
        if on { return start(node, reason: "power") }
        node.role.stopping(orderly: false)
        node.isOn = false
        node.transmission = nil
        node.receiver.switchOff()
        post(.nodeStopped, name, at: millisecond, cause: node.cause, ["reason": "power"])
        restarts.append(NodeStop(node: name, crash: nil))
        reschedule(node)
    }

    /// Restarts a node as its REBOOT command does, now.
    public func reboot(_ name: String) {
        let node = node(name)
        guard node.isOn else { return }
        node.now = max(node.now, millisecond)
        node.restart = .operatorAction
        restart(node)
        reschedule(node)
    }

    /// Changes what a companion's firmware does right or wrong from now on.
    public func setQuirks(_ name: String, _ quirks: Quirks) { companion(name).profile.quirks = quirks }

    public func quirks(of name: String) -> Quirks { companion(name).profile.quirks }

    /// Sets a node's clock, as if its battery had kept another time.
    public func setClock(_ name: String, to seconds: UInt32) { node(name).clock.set(seconds, at: millisecond) }

    public func setBattery(_ name: String, millivolts: UInt16) {
        (node(name).role as? Companion)?.battery = millivolts
        (node(name).role as? Server)?.battery = millivolts
    }

    /// Sets where a node says that it is.
    public func setPosition(_ name: String, _ position: Position) {
        let role = node(name).role
        if let companion = role as? Companion { companion.preferences.position = position }
        if let server = role as? Server { server.preferences.place(at: position) }
    }

    /// Sets what a sensor measures from its next reading on.
    public func setReadings(_ name: String, _ readings: [SensorReading], fix: GPSFix? = nil) {
        (node(name).role as? Server)?.fix = fix
        (node(name).role as? Server)?.readings = readings
    }

    /// Nodes that have stopped or restarted since the last call, whose link to a client is lost with them.
    public func takeRestarts() -> [NodeStop] {
        defer { restarts = [] }
        return restarts
    }
}

/// A node that has stopped, whether or not it has started again since.
public struct NodeStop: Sendable, Hashable {
    public var node: String
    /// What the firmware did wrong; nil when it was stopped in another way.
    public var crash: String?
}
