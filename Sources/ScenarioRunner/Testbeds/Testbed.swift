package import ClientServices
package import ClientStore
package import RigBase
package import RigRuntime
package import ScenarioModel

/// A verb or expectation needs something this testbed does not have; the case is then blocked, not failed.
package struct Blocked: Error, Sendable, CustomStringConvertible {
    package var description: String
    package init(_ reason: String) { description = reason }
}

/// What a scenario runs on: a simulated world, or a bench of radios that somebody else runs.
package protocol Testbed: Sendable {
    var runtime: Runtime { get }

    /// The client under test.
    var client: ConnectionManager { get }

    /// Name of the role under test.
    var clientRole: String { get }

    /// Rules for faults at the host link of the client under test.
    var faults: FaultBoard { get }

    /// A name's public key, if that name stands for a node of the world.
    func publicKey(of node: String) -> [UInt8]?

    /// The name of the node whose public key begins so; nil when there is none.
    func name(ofKeyBeginning prefix: [UInt8]) -> String?

    /// What the client has stored for the radio it is, or last was, connected to.
    func storedContacts() async -> [StoredContact]
    func storedChannels() async -> [StoredChannel]
    func storedMessages() async -> [SeenMessage]
    /// All of that in short: counts and a digest.
    func storeFacts() async -> [NamedValue]

    // What only a simulated world, or a bench with the right equipment, can do. Each throws `Blocked` otherwise.

    func say(_ message: PeerMessage) async throws
    func advertise(_ node: String, flood: Bool) async throws
    func changeLink(_ change: LinkChange) throws
    /// Brings every radio link back as the file describes it.
    func healAllLinks() throws
    func change(_ node: String, _ change: NodeChange) throws
    func loseHostLink(refusingFor duration: Duration?) async throws
    func reboot(_ node: String) throws
    func setPower(_ node: String, on: Bool) throws
    /// The messages waiting in a node's radio, for an app that would fetch them.
    func waitingMessages(of node: String) async throws -> [WaitingMessage]
    /// Counts of a node's radio.
    func radioState(of node: String) async throws -> RadioState
}

/// A message of the client's store with the names a scenario uses.
package struct SeenMessage: Sendable, Hashable {
    /// As events name it.
    package var id: String
    package var isOutgoing: Bool
    package var contactName: String?
    /// The contact's public key: a file may call a node otherwise than the mesh does.
    package var contactKey: [UInt8]?
    package var channelIndex: UInt8?
    package var channelName: String?
    package var senderName: String?
    package var text: String
    /// What conditions can be about.
    package var values: [NamedValue] = []
}

/// A message that a peer's app is made to send.
package struct PeerMessage: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        case node(String)
        case channel(String)
    }

    package var from: String
    package var target: Target
    package var text: String
    package var attempt: UInt8
    /// The sender's clock when nil.
    package var timestamp: UInt32?
}

/// A change of a radio link; `one-way` changes touch only the direction from `from` to `to`.
package struct LinkChange: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case cut
        case heal
        /// New quality: SNR in quarter dB and loss, each kept when nil.
        case degrade(snrQuarterDB: Int?, loss: Ratio?)
    }

    package var from: String
    package var to: String
    package var bothWays: Bool
    package var kind: Kind
}

/// A change of a node from outside.
package enum NodeChange: Sendable, Hashable {
    /// Unix seconds.
    case clock(UInt32)
    /// Seconds forward.
    case clockJump(Int64)
    /// Millivolts.
    case battery(UInt16)
    case position(PositionDocument)
    case quirk(String, Bool)
    case readings(ReadingsDocument)
}

/// A text message as it waits in a radio's queue.
package struct WaitingMessage: Sendable, Hashable {
    /// First bytes of the sender's key for a direct message.
    package var senderPrefix: [UInt8]?
    /// Slot of a channel message.
    package var channelIndex: Int?
    package var text: String
    package var timestamp: UInt32
}

/// Counts of a radio, as the world knows them.
package struct RadioState: Sendable {
    package var contacts: Int
    package var queue: Int
    package var name: String
    /// Slots in use.
    package var channels: [(index: Int, name: String)]
}
