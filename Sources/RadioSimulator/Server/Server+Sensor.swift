internal import MeshProtocol
internal import RigBase
internal import RunRecord

/// What only a sensor does: measuring, its series and its alerts (remote-nodes §2.4, §2.5, §6).
extension Server {
    /// The stock conditions, each with the millivolts below which it holds.
    private static let conditions: [(below: UInt16, text: String, isUrgent: Bool)] = [
        (3_400, "Battery is critical!", true), (3_600, "Battery is low", false),
    ]

    /// Reads the sensors once a minute by the node's clock, then works on the first alert.
    func sense() {
        let now = node.seconds()
        if sensor.lastReading.map({ now &- $0 >= SensorState.readInterval }) ?? true {
            sensor.lastReading = now
            sensor.series.add(battery, at: now)
            for (index, condition) in Self.conditions.enumerated() {
                let holds = battery < condition.below
                if holds, !sensor.holds[index], sensor.alerts.count < SensorState.alertCapacity {
                    sensor.alerts.append(SensorAlert(text: condition.text, isUrgent: condition.isUrgent))
                }
                sensor.holds[index] = holds
            }
        }
        tellNextMember()
    }

    /// First millisecond in which `sense` has something to do.
    var nextSensing: Int64 {
        var due = node.now
        if let last = sensor.lastReading {
            let passed = node.seconds() &- last
            if passed < SensorState.readInterval {
                due = node.now + node.clock.wait(seconds: SensorState.readInterval - passed, at: node.now)
            }
        }
        if let alert = sensor.alerts.first { due = min(due, max(alert.due + 1, node.now + 1)) }
        return due
    }

    private func tellNextMember() {
        guard var alert = sensor.alerts.first, node.now > alert.due else { return }
        if alert.sent >= alert.attempts { alert.nextMember() }
        while alert.member < table.clients.count, table.clients[alert.member].permissions & alert.audience == 0 {
            alert.nextMember()
        }
        guard alert.member < table.clients.count else {
            sensor.alerts.removeFirst()
            return
        }
        let client = table.clients[alert.member]
        if alert.sent == 0 { alert.timestamp = node.uniqueSeconds() }
        let text = TextMessage(timestamp: alert.timestamp, attempt: alert.attempt, text: Array(alert.text.utf8))
        alert.acks.append(text.ackHash(key: node.publicKey))
        alert.sent += 1
        alert.due = node.now + 8_000
        sensor.alerts[0] = alert
        guard
            let packet = node.makeDatagram(
                .textMessage, to: client.key, secret: client.secret, plain: text.plaintext)
        else { return }
        if client.pathLength == .none {
            node.sendFlood(packet)
        } else {
            node.sendDirect(packet, length: client.pathLength, path: client.path)
        }
    }

    /// Takes the acknowledgement of any text of the current member, who then needs no further one.
    func confirmAlert(_ ack: [UInt8]) -> Bool {
        guard let hash = AckHash(parsing: ack), sensor.alerts.first?.acks.contains(hash) ?? false else { return false }
        sensor.alerts[0].nextMember()
        sensor.alerts[0].due = node.now
        node.world.touch(node)
        return true
    }

    /// Voltage on channel 1 and, if asked for, where it is (with a GPS that has a fix) and the measured quantities on the channels from 2 on.
    func sensorTelemetry(asking mask: UInt8) -> [UInt8] {
        let voltage = UInt16(truncatingIfNeeded: Int(Float(battery) / 1_000 * 100))
        var record: [UInt8] = [1, 0x74, UInt8(voltage >> 8), UInt8(truncatingIfNeeded: voltage)]
        if mask & 2 != 0, let place = fix {
            record += [1, 0x88]
            // Ten thousandths of a degree and hundredths of a metre, cut toward zero.
            for value in [place.latitude / 100, place.longitude / 100, place.altitude] {
                record += [16, 8, 0].map { UInt8(truncatingIfNeeded: value >> Int32($0)) }
            }
        }
        guard mask & 4 != 0 else { return record }
        for (index, reading) in readings.enumerated() { record += [UInt8(index + 2)] + reading.record }
        return record
    }

    /// Shows the general-purpose port, after setting it, or clearing (`r`), setting (`s`) or toggling (`t`) bits of it.
    func portCommand(_ text: Substring) -> String {
        guard kind == .sensor, text.isEmpty || text.hasPrefix(" ") else { return "Unknown command" }
        let words = text.split(separator: " ")
        switch (words.first, words.dropFirst().first.flatMap { UInt32($0, radix: 16) }) {
        case ("r"?, let bits?): sensor.port &= ~bits
        case ("s"?, let bits?): sensor.port |= bits
        case ("t"?, let bits?): sensor.port ^= bits
        case (let word?, _): if let value = UInt32(word, radix: 16) { sensor.port = value }
        case (nil, _): break
        }
        return String(sensor.port, radix: 16)
    }

    /// Clock, then channel, type, lowest, highest and mean of the one series there is; the clock alone when the reserved
    /// bytes are not zero.
    func seriesAnswer(_ parameters: ArraySlice<UInt8>) -> [UInt8]? {
        let bytes = Array(parameters)
        guard bytes.count >= 10 else { return nil }
        var data = ByteWriter(reserving: 12)
        data.u32(node.seconds())
        guard bytes[8] == 0, bytes[9] == 0 else { return data.bytes }
        let found = sensor.series.summary(
            from: Self.number(bytes[..<4]), to: Self.number(bytes[4..<8]), at: node.seconds())
        data.append([1, 116])
        for value in [found.minimum, found.maximum, found.mean] {
            data.append([UInt8(value >> 8), UInt8(truncatingIfNeeded: value)])
        }
        return data.bytes
    }
}

extension SensorAlert {
    /// On to the next entry of the access list.
    mutating func nextMember() {
        member += 1
        sent = 0
        acks = []
    }
}
