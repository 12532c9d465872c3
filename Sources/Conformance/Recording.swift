internal import MeshProtocol

/// A recording of real firmware: nodes and links at the start, then what went in and what came out.
struct Recording {
    /// A node at the start, from its header row.
    struct NodeHeader: Equatable {
        enum Kind: String { case companion, repeater, room, sensor }

        var name: String
        var kind: Kind
        /// State of both random generators at boot.
        var seed: UInt32
        /// Unix seconds at the first millisecond.
        var clock: UInt32
        var publicKey: [UInt8]
        var privateKey: [UInt8]
        /// Facts of the board, `ORACLE_BATT` and the like.
        var environment: [(name: String, value: String)]

        static func == (left: Self, right: Self) -> Bool {
            left.name == right.name && left.publicKey == right.publicKey
        }
    }

    /// A directed or mutual link with its signal.
    struct Link: Equatable {
        var from: String
        var to: String
        var snrQuarterDB: Int8
        var rssi: Int8
        var isMutual: Bool
    }

    /// What one node got of a transmission, and when.
    struct Reception: Equatable {
        var node: String
        var at: Int64
        /// False for a frame that another one spoilt.
        var isIntact: Bool
    }

    /// One row of the code sweep: a frame to a fresh node and all that came of it.
    struct Probe: Equatable {
        var request: [UInt8]
        var responses: [[UInt8]]
        var packets: [[UInt8]]
        /// The firmware's process ended.
        var crashes: Bool
    }

    struct Row: Equatable {
        enum Content: Equatable {
            case toRadio(node: String, bytes: [UInt8], isRaw: Bool)
            case fromRadio(node: String, frame: [UInt8])
            case onAir(node: String, bytes: [UInt8], airtimeMicros: Int, receptions: [Reception])
            case inject(to: String, bytes: [UInt8], snrQuarterDB: Int8, rssi: Int8, receptions: [Reception])
            case link(Link)
            case unlink(from: String, to: String, isMutual: Bool)
            case lost(from: String, to: String, bytes: [UInt8])
            case console(node: String, sentAt: Int64, command: String, output: String)
            case reboot(node: String, clock: UInt32, boot: Int64)
            case powerOff(node: String)
            case processExit(node: String)
            case mark(String)
        }

        /// In the file, from 1.
        var line: Int
        /// Virtual milliseconds since the start.
        var at: Int64
        var content: Content
        /// The recorder zeroed the node's command buffer before it gave the frame.
        var zeroesBuffer = false
    }

    var nodes: [NodeHeader] = []
    var links: [Link] = []
    var radio = RadioParameters.firmwareDefault
    /// The step in which the recorder moved the nodes.
    var chunkMillis = 10
    var rows: [Row] = []
    var probes: [(line: Int, probe: Probe)] = []
    /// The file holds decrypted payloads that belong to another recording.
    var isPlainListing = false
}

/// A row that is no row, with its place.
package struct RecordingError: Error, Equatable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var problem: String

    package var description: String { "\(file):\(line): \(problem)" }
}
