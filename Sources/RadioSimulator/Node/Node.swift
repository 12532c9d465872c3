internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// One node: its radio, its clock and generators, and the mesh layer that all firmware programs share.
///
/// A node lives in whole milliseconds of four loop passes each and is woken only for those in which something is due.
final class Node {
    let index: Int
    let name: String
    unowned let world: World
    var identity: Identity
    var role: any NodeRole { didSet { budget.factor = role.airtimeFactor } }

    var random: NodeRandom
    var clock: NodeClock
    var radio: RadioParameters {
        didSet {
            lockWindow = Receiver.lockWindow(radio)
            senseDelay = Receiver.senseDelay(radio)
        }
    }
    /// The settings that the journal knows this node to send with.
    var toldRadio: RadioParameters?
    private(set) var lockWindow: Int64
    private(set) var senseDelay: Int64

    var receiver: Receiver
    var inbox: [Reception] = []
    var transmission: (held: HeldPacket, air: Transmission)?
    var sendQueue = PacketQueue()
    var receiveQueue = PacketQueue()
    var duplicates: DuplicateRing
    var budget: DutyBudget
    /// The packet of which it was told last that it waits for the budget.
    var toldToWait: UInt64?
    var busySince: Int64?
    /// Buffers taken from the pool.
    var buffersInUse = 0
    /// How many a fault leaves it; nil for all that its program has.
    var poolLimit: Int?
    var counters = NodeCounters()
    /// Bit 0 pool was empty, bit 1 busy channel overridden, bit 2 not receiving for 8 s.
    var errorFlags: UInt16 = 0
    var lastSNR: Int8 = 0
    var lastRSSI: Int8 = 0

    /// Millisecond in which the current run began, and the first one with loop passes.
    var bootedAt: Int64
    var firstPass: Int64
    var isOn = false
    /// Until then no pass runs, because the firmware waits for its flash; the radio goes on.
    var stalledUntil: Int64 = 0
    /// The millisecond the node is in.
    var now: Int64
    /// The next millisecond in which it has something to do.
    var wake: Int64 = .max
    /// The journal event whose consequences are being worked out.
    var cause: EventID?
    var bootCount = 0
    /// Set by a program that wants to restart; carried out at the end of the pass.
    var restart: RestartReason?
    /// What the firmware did wrong when `restart` is a crash.
    var crashCause: String?

    init(
        index: Int, name: String, world: World, identity: Identity, role: any NodeRole, random: NodeRandom,
        clock: NodeClock, radio: RadioParameters, isExclusive: Bool, ringSize: Int, at millisecond: Int64
    ) {
        self.index = index
        self.name = name
        self.world = world
        self.identity = identity
        self.role = role
        self.random = random
        self.clock = clock
        self.radio = radio
        lockWindow = Receiver.lockWindow(radio)
        senseDelay = Receiver.senseDelay(radio)
        receiver = Receiver(isExclusive: isExclusive)
        duplicates = DuplicateRing(size: ringSize)
        budget = DutyBudget(bootedAt: millisecond, factor: role.airtimeFactor)
        bootedAt = millisecond
        firstPass = millisecond + 1
        now = millisecond
    }

    /// One millisecond: the radio, then four passes as far as they have anything to do.
    func live(at millisecond: Int64) {
        now = millisecond
        receiver.look(at: now, window: lockWindow) { frame, outcome in
            world.ended(frame, outcome, at: self)
        }
        if now >= max(firstPass, stalledUntil) {
            for pass in 0..<4 where pass == 0 || nextDue() <= now {
                loopPass()
                if restart != nil { break }
            }
        }
        wake = max(now + 1, nextDue())
        if receiver.nextLook < wake { wake = max(now + 1, receiver.nextLook) }
    }

    /// Looks again when it has to be woken, after something outside has changed.
    func reschedule() {
        guard isOn else { return }
        wake = max(now + 1, min(nextDue(), receiver.nextLook))
    }

    private func loopPass() {
        cause = nil
        role.beforeMesh()
        if restart != nil { return }
        cause = nil
        meshPass()
        cause = nil
        role.pass()
        cause = nil
    }

    /// First millisecond in which a pass has something to do.
    private func nextDue() -> Int64 {
        var due = role.nextDue()
        if let transmission {
            due = min(due, transmission.air.end)
        } else {
            if !inbox.isEmpty { due = min(due, now) }
            due = min(due, receiveQueue.earliestDue)
            if sendQueue.earliestDue != .max { due = min(due, max(sendQueue.earliestDue, budget.nextStart + 1)) }
        }
        return max(due, firstPass, stalledUntil)
    }

    /// Everything that does not survive a restart.
    func resetMemory(ringSize: Int) {
        inbox = []
        transmission = nil
        sendQueue = PacketQueue()
        receiveQueue = PacketQueue()
        duplicates = DuplicateRing(size: ringSize)
        busySince = nil
        buffersInUse = 0
        counters = NodeCounters()
        errorFlags = 0
        lastSNR = 0
        lastRSSI = 0
        restart = nil
        crashCause = nil
        budget = DutyBudget(bootedAt: bootedAt, factor: role.airtimeFactor)
    }

    /// Milliseconds since the node started.
    var uptime: Int64 { now - bootedAt }
    var publicKey: PublicKey { identity.publicKey }
    func seconds() -> UInt32 { clock.seconds(at: now) }
    func uniqueSeconds() -> UInt32 { clock.unique(at: now) }

    /// Noise floor in dBm as the firmware has averaged it: 0 until 64 samples of the recordings' start are in.
    var noiseFloor: Int16 { now < firstPass + 17 ? 0 : -110 }

    @discardableResult
    func post(
        _ kind: EventKind, packet: UInt64? = nil, cause: EventID? = nil, _ fields: @autoclosure () -> Fields = [:]
    ) -> EventID {
        world.post(kind, name, at: now, cause: cause ?? self.cause, packet: packet, fields())
    }
}

/// What a node has counted since it started (companion-protocol §4.7).
struct NodeCounters {
    var received: UInt32 = 0
    var receivedFlood: UInt32 = 0
    var receivedDirect: UInt32 = 0
    var receiveErrors: UInt32 = 0
    var sent: UInt32 = 0
    var sentFlood: UInt32 = 0
    var sentDirect: UInt32 = 0
    var duplicateFlood: UInt32 = 0
    var duplicateDirect: UInt32 = 0
    /// Milliseconds.
    var transmitAirtime: Int64 = 0
    var receiveAirtime: Int64 = 0
}

extension Node {
    /// The firmware fails at the end of this pass and starts anew; `cause` is told in the journal.
    func crash(_ cause: String) {
        restart = .crash
        crashCause = cause
    }
}

/// Why a node restarts.
enum RestartReason: String {
    case command
    case factoryReset = "factory-reset"
    /// Switches itself off and stays off.
    case powerOff = "power-off"
    /// The firmware ran into a defect of its own.
    case crash
    /// Asked for from outside the world.
    case operatorAction = "operator"
}
