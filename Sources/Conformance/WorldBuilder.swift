internal import MeshProtocol
internal import RadioSimulator

/// Makes the simulated counterpart of a recording's nodes and links.
enum WorldBuilder {
    static func spec(of recording: Recording) -> WorldSpec {
        let epoch = recording.nodes.first?.clock ?? 1_750_000_000
        return WorldSpec(
            epoch: epoch, radio: recording.radio, medium: .recorder(chunkMillis: recording.chunkMillis),
            nodes: recording.nodes.map { node($0, epoch: epoch) }, links: recording.links.flatMap(links))
    }

    static func node(_ header: Recording.NodeHeader, epoch: UInt32) -> NodeSpec {
        var role = NodeSpec.Role.companion
        var displayName = ""
        switch header.kind {
        case .companion, .sensor: break
        case .repeater: (role, displayName) = (.repeater, "Oracle Repeater")
        case .room: (role, displayName) = (.room, "Oracle Room")
        }
        return NodeSpec(
            name: header.name, role: role, identity: Identity(privateKey: header.privateKey),
            board: board(header.environment), displayName: displayName,
            clockOffset: Int32(clamping: Int64(header.clock) - Int64(epoch)), hostInterface: .serial,
            random: .recorder(seed: header.seed))
    }

    /// The recorder's board with what the environment changes.
    private static func board(_ environment: [(name: String, value: String)]) -> BoardProfile {
        var board = BoardProfile.recorder
        for (name, value) in environment {
            switch name {
            case "ORACLE_BATT": board.battery = UInt16(value) ?? board.battery
            case "ORACLE_TEMP": board.temperatureTenths = Float(value).map { Int16(clamping: Int($0 * 10)) }
            case "ORACLE_GPS": board.hasGPS = value == "1"
            default: break
            }
        }
        return board
    }

    private static func links(_ link: Recording.Link) -> [LinkSpec] {
        link.isMutual
            ? LinkSpec.both(link.from, link.to, snrQuarterDB: link.snrQuarterDB, rssi: link.rssi)
            : [LinkSpec(from: link.from, to: link.to, snrQuarterDB: link.snrQuarterDB, rssi: link.rssi)]
    }

    /// A frame as a client writes it to the serial port: '<' and the length in front.
    static func envelope(_ frame: [UInt8]) -> [UInt8] {
        [0x3C, UInt8(truncatingIfNeeded: frame.count), UInt8(truncatingIfNeeded: frame.count >> 8)] + frame
    }
}
