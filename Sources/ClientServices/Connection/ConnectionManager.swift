public import ClientStore
internal import MeshCoreClient
internal import MeshProtocol
public import MeshTransport
internal import RigBase
internal import RigCrypto
public import RigRuntime
internal import RunRecord

/// Connects to one radio, keeps the connection, and owns what belongs to the present link (client-stack §8).
///
/// A loss is watched for from the moment the link stands, so also during the first sync. Messages under way stay what they
/// are; the next link takes their awaited confirmations over.
public actor ConnectionManager {
    /// One link from its bringing up to its end.
    private struct Link {
        var number: Int
        var session: MeshCoreSession
        var container: ServiceContainer
        var tasks: [Task<Void, Never>] = []
    }

    private let runtime: Runtime
    private let store: PersistenceStore
    private let makeTransport: @Sendable () -> any Transport
    private let subject: String
    private let configuration: ServiceConfiguration
    private let messageEvents = Broadcaster<MessageEvent>()
    private let stateEvents = Broadcaster<ConnectionState>()
    private let readings = ChannelReadings()
    /// Counts the user's wishes; what an earlier wish began must not touch what a later one made.
    private var wish = 0
    private var links = 0
    private var link: Link?
    /// The session of a link that is being brought up.
    private var opening: MeshCoreSession?
    private var reconnect = ReconnectMachine()
    private var isResyncing = false

    public private(set) var state = ConnectionState.disconnected
    public private(set) var intent = ConnectionIntent.none

    /// `name` is the role this client plays, the subject of its journal events. Each link gets a transport of its own.
    public init(
        runtime: Runtime, store: PersistenceStore, makeTransport: @escaping @Sendable () -> any Transport, name: String,
        configuration: ServiceConfiguration = ServiceConfiguration()
    ) {
        self.runtime = runtime
        self.store = store
        self.makeTransport = makeTransport
        subject = name
        self.configuration = configuration
    }

    /// The services of the present link.
    public var container: ServiceContainer? { link?.container }

    /// Every change of the state from now on.
    public nonisolated func states() -> AsyncStream<ConnectionState> { stateEvents.subscribe() }

    /// What becomes of sent messages, over all links.
    public nonisolated func statusEvents() -> AsyncStream<MessageEvent> { messageEvents.subscribe() }

    /// Brings a link up and syncs. Returns when the first sync is over, however it ended: after a failed one further tries
    /// run, after a loss the link is rebuilt, and `states` tells of both.
    ///
    /// Throws when no link comes about, without another try, and `superseded` when the user wanted something else meanwhile.
    public func connect(full: Bool = false) async throws(ServiceError) {
        wish += 1
        let mine = wish
        intent = .wantsConnection(full: full)
        reconnect.onStopped()
        await takeDown()
        guard mine == wish else { throw .superseded }
        change(to: .connecting, "connect")
        do throws(ServiceError) {
            try await establish(mine)
        } catch {
            guard mine == wish else { throw .superseded }
            change(to: .disconnected, error.description)
            throw error
        }
        await bringUp(mine)
        guard mine == wish else { throw .superseded }
    }

    /// Ends the connection; nothing connects again until `connect`. Harmless when there is none.
    public func disconnect() async {
        wish += 1
        intent = .userDisconnected
        reconnect.onStopped()
        readings.forget()
        await takeDown()
        change(to: .disconnected, "disconnect")
    }

    /// Syncs on request: what changed, or everything. `skipped` while another sync runs. Throws `notConnected`.
    @discardableResult
    public func sync(full: Bool = false) async throws(ServiceError) -> SyncResult {
        guard let link else { throw .notConnected }
        return await link.container.sync.fullSync(full: full)
    }

    // MARK: Bringing up

    /// Transport, handshake, device query, store and services.
    private func establish(_ mine: Int) async throws(ServiceError) {
        let transport = makeTransport()
        let session = MeshCoreSession(transport: transport, runtime: runtime, name: subject)
        opening = session
        do throws(ServiceError) {
            let context = try await open(session, allowsPipelining: transport.allowsPipelining)
            guard mine == wish else { throw .superseded }
            opening = nil
            links += 1
            let container = ServiceContainer(context: context, messageEvents: messageEvents, readings: readings)
            link = Link(number: links, session: session, container: container)
            watch(links, session)
            change(to: .connected, context.nodeName)
        } catch {
            if opening === session { opening = nil }
            await session.stop()
            throw error
        }
    }

    private func open(_ session: MeshCoreSession, allowsPipelining: Bool) async throws(ServiceError) -> ServiceContext {
        let radio = try await asking { () throws(RadioFailure) in try await session.open() }
        let handle = Array(Digest.sha256(radio.publicKey).prefix(16))
        let newID = runtime.makeID("radio")
        let (store, now) = (store, runtime.wallSeconds())
        let radioID = try await storing { () throws(StoreError) in
            let radioID = try await store.radioID(handle: handle, publicKey: radio.publicKey, newID: newID)
            try await store.saveDevice(
                StoredDevice(
                    radioID: radioID, handle: handle, publicKey: radio.publicKey, name: radio.name,
                    firmware: radio.firmware, model: radio.model, protocolVersion: radio.protocolVersion,
                    maxContacts: radio.maxContacts, maxChannels: radio.maxChannels, autoAdd: radio.autoAdd,
                    lastConnected: now))
            return radioID
        }
        return ServiceContext(
            session: session, store: store, runtime: runtime, configuration: configuration, subject: subject,
            radioID: radioID, ownKey: PublicKey(radio.publicKey), nodeName: radio.name,
            maxChannels: radio.maxChannels, platform: DevicePlatform(model: radio.model),
            allowsPipelining: allowsPipelining)
    }

    /// The first sync of a new link and what follows from its end.
    private func bringUp(_ mine: Int) async {
        guard mine == wish, let current = link, case .wantsConnection(let full) = intent else { return }
        let result = await current.container.sync.connectionEstablished(full: full)
        guard isCurrent(mine, current.number) else { return }
        if result.isUsable {
            await promote(mine, current)
        } else {
            change(to: .syncing, result.contacts.description)
            resync(mine, current)
        }
    }

    /// Sets the radio's clock when it is off, and calls the connection ready.
    private func promote(_ mine: Int, _ current: Link) async {
        await setClock(current.session)
        guard isCurrent(mine, current.number) else { return }
        intent = .wantsConnection(full: false)
        change(to: .ready, "synced")
        startHeartbeat(mine, current)
    }

    private func setClock(_ session: MeshCoreSession) async {
        do throws(RadioFailure) {
            let theirs = try await session.clock()
            let ours = runtime.wallSeconds()
            guard abs(Int64(theirs) - Int64(ours)) > configuration.clockTolerance else { return }
            try await session.setClock(ours)
        } catch {
            runtime.post(.clientWarning, subject, ["text": .text("the radio's clock was not set: \(error)")])
        }
    }

    /// Tries the sync again, three times at most; then the link is given up and the wish for it kept.
    private func resync(_ mine: Int, _ current: Link) {
        isResyncing = true
        keep(
            runtime.background("\(subject): resync") { [weak self, runtime, configuration] in
                for _ in 0..<configuration.resyncAttempts {
                    guard (try? await runtime.sleep(for: configuration.resyncInterval)) != nil else { return }
                    guard let self, await self.tryResync(mine, current) else { return }
                }
                await self?.giveUpResync(mine, current)
            })
    }

    /// True when another try makes sense.
    private func tryResync(_ mine: Int, _ current: Link) async -> Bool {
        guard isCurrent(mine, current.number) else { return false }
        let result = await current.container.sync.resync()
        guard isCurrent(mine, current.number) else { return false }
        guard result.isUsable else { return true }
        isResyncing = false
        await promote(mine, current)
        return false
    }

    private func giveUpResync(_ mine: Int, _ current: Link) async {
        guard isCurrent(mine, current.number) else { return }
        await takeDown()
        guard mine == wish else { return }
        change(to: .disconnected, "resync failed")
    }

    // MARK: Loss

    private func watch(_ number: Int, _ session: MeshCoreSession) {
        keep(
            runtime.background("\(subject): link watch") { [weak self] in
                guard let reason = await session.waitForLoss() else { return }
                await self?.lost(number, reason)
            })
    }

    /// A radio that no longer tells the time is lost, though its link may still stand.
    private func startHeartbeat(_ mine: Int, _ current: Link) {
        let interval = configuration.heartbeatInterval
        keep(
            runtime.background("\(subject): heartbeat") { [weak self, runtime] in
                while (try? await runtime.sleep(for: interval)) != nil {
                    guard let self, await self.beat(mine, current) else { return }
                }
            })
    }

    private func beat(_ mine: Int, _ current: Link) async -> Bool {
        guard isCurrent(mine, current.number) else { return false }
        guard state.isOperational, !isResyncing, !(await current.container.sync.isSyncing) else { return true }
        do throws(RadioFailure) {
            _ = try await current.session.clock()
            return true
        } catch {
            if case .device = error { return true }
            await lost(current.number, "no heartbeat: \(error)")
            return false
        }
    }

    private func lost(_ number: Int, _ reason: String) async {
        guard link?.number == number, case .wantsConnection = intent else { return }
        let mine = wish
        await takeDown()
        guard mine == wish else { return }
        if runtime.defects.contains(.noReconnect) { return change(to: .disconnected, reason) }
        change(to: .connecting, reason)
        let effects = reconnect.onLost(now: runtime.now())
        guard !effects.isEmpty else { return }
        runtime.background("\(subject): reconnect") { [weak self] in await self?.rebuild(mine, effects) }
    }

    private func rebuild(_ mine: Int, _ start: [ReconnectMachine.Effect]) async {
        var effects = start
        while !effects.isEmpty, mine == wish {
            switch effects.removeFirst() {
            case .attempt(let attempt):
                let isUp = await tryAgain(mine, attempt)
                guard mine == wish else { return }
                if isUp {
                    reconnect.onSuccess()
                } else {
                    effects = reconnect.onFailure(now: runtime.now())
                }
            case .pause(let until):
                guard (try? await runtime.sleep(until: Deadline(at: until))) != nil, mine == wish else { return }
                effects = reconnect.onDeadline(now: runtime.now())
            case .giveUp: change(to: .disconnected, "no link within the reconnect window")
            }
        }
    }

    /// One attempt counts as good when its link still stands after the first sync, so that a radio that always breaks
    /// during it is not tried without pause.
    private func tryAgain(_ mine: Int, _ attempt: Int) async -> Bool {
        change(to: .connecting, "attempt \(attempt)")
        do throws(ServiceError) { try await establish(mine) } catch { return false }
        let number = link?.number
        await bringUp(mine)
        return link != nil && link?.number == number
    }

    // MARK: Helpers

    private func isCurrent(_ mine: Int, _ number: Int) -> Bool { mine == wish && link?.number == number }

    private func keep(_ task: Task<Void, Never>) { link?.tasks.append(task) }

    /// Ends the present link and all that runs on it. Everything is taken out first, so that nothing that begins meanwhile
    /// is touched.
    private func takeDown() async {
        if let opening {
            self.opening = nil
            await opening.stop()
        }
        guard let old = link else { return }
        link = nil
        isResyncing = false
        for task in old.tasks { task.cancel() }
        await old.container.sync.disconnected()
        await old.session.stop()
        await old.container.sync.tearDown()
    }

    private func change(to new: ConnectionState, _ reason: String) {
        guard new != state else { return }
        state = new
        runtime.post(.connection, subject, ["state": .text(new.rawValue), "reason": .text(reason)])
        stateEvents.yield(new)
    }
}
