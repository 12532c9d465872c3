package import RadioSimulator

/// What `serve` offers: a world, which of its companions get a door, and where the doors are.
package struct ServeConfiguration: Sendable {
    package var world: WorldSpec
    /// Names of the companions with a TCP port and a pseudo-terminal, in the order of their ports.
    package var companions: [String]
    package var peers: [PeerScript]
    /// Address to listen on.
    package var address: String
    /// Port of the first companion; each further one gets the next. 0 takes free ones.
    package var port: UInt16
    /// Where the links to pseudo-terminals are; nil offers none.
    package var terminalDirectory: String?
    /// Seconds of the world for `paceReal` seconds of real time.
    package var paceWorld: Int64
    package var paceReal: Int64
    /// File kept up to date with what the world knows, as JSON; nil for none.
    package var stateFile: String?

    package init(
        world: WorldSpec, companions: [String], peers: [PeerScript], address: String, port: UInt16,
        terminalDirectory: String?, paceWorld: Int64, paceReal: Int64, stateFile: String?
    ) {
        precondition(paceWorld > 0 && paceReal > 0, "a pace is above zero")
        self.world = world
        self.companions = companions
        self.peers = peers
        self.address = address
        self.port = port
        self.terminalDirectory = terminalDirectory
        self.paceWorld = paceWorld
        self.paceReal = paceReal
        self.stateFile = stateFile
    }
}

/// What a companion without a client does by itself, so that somebody can chat with it.
package struct PeerScript: Sendable, Hashable {
    package enum Destination: Sendable, Hashable {
        /// A node of the world.
        case node(String)
        /// A channel slot of the sender.
        case channel(UInt8)
    }

    package enum Action: Sendable, Hashable {
        /// Answers each direct text with `echo: ` and the text.
        case echo
        /// Sends a text once, or again and again.
        case send(String, to: Destination, first: Duration, every: Duration?)
    }

    /// The node that acts.
    package var node: String
    package var action: Action

    package init(node: String, action: Action) {
        self.node = node
        self.action = action
    }
}

/// Why a server could not start, in words for one line.
package enum ServeError: Error, Equatable, Sendable, CustomStringConvertible {
    case world(WorldError)
    case notACompanion(String)
    case badAddress(String)
    case cannotListen(String, port: UInt16, reason: String)
    case cannotOpenTerminal(String)
    /// A directory or file that belongs to somebody or something else.
    case foreignFile(String, reason: String)

    package var description: String {
        switch self {
        case .world(let error): error.description
        case .notACompanion(let name): "'\(name)' is no companion of this world"
        case .badAddress(let address): "'\(address)' is no IPv4 or IPv6 address"
        case .cannotListen(let address, let port, let reason): "cannot listen on \(address) port \(port): \(reason)"
        case .cannotOpenTerminal(let reason): "cannot open a pseudo-terminal: \(reason)"
        case .foreignFile(let path, let reason): "\(path): \(reason)"
        }
    }
}
