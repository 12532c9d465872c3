internal import RigBase

/// What goes wrong in one node: in its hardware, or in what its firmware does.
public enum NodeFault: Sendable, Hashable {
    /// What a power loss leaves in flash.
    public enum FlashState: String, Sendable, Hashable, CaseIterable {
        /// All that had been saved.
        case kept
        /// The first half of the contacts: the loss came while they were written.
        case torn
        /// No contacts and no channels.
        case erased
    }

    /// Which text a forged acknowledgement is for.
    public enum AckChoice: String, Sendable, Hashable, CaseIterable {
        /// The newest that still waits for one.
        case latest
        /// The one sent before the newest, which is its attempt before when a text is repeated.
        case earlier
        /// None: a code nobody waits for.
        case nobody
    }

    // In a moment.
    /// The firmware fails and starts anew; what was not saved is lost.
    case crash
    /// A restart in good order, as by the REBOOT command.
    case reboot
    /// The clock shows so many seconds more, or less.
    case clockJump(seconds: Int64)
    /// The firmware waits for its flash that long; the radio goes on receiving.
    case flashStall(milliseconds: Int64)
    /// A byte of every stored contact changes, to be read at the next start.
    case corruptStorage
    /// The node hears an acknowledgement that nobody sent.
    case forgedAck(AckChoice)
    /// The contact modified longest ago gives way to one that nobody knows, as when the table overflows.
    case evictContact

    // As long as it is in place.
    /// Off, until the fault ends.
    case powerLoss(FlashState)
    /// The clock runs fast by so many parts per million more.
    case clockDrift(partsPerMillion: Int32)
    /// Nothing is saved any more.
    case fullStorage
    /// No more packet buffers than this.
    case packetPool(Int)
    /// No more waiting messages than this.
    case queueLimit(Int)
    /// Switches of the firmware's behaviour, by name.
    case quirks([Quirk])

    /// A switch and how it stands.
    public struct Quirk: Sendable, Hashable {
        public var name: String
        public var isOn: Bool

        public init(_ name: String, isOn: Bool) {
            self.name = name
            self.isOn = isOn
        }
    }

    /// Whether there is something to end.
    public var isLasting: Bool {
        switch self {
        case .crash, .reboot, .clockJump, .flashStall, .corruptStorage, .forgedAck, .evictContact: false
        case .powerLoss, .clockDrift, .fullStorage, .packetPool, .queueLimit, .quirks: true
        }
    }

    /// Whether only a companion has what it acts on.
    public var needsCompanion: Bool {
        switch self {
        case .crash, .reboot, .clockJump, .clockDrift, .flashStall, .packetPool: false
        case .powerLoss(let flash): flash != .kept
        case .corruptStorage, .forgedAck, .evictContact, .fullStorage, .queueLimit, .quirks: true
        }
    }

    /// As events name it.
    public var name: String {
        switch self {
        case .crash: "crash"
        case .reboot: "reboot"
        case .clockJump: "clock-jump"
        case .flashStall: "flash-stall"
        case .corruptStorage: "storage"
        case .forgedAck: "forged-ack"
        case .evictContact: "evict-contact"
        case .powerLoss: "power-loss"
        case .clockDrift: "clock-drift"
        case .fullStorage: "storage"
        case .packetPool: "packet-pool"
        case .queueLimit: "queue-limit"
        case .quirks: "quirks"
        }
    }
}
