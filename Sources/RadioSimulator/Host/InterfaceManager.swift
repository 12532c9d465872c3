internal import RunRecord

/// Two interfaces of one radio under the firmware's manager (companion-protocol §1.6): what it writes goes to both, and
/// commands are taken from Wi-Fi first; a pass in which Wi-Fi yields one does not look at serial.
struct InterfaceManager: HostMachine {
    private var wifi: WifiMachine
    private var serial: SerialMachine

    init(limit: Int) {
        wifi = WifiMachine(limit: limit)
        serial = SerialMachine(limit: limit)
    }

    var isConnected: Bool { wifi.isConnected || serial.isConnected }

    mutating func poll(at now: Int64) -> (sent: HostFrame?, command: HostFrame?) {
        let (sent, command) = wifi.poll(at: now)
        return (sent, command ?? serial.poll(at: now).command)
    }

    mutating func write(_ frame: HostFrame) -> HostFrame? {
        _ = wifi.write(frame)
        return serial.write(frame)
    }

    func nextDue(at now: Int64) -> Int64 { min(wifi.nextDue(at: now), serial.nextDue(at: now)) }

    mutating func arrived(_ bytes: [UInt8], over interface: HostInterfaceKind?, readable: Int64, cause: EventID?) {
        if interface == .wifi {
            wifi.arrived(bytes, over: interface, readable: readable, cause: cause)
        } else {
            serial.arrived(bytes, over: interface, readable: readable, cause: cause)
        }
    }

    func backlog(over interface: HostInterfaceKind?) -> Int {
        interface == .wifi ? wifi.backlog(over: interface) : serial.backlog(over: interface)
    }

    mutating func connect(at millisecond: Int64) { wifi.connect(at: millisecond) }
    mutating func disconnect(at millisecond: Int64) { wifi.disconnect(at: millisecond) }

    mutating func reset() {
        wifi.reset()
        serial.reset()
    }
}
