internal import CompanionProtocol
internal import RigBase
public import RigRuntime

/// Lets the rules of a `FaultControl` act on the bytes of a link, in both directions.
///
/// It belongs between recording (outside) and pacing (inside). A write returns when its bytes are passed on or wait for
/// their time, as bytes in an operating system's buffer would.
public actor FaultyTransport: Transport {
    private enum Item {
        case pass([UInt8], at: SimInstant)
        case lose(LinkLoss, at: SimInstant)

        var at: SimInstant {
            switch self {
            case .pass(_, let instant), .lose(_, let instant): instant
            }
        }
    }

    /// What waits in one direction.
    private struct Queue {
        var items: [Item] = []
        var isDraining = false
    }

    public nonisolated var name: String { base.name }
    public nonisolated var allowsPipelining: Bool { base.allowsPipelining }
    private let base: any Transport
    private let runtime: Runtime
    private let control: FaultControl
    private let front = LinkFront()
    private var toRadio = Queue()
    private var fromRadio = Queue()
    private var connection: LinkFront.Connection = 0
    /// Tasks that wait for the time of late bytes, by number; they end with their connection.
    private var waits: [Int: Task<Void, Never>] = [:]
    private var waitCount = 0

    public init(_ base: any Transport, runtime: Runtime, control: FaultControl) {
        self.base = base
        self.runtime = runtime
        self.control = control
    }

    public func connect() async throws {
        guard let connection = try await front.connect(over: base, first: { try await self.meetConnectionFaults() })
        else { return }
        self.connection = connection
        endWaits()
        (toRadio, fromRadio) = (Queue(), Queue())
        control.attach(self)
        let chunks = await base.received()
        runtime.spawn("faults " + name) { [self] in
            for await chunk in chunks { await receive(chunk, connection) }
            await linkEnded(connection)
            front.down(await base.presentLoss(otherwise: .failed("lost")), on: connection)
        }
        guard let up = control.onConnected() else { return }
        wait("flap", until: runtime.now().advanced(by: up)) { [self] in
            try? await carryOut(.lose(.failed("link lost"), at: runtime.now()), .fromRadio, connection)
        }
    }

    /// What faults make of an attempt to connect.
    private func meetConnectionFaults() async throws {
        switch control.onConnecting() {
        case .refuse?: throw TransportError.connectFailed("connection refused")
        case .slowAccept(let time)?:
            let limit = LinkLimits.standard.connect
            try await runtime.sleep(for: min(time, limit))
            if time >= limit { throw TransportError.connectTimedOut }
        case .flap?, nil: break
        }
    }

    public func disconnect() async {
        front.down(.closedHere)
        endWaits()
        control.detach(self)
        await base.disconnect()
    }

    public func write(_ bytes: [UInt8]) async throws {
        guard front.isUp else { throw TransportError.notConnected }
        try await perform(control.onBytes(bytes, .toRadio), .toRadio)
    }

    public func received() async -> AsyncStream<[UInt8]> { front.received() }
    public func states() async -> AsyncStream<LinkState> { front.states() }

    private func linkEnded(_ connection: LinkFront.Connection) {
        if connection == self.connection { endWaits() }
    }

    private func receive(_ chunk: [UInt8], _ connection: LinkFront.Connection) async {
        guard connection == self.connection, front.isUp else { return }
        // Nothing of this direction throws: it ends in a stream.
        try? await perform(control.onBytes(chunk, .fromRadio), .fromRadio)
    }

    /// Does what was decided: at once where it is due, in its order and later where it is not.
    func perform(_ effects: [FaultMachine.Effect], _ direction: LinkDirection) async throws {
        let connection = connection
        for effect in effects {
            switch effect {
            case .pass(let bytes, let instant): self[direction].items.append(.pass(bytes, at: instant))
            case .lose(let loss, let instant): self[direction].items.append(.lose(loss, at: instant))
            case .passAside(let bytes, let instant):
                wait("overtaken bytes", until: instant) { [self] in
                    try? await carryOut(.pass(bytes, at: instant), direction, connection)
                }
            case .report: break
            }
        }
        try await drain(direction)
    }

    private subscript(direction: LinkDirection) -> Queue {
        get { direction == .toRadio ? toRadio : fromRadio }
        set {
            switch direction {
            case .toRadio: toRadio = newValue
            case .fromRadio: fromRadio = newValue
            }
        }
    }

    private func drain(_ direction: LinkDirection) async throws {
        let connection = connection
        guard !self[direction].isDraining else { return }
        self[direction].isDraining = true
        while let item = self[direction].items.first {
            guard item.at <= runtime.now() else { return continueLater(at: item.at, direction) }
            self[direction].items.removeFirst()
            do {
                try await carryOut(item, direction, connection)
            } catch {
                if connection == self.connection { self[direction] = Queue() }
                throw error
            }
            guard connection == self.connection else { return }
        }
        self[direction].isDraining = false
    }

    private func continueLater(at instant: SimInstant, _ direction: LinkDirection) {
        let connection = connection
        wait("delayed bytes", until: instant) { [self] in await continueNow(direction, connection) }
    }

    /// Does something later, unless the connection has ended by then.
    private func wait(_ name: String, until instant: SimInstant, _ body: @escaping @Sendable () async -> Void) {
        waitCount += 1
        let number = waitCount
        waits[number] = runtime.spawn(name) { [self] in
            guard (try? await runtime.sleep(until: Deadline(at: instant))) != nil else { return }
            await waitEnded(number)
            await body()
        }
    }

    private func waitEnded(_ number: Int) { waits[number] = nil }

    private func endWaits() {
        for wait in waits.sorted(by: { $0.key < $1.key }) { wait.value.cancel() }
        waits = [:]
    }

    private func continueNow(_ direction: LinkDirection, _ connection: LinkFront.Connection) async {
        guard connection == self.connection else { return }
        self[direction].isDraining = false
        try? await drain(direction)
    }

    private func carryOut(
        _ item: Item, _ direction: LinkDirection, _ connection: LinkFront.Connection
    ) async throws {
        guard connection == self.connection, front.isUp else { return }
        switch (item, direction) {
        case (.pass(let bytes, _), .toRadio): try await base.write(bytes)
        case (.pass(let bytes, _), .fromRadio): front.deliver(bytes, on: connection)
        case (.lose(let loss, _), _):
            front.down(loss, on: connection)
            endWaits()
            control.detach(self)
            await base.disconnect()
        }
    }
}
