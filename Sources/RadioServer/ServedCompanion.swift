internal import MeshTransport
internal import RadioSimulator

/// One companion of the world with its doors: a TCP port like a Wi-Fi radio's, and a pseudo-terminal like a USB radio's.
///
/// Both are interfaces of the same firmware: what it writes goes to both, commands are taken from either.
final class ServedCompanion {
    /// Unread bytes of one interface that the firmware's side may hold; like a radio's receive buffers, only larger.
    static let backlogLimit = 8_192

    let name: String
    let tcp: TCPDoor
    let terminal: TerminalDoor?

    init(name: String, tcp: TCPDoor, terminal: TerminalDoor?) {
        self.name = name
        self.tcp = tcp
        self.terminal = terminal
    }

    /// Lets waiting clients in, the newest last, and tells the world.
    func accept(into world: World, _ report: (String) -> Void) {
        for _ in 0..<8 {
            let hadClient = tcp.client != nil
            guard tcp.accept() else { return }
            world.hostConnected(name)
            if let client = tcp.client {
                report("\(name): \(client.name) connected" + (hadClient ? ", the client before it is closed" : ""))
            }
        }
    }

    /// `hasHungUp`: the connection is broken in both directions, so there is no use in waiting for room.
    func readClient(into world: World, hasHungUp: Bool, _ report: (String) -> Void) {
        let room = Self.backlogLimit - world.hostBacklog(of: name, over: .wifi)
        if room <= 0, hasHungUp { return clientLeft(world, report) }
        guard let bytes = tcp.read(atMost: min(room, 4_096)) else { return clientLeft(world, report) }
        if !bytes.isEmpty { world.hostWrite(bytes, to: name, over: .wifi) }
    }

    func readTerminal(into world: World) {
        let room = Self.backlogLimit - world.hostBacklog(of: name, over: .serial)
        guard let bytes = terminal?.read(atMost: min(room, 4_096)), !bytes.isEmpty else { return }
        world.hostWrite(bytes, to: name, over: .serial)
    }

    /// Passes on what the firmware has written since the last time.
    func passOutput(of world: World, _ report: (String) -> Void) {
        guard world.hasHostOutput(of: name) else { return }
        for output in world.takeHostOutput(of: name) {
            switch output.interface {
            case .wifi:
                if tcp.write(output.bytes) { report("\(name): the client does not read; frames for it are lost") }
            case .serial: terminal?.write(output.bytes)
            case .both, .ethernet, .bleESP32, .bleNRF52: break
            }
        }
        flush(world, report)
    }

    func flush(_ world: World, _ report: (String) -> Void) {
        if !tcp.flush() { clientLeft(world, report) }
        terminal?.flush()
    }

    /// The radio has restarted: its sockets are gone.
    func restarted(_ stop: NodeStop, _ report: (String) -> Void) {
        if let crash = stop.crash { report("\(name): the firmware crashed: \(crash)") }
        if let client = tcp.client { report("\(name): restarted, \(client.name) is disconnected") }
        tcp.dropClient()
    }

    private func clientLeft(_ world: World, _ report: (String) -> Void) {
        guard let client = tcp.client else { return }
        tcp.dropClient()
        world.hostDisconnected(name)
        report("\(name): \(client.name) left")
    }
}
