internal import Glibc
internal import MeshTransport
internal import RadioSimulator
internal import RigBase
internal import RunRecord

/// A world in step with the real clock, with doors for clients that know nothing of it.
///
/// Everything happens on the thread that calls `run`: it sleeps in `poll(2)` until a socket, a terminal or the world needs
/// it. No client can make it wait, and what a client is owed is bounded, so none can spoil the others.
package final class RadioServer {
    /// Milliseconds between two looks at terminals that cannot tell when they are opened.
    private static let lookInterval: Int32 = 100

    private let configuration: ServeConfiguration
    private let world: World
    private let doors: [ServedCompanion]
    private let print: @Sendable (String) -> Void
    private var peers: PeerPlayer
    private var pace: Pace
    private var stateWriter: StateWriter?

    /// Opens every door; nothing is served before `run`.
    ///
    /// - Parameter print: takes lines for people, without line ends.
    package init(
        _ configuration: ServeConfiguration, print: @escaping @Sendable (String) -> Void
    ) throws(ServeError) {
        self.configuration = configuration
        self.print = print
        var spec = configuration.world
        for name in configuration.companions {
            guard let index = spec.nodes.firstIndex(where: { $0.name == name && $0.role == .companion }) else {
                throw .notACompanion(name)
            }
            spec.nodes[index].hostInterface = configuration.terminalDirectory == nil ? .wifi : .both
        }
        guard Int(configuration.port) + configuration.companions.count <= 65_536 else {
            throw .cannotListen(
                configuration.address, port: configuration.port, reason: "there are not that many ports above it")
        }
        for peer in configuration.peers {
            if case .send(_, .node(let other), _, _) = peer.action, !spec.nodes.contains(where: { $0.name == other }) {
                throw .world(.unknownNode(other, usedBy: "a script of '\(peer.node)'"))
            }
            guard let index = spec.nodes.firstIndex(where: { $0.name == peer.node && $0.role == .companion }) else {
                throw .notACompanion(peer.node)
            }
            if peer.action == .echo { spec.nodes[index].isAutonomous = true }
        }
        do {
            world = try World(spec, journal: Journal())
        } catch {
            throw .world(error)
        }
        if let directory = configuration.terminalDirectory { try TerminalDirectory.prepare(directory) }
        var doors: [ServedCompanion] = []
        for (index, name) in configuration.companions.enumerated() {
            let port = configuration.port == 0 ? 0 : configuration.port &+ UInt16(truncatingIfNeeded: index)
            let tcp = try TCPDoor(address: configuration.address, port: port)
            var terminal: TerminalDoor?
            if let directory = configuration.terminalDirectory {
                terminal = try TerminalDoor(path: directory + "/" + TerminalDirectory.fileName(for: name))
            }
            doors.append(ServedCompanion(name: name, tcp: tcp, terminal: terminal))
        }
        self.doors = doors
        peers = PeerPlayer(configuration.peers)
        pace = Pace(world: configuration.paceWorld, real: configuration.paceReal)
        if let path = configuration.stateFile { stateWriter = try StateWriter(path: path) }
    }

    /// Where each served companion is to be found.
    package var addresses: [(name: String, port: UInt16, terminal: String?)] {
        doors.map { ($0.name, $0.tcp.port, $0.terminal?.path) }
    }

    /// Serves until the flag is set. Links to terminals are removed when the server is let go.
    package func run(until stop: StopFlag) {
        announce()
        pace.restart(at: world.now)
        stateWriter?.write(world, doors, print)
        while !stop.isSet {
            let isCaughtUp = catchUp()
            for stop in world.takeRestarts() { doors.first { $0.name == stop.node }?.restarted(stop, print) }
            for door in doors { door.passOutput(of: world, print) }
            for case let terminal? in doors.map(\.terminal) where terminal.openings < 0 { terminal.refresh() }
            stateWriter?.writeIfDue(world, doors, print)
            wait(stop, atMost: isCaughtUp ? timeout() : 0)
        }
        for door in doors { door.flush(world, print) }
        print("stopped")
    }

    /// Lets the world do what is due by now; false when there was more than one turn may take.
    private func catchUp() -> Bool {
        let nextDue = min(world.nextEvent ?? .distantFuture, peers.nextDue ?? .distantFuture)
        if pace.skipGap(from: world.now, nextDue: nextDue) {
            print("this machine was away for a while; the world goes on from where it was")
        }
        let target = pace.target()
        var steps = 0
        while true {
            let due = min(world.nextEvent ?? .distantFuture, peers.nextDue ?? .distantFuture)
            guard due <= target else { break }
            if steps == 4_096 { return false }
            if let next = world.nextEvent, next <= due { world.step() } else { world.advance(to: max(world.now, due)) }
            peers.play(in: world)
            steps += 1
        }
        if target > world.now { world.advance(to: target) }
        return true
    }

    /// Milliseconds until the world, a script or the state file needs a turn.
    private func timeout() -> Int32 {
        let due = min(world.nextEvent ?? .distantFuture, peers.nextDue ?? .distantFuture)
        var waits = [pollTimeout(until: pace.instant(of: due))]
        if let stateDue = stateWriter?.due { waits.append(pollTimeout(until: stateDue)) }
        if doors.contains(where: { $0.terminal.map { $0.openings < 0 } ?? false }) { waits.append(Self.lookInterval) }
        return waits.filter { $0 >= 0 }.min() ?? -1
    }

    /// One sleep, and what the clients did meanwhile.
    private func wait(_ stop: StopFlag, atMost milliseconds: Int32) {
        enum Source {
            case stop, listener(ServedCompanion), client(ServedCompanion), terminal(ServedCompanion)
            case opened(TerminalDoor)
        }
        var sources: [Source] = [.stop]
        var descriptors = [pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)]
        func watch(_ descriptor: Int32, _ events: Int32, _ source: Source) {
            guard descriptor >= 0 else { return }
            descriptors.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
            sources.append(source)
        }
        for door in doors {
            watch(door.tcp.listener, POLLIN, .listener(door))
            if let client = door.tcp.client {
                let mayRead = world.hostBacklog(of: door.name, over: .wifi) < ServedCompanion.backlogLimit
                watch(client.descriptor, (mayRead ? POLLIN : 0) | (client.out.isEmpty ? 0 : POLLOUT), .client(door))
            }
            if let terminal = door.terminal {
                watch(terminal.openings, POLLIN, .opened(terminal))
                let mayRead = world.hostBacklog(of: door.name, over: .serial) < ServedCompanion.backlogLimit
                let wanted = (mayRead ? POLLIN : 0) | (terminal.isWaitingToWrite ? POLLOUT : 0)
                // A closed terminal would be ready all the time; one that must wait cannot tell that it was closed either.
                if terminal.isOpen, wanted != 0 { watch(terminal.descriptor, wanted, .terminal(door)) }
            }
        }
        guard poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0 else { return }
        // Time has passed; what clients did happens now.
        _ = catchUp()
        for (descriptor, source) in zip(descriptors, sources) where descriptor.revents != 0 {
            let canRead = Int32(descriptor.revents) & ~POLLOUT != 0
            switch source {
            case .stop: break
            case .opened(let terminal): terminal.refresh()
            case .listener(let door): door.accept(into: world, print)
            case .client(let door):
                // A newer client may have taken the place of the one that was ready.
                guard door.tcp.client?.descriptor == descriptor.fd else { continue }
                let hasHungUp = Int32(descriptor.revents) & (POLLHUP | POLLERR) != 0
                if canRead { door.readClient(into: world, hasHungUp: hasHungUp, print) }
                door.flush(world, print)
            case .terminal(let door):
                if canRead { door.readTerminal(into: world) }
                door.flush(world, print)
            }
        }
    }

    private func announce() {
        var library: ModemLibrary.Outcome?
        if let directory = configuration.terminalDirectory, !doors.isEmpty {
            library = ModemLibrary.install(in: directory)
        }
        let lines = ConnectLines(address: configuration.address, library: library)
        for door in doors { for line in lines.lines(for: door) { print(line) } }
        for peer in configuration.peers where peer.action == .echo {
            print("\(peer.node)\n  answers direct messages by itself")
        }
        for line in lines.closing() { print(line) }
    }
}
