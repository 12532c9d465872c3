public import ClientStore
internal import MeshCoreClient
public import RigBase
internal import RigRuntime
internal import RunRecord
internal import Synchronization

/// What changed in the store, for whoever shows it.
public enum DataEvent: Sendable, Hashable {
    case contactsChanged
    case conversationsChanged
    case directMessageReceived(MessageID)
    case channelMessageReceived(MessageID)
}

/// Brings a new link into use and keeps contacts, channels and messages in step with the radio (client-stack §4).
public actor SyncCoordinator {
    let context: ServiceContext
    private let services: Services
    private let receiver: MessageReceiver
    private let dataEvents: Broadcaster<DataEvent>
    private let channelReadings: ChannelReadings
    private let states = Broadcaster<SyncState>()
    /// The running sync and its number; a sync that was ended from outside finds another number here.
    private var running: SyncMachine?
    private var number = 0
    private var isBusy = false
    private var isMonitoring = false
    /// Slots the running sync got no answer for.
    private var leftOver: [UInt8] = []

    public private(set) var state = SyncState.idle
    /// Syncs whose activity has begun and not ended: 0 or 1.
    public private(set) var activity = 0
    /// How many syncs ended their activity so far, well or not.
    public private(set) var activitiesEnded = 0
    /// The radio's private key, when it gave it.
    private(set) var privateKey: Secret?

    struct Services: Sendable {
        let contacts: ContactService
        let channels: ChannelService
        let messages: MessageService
        let polling: MessagePollingService
        let adverts: AdvertisementService
    }

    init(
        context: ServiceContext, services: Services, dataEvents: Broadcaster<DataEvent>, readings: ChannelReadings
    ) {
        self.context = context
        self.services = services
        self.dataEvents = dataEvents
        channelReadings = readings
        receiver = MessageReceiver(context: context, events: dataEvents)
    }

    public nonisolated func stateEvents() -> AsyncStream<SyncState> { states.subscribe() }

    /// The conversation that is on the screen, nil for none.
    public func setOpenConversation(_ conversation: Conversation?) async {
        await receiver.setOpenConversation(conversation)
    }

    /// Must be told after somebody was blocked or unblocked.
    public func refreshBlockedNames() async { await receiver.refreshBlockedNames() }

    // MARK: A new link

    /// Brings a link into use, in this order: handlers, monitoring, private key, contacts, channels, messages, adverts that
    /// came meanwhile, handlers under way, automatic fetching. Without usable contacts it stops after the sync.
    func connectionEstablished(full: Bool) async -> SyncResult {
        guard !isBusy else { return .skipped }
        await services.adverts.beginDeferral()
        await receiver.refreshBlockedNames()
        await services.polling.setHandler { [receiver] text, reception in await receiver.receive(text, reception) }
        await startMonitoring()
        await exportPrivateKey()
        let result = await sync(full: full, forcesChannels: full)
        if result.isUsable {
            await finishEstablishing()
        } else {
            await settle()
        }
        return result
    }

    /// Tries once more to make a link usable whose first sync failed.
    func resync() async -> SyncResult {
        await services.polling.pauseAutoFetch()
        await services.adverts.beginDeferral()
        let result = await sync(full: false, forcesChannels: false)
        if result.isUsable {
            await finishEstablishing()
        } else {
            await settle()
        }
        return result
    }

    /// Syncs on request. Changes nothing and says `skipped` while another sync runs.
    public func fullSync(full: Bool) async -> SyncResult {
        guard !isBusy else { return .skipped }
        await services.polling.pauseAutoFetch()
        await services.adverts.beginDeferral()
        let result = await sync(full: full, forcesChannels: true)
        await settle()
        await services.polling.resumeAutoFetch()
        return result
    }

    /// Whether a sync runs at this moment.
    public var isSyncing: Bool { isBusy }

    /// The link is gone or given up: a running sync ends here, its activity is balanced and the next may begin.
    func disconnected() {
        number += 1
        isBusy = false
        if var machine = running {
            running = nil
            for effect in machine.onCancelled() { note(effect) }
        }
        publish(.idle)
    }

    func tearDown() async {
        disconnected()
        await services.adverts.tearDown()
        await services.messages.stop()
        await services.polling.stop()
        states.finish()
        dataEvents.finish()
    }

    private func startMonitoring() async {
        guard !isMonitoring else { return }
        isMonitoring = true
        await services.adverts.start()
        await services.messages.restoreAwaited()
        await services.messages.startListener()
        await services.messages.startChecker()
        await services.polling.startMonitoring()
    }

    /// Many builds do not give it away; nothing here depends on it.
    private func exportPrivateKey() async {
        privateKey = try? await context.session.ownPrivateKey()
    }

    private func finishEstablishing() async {
        await settle()
        if context.configuration.fetchesAutomatically { await services.polling.startAutoFetch() }
    }

    /// Fetches contacts that were named during the sync, then waits for the handlers of what was read.
    private func settle() async {
        await services.adverts.endDeferral()
        if !(await services.polling.waitForHandlers(limit: context.configuration.handlerDrainLimit)) {
            context.warn("handlers of received messages are still busy after the limit")
        }
    }

    // MARK: One sync

    private func sync(full: Bool, forcesChannels: Bool) async -> SyncResult {
        guard !isBusy else { return .skipped }
        isBusy = true
        number += 1
        leftOver = []
        let mine = number
        var machine = SyncMachine(readsChannels: wantsChannels(forced: forcesChannels))
        var effects = machine.start()
        running = machine
        var result = SyncResult(contacts: .failed("the link is gone"), channels: .skipped, messages: .skipped)
        while !effects.isEmpty {
            let effect = effects.removeFirst()
            note(effect)
            var next: [SyncMachine.Effect] = []
            switch effect {
            case .syncContacts: next = machine.onContacts(await syncContacts(full: full))
            case .readChannels: next = machine.onChannels(await readChannels())
            case .pollMessages: next = machine.onMessages(await pollMessages())
            case .finish(let end): result = end
            case .publish, .beginActivity, .endActivity: break
            }
            guard mine == number else { return result }
            running = machine
            effects = next + effects
        }
        running = nil
        isBusy = false
        if !leftOver.isEmpty { retryLater(leftOver) }
        return result
    }

    private func note(_ effect: SyncMachine.Effect) {
        switch effect {
        case .publish(let state): publish(state)
        case .beginActivity: activity += 1
        case .endActivity:
            activity -= 1
            activitiesEnded += 1
        case .syncContacts, .readChannels, .pollMessages, .finish: break
        }
    }

    private func publish(_ new: SyncState) {
        guard new != state else { return }
        state = new
        states.yield(new)
    }

    private func syncContacts(full: Bool) async -> PhaseResult {
        do throws(ServiceError) {
            let result = try await services.contacts.sync(full: full)
            dataEvents.yield(.contactsChanged)
            phase("contacts", "ended", result.received)
            return .clean
        } catch {
            phase("contacts", "failed", 0, error.description)
            return .failed(error.description)
        }
    }

    private func readChannels() async -> PhaseResult {
        phase("channels", "started", 0)
        do throws(ServiceError) {
            var result = try await services.channels.sync()
            let configured = result.configured
            if !result.retryable.isEmpty {
                let again = try await services.channels.retry(result.retryable)
                result.retryable = again.retryable
                result.failed += again.failed
                result.configured = configured + again.configured
            }
            if result.isClean { channelReadings.note(context.radioID, at: context.runtime.now()) }
            phase("channels", result.isClean ? "ended" : "partial", result.configured)
            leftOver = result.retryable
            return result.isClean ? .clean : .partial
        } catch {
            phase("channels", "failed", 0, error.description)
            return .partial
        }
    }

    private func pollMessages() async -> PhaseResult {
        phase("messages", "started", 0)
        do throws(ServiceError) {
            let count = try await services.polling.pollAll()
            dataEvents.yield(.conversationsChanged)
            phase("messages", "ended", count)
            return .clean
        } catch {
            phase("messages", "failed", 0, error.description)
            return .failed(error.description)
        }
    }

    private func wantsChannels(forced: Bool) -> Bool {
        if context.runtime.defects.contains(.channelsSkipped) { return false }
        if context.configuration.isInBackground { return false }
        guard !forced, let window = context.configuration.channelSkipWindow ?? context.platform.channelSkipWindow,
            let last = channelReadings.last(context.radioID)
        else { return true }
        return last.duration(to: context.runtime.now()) > window
    }

    /// Slots left without an answer are read again after 2 and after 4 more seconds, unless another sync runs by then.
    private func retryLater(_ indices: [UInt8]) {
        let mine = number
        context.background("channel retry") { [weak self, context] in
            var open = indices
            for pause in [2, 4] {
                guard (try? await context.runtime.sleep(for: .seconds(pause))) != nil, let self else { return }
                guard await self.mayRetry(mine) else { return }
                guard let result = try? await self.services.channels.retry(open) else { return }
                open = result.retryable
                if open.isEmpty { return }
            }
        }
    }

    private func mayRetry(_ mine: Int) -> Bool { mine == number && !isBusy }

    private func phase(_ name: String, _ state: String, _ count: Int, _ reason: String? = nil) {
        var fields: Fields = ["phase": .text(name), "state": .text(state), "count": FieldValue(count)]
        if let reason { fields["reason"] = .text(reason) }
        context.post(.syncPhase, fields)
    }
}

/// When all channels of each radio were last read; outlives the link.
final class ChannelReadings: Sendable {
    private let readings = Mutex<[UUID128: SimInstant]>([:])

    func note(_ radio: UUID128, at now: SimInstant) { readings.withLock { $0[radio] = now } }
    func last(_ radio: UUID128) -> SimInstant? { readings.withLock { $0[radio] } }
    func forget() { readings.withLock { $0 = [:] } }
}
