internal import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import RigRuntime
internal import RunRecord

/// What pushes about contacts led to.
public enum AdvertEvent: Sendable, Hashable {
    case contactUpdated(key: [UInt8])
    /// A node nobody knew before.
    case newContactDiscovered(key: [UInt8], name: String)
    case contactDeleted(key: [UInt8])
    /// The radio's contact table has no room left, or has some again.
    case nodeStorageFull(Bool)
}

/// Follows the radio's pushes about contacts (client-stack §5.3). During a contact sync it only notes what to ask for later.
public actor AdvertisementService {
    let context: ServiceContext
    private let contacts: ContactService
    private let broadcaster = Broadcaster<AdvertEvent>()
    private var queue = ContactFetchQueue()
    private var listener: Task<Void, Never>?
    /// Those that wait for the end of a pass.
    private var passWaiters: [CheckedContinuation<Void, Never>] = []

    init(context: ServiceContext, contacts: ContactService) {
        self.context = context
        self.contacts = contacts
    }

    public nonisolated func events() -> AsyncStream<AdvertEvent> { broadcaster.subscribe() }

    func start() {
        guard listener == nil else { return }
        let pushes = context.session.events.subscribe(.contactChanges)
        listener = context.background("adverts") { [weak self] in
            for await event in pushes {
                if let push = ContactPush(event) { await self?.handle(push) }
            }
        }
    }

    func stop() {
        listener?.cancel()
        listener = nil
        queue.removeAll()
        resumePassWaiters()
    }

    func tearDown() {
        stop()
        broadcaster.finish()
    }

    /// Nothing is asked for until `endDeferral`.
    func beginDeferral() { queue.beginDeferral() }

    /// Asks for what was named meanwhile and waits until that is through, not for what is named later.
    func endDeferral() async {
        queue.endDeferral()
        pump()
        guard !queue.isPassDone else { return }
        await withCheckedContinuation { passWaiters.append($0) }
    }

    private func handle(_ push: ContactPush) async {
        do {
            switch push {
            case .advert(let key):
                let now = context.runtime.wallSeconds()
                guard let known = try await context.store.contact(key: key, radio: context.radioID) else {
                    queue.add(key, .advert)
                    return pump()
                }
                try await context.store.setLastAdvert(now, key: key, radio: context.radioID)
                _ = try await context.store.saveDiscovered(
                    DiscoveredNode(key: key, name: known.name, type: known.fields.type, lastHeard: now),
                    radio: context.radioID)
                broadcaster.yield(.contactUpdated(key: key))
            case .pathUpdated(let key):
                queue.add(key, .path)
                pump()
            case .newAdvert(let fields):
                let isNew = try await context.store.saveDiscovered(
                    DiscoveredNode(
                        key: fields.key, name: fields.name, type: fields.type,
                        lastHeard: context.runtime.wallSeconds()), radio: context.radioID)
                broadcaster.yield(.contactUpdated(key: fields.key))
                if isNew { broadcaster.yield(.newContactDiscovered(key: fields.key, name: fields.name)) }
            case .deleted(let key):
                queue.delete(key)
                try await contacts.removeLocally(key: key)
                broadcaster.yield(.contactDeleted(key: key))
                broadcaster.yield(.nodeStorageFull(false))
            case .tableFull:
                broadcaster.yield(.nodeStorageFull(true))
            }
        } catch {
            context.warn("a push about a contact could not be stored: \(error)")
        }
    }

    private func pump() {
        if queue.isPassDone { resumePassWaiters() }
        guard let key = queue.next() else { return }
        context.background("fetch contact") { [self] in await fetch(key) }
    }

    private func fetch(_ key: [UInt8]) async {
        let wasKnown = (try? await context.store.contact(key: key, radio: context.radioID)) != nil
        // A failed request is dropped; the next advert names the key again.
        let fields = try? await context.session.contact(key: key)
        if let reason = queue.finish(key), let fields, (try? await contacts.save(fields)) != nil {
            let isDiscovery = reason == .advert && !wasKnown
            broadcaster.yield(
                isDiscovery ? .newContactDiscovered(key: key, name: fields.name) : .contactUpdated(key: key))
        }
        pump()
    }

    private func resumePassWaiters() {
        for waiter in passWaiters { waiter.resume() }
        passWaiters = []
    }
}
