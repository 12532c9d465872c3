internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// How a server announces itself (mesh-protocol §4.11, remote-nodes §5.5).
extension Server {
    var nodeType: NodeType {
        switch kind {
        case .repeater: .repeater
        case .room: .room
        case .sensor: .sensor
        }
    }

    /// What `get role` answers.
    var nodeRoleName: String {
        switch kind {
        case .repeater: "repeater"
        case .room: "room_server"
        case .sensor: "sensor"
        }
    }

    /// Both timers start anew.
    func scheduleAdverts(from time: Int64) {
        scheduleLocalAdvert(from: time)
        let hours = preferences.floodAdvertHours
        floodAdvertAfter = hours > 0 ? time + Int64(hours) * 3_600_000 : nil
    }

    func scheduleLocalAdvert(from time: Int64) {
        let minutes = preferences.localAdvertMinutes
        localAdvertAfter = minutes > 0 ? time + Int64(minutes) * 60_000 : nil
    }

    /// The advert as it is at this moment; its name and time do not change while it waits.
    func makeAdvert() -> HeldPacket? {
        node.makeAdvert(
            appData: AdvertContents(nodeType: nodeType, position: preferences.position, name: preferences.name)
                .encoded)
    }

    func sendTimedAdverts() {
        if let time = floodAdvertAfter, node.now > time {
            if let advert = makeAdvert() { node.sendFlood(advert, scope: regions.defaultKey) }
            scheduleAdverts(from: node.now)
        } else if let time = localAdvertAfter, node.now > time {
            if let advert = makeAdvert() { node.sendZeroHop(advert) }
            scheduleLocalAdvert(from: node.now)
        }
    }

    /// An advert on request: 1.5 s later, so that a reply goes out first.
    func sendRequestedAdvert(flood: Bool) {
        guard let advert = makeAdvert() else { return }
        if flood {
            node.sendFlood(advert, scope: regions.defaultKey, delay: 1_500)
        } else {
            node.sendZeroHop(advert, delay: 1_500)
        }
    }

    /// An advert that something outside the node asks for, as its button would.
    func advertise(flood: Bool, cause: EventID?) {
        guard node.isOn else { return }
        node.now = max(node.now, node.world.millisecond)
        node.cause = cause
        sendRequestedAdvert(flood: flood)
        node.cause = nil
    }

    func received(_ advert: ReceivedAdvert, packet: HeldPacket) {
        let frame = packet.packet
        let isShare = frame.transportCodes == .zero
        guard kind == .repeater, frame.pathLength.hopCount == 0, !isShare,
            let contents = AdvertContents(parsing: advert.appData), contents.nodeType == .repeater
        else { return }
        neighbours.heard(
            NeighbourTable.Neighbour(
                key: advert.key, advertTime: advert.timestamp, heard: node.seconds(), snrQuarterDB: packet.snrQuarterDB)
        )
    }
}
