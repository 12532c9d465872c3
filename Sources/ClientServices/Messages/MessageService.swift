public import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
internal import MeshProtocol
internal import MeshTransport
public import RigBase
internal import RigRuntime
internal import RunRecord

/// Sends direct and channel messages, repeats them, and tells what became of them (client-stack §3).
///
/// Awaited confirmation codes are kept in the store from before each write on, so that a rebuilt link, or a new start of the
/// program, still takes a late confirmation and still gives up in time.
public actor MessageService {
    /// One direct message that is being sent.
    private struct Loop {
        var machine: RetryMachine
        /// The encoded path length the contact had when the send began, or got by the reset.
        var pathLength: UInt8
        /// Effects that came from outside the loop, to be performed when its wait ends.
        var queued: [RetryMachine.Effect] = []
        /// Ends the present wait.
        var wake: AsyncStream<Void>.Continuation?
    }

    /// What the loop needs of the message it sends.
    struct Outgoing: Sendable {
        var id: MessageID
        var contact: StoredContact
        var text: String
        var timestamp: UInt32
        /// The event that all its frames and statuses follow from.
        var cause: EventID?
    }

    let context: ServiceContext
    private let contacts: ContactService
    /// Outlives the link, so that whoever watches a message need not care about reconnects.
    private let events: Broadcaster<MessageEvent>
    private let policy: RetryMachine.Policy
    private var table: AckTable
    private var loops: [MessageID: Loop] = [:]
    /// The event each message's frames and statuses follow from.
    var causes: [MessageID: EventID] = [:]
    private var listener: Task<Void, Never>?
    private var checker: Task<Void, Never>?

    init(context: ServiceContext, contacts: ContactService, events: Broadcaster<MessageEvent>) {
        self.context = context
        self.contacts = contacts
        self.events = events
        let defects = context.runtime.defects
        var policy = RetryMachine.Policy(limit: context.configuration.confirmationLimit)
        if defects.contains(.alwaysFlood) { policy.resetsPathFirst = true }
        if defects.contains(.noFloodFallback) { policy.floodAfter = .max }
        if defects.contains(.codeRegisteredLate) { policy.registersBeforeWrite = false }
        self.policy = policy
        table = AckTable(
            giveUpAfter: context.configuration.giveUpAfter,
            keepsEarlierCodes: !defects.contains(.earlierCodesForgotten))
    }

    /// Events of all messages from now on; the stream goes on over reconnects.
    public nonisolated func statusEvents() -> AsyncStream<MessageEvent> { events.subscribe() }

    // MARK: Monitoring

    /// Takes over what an earlier link, or an earlier start, still waits for; the give-up clocks go on running.
    func restoreAwaited() async {
        if context.runtime.defects.contains(.codesDieWithLink) { return }
        guard let awaited = try? await context.store.awaited(radio: context.radioID) else {
            return context.warn("awaited confirmations could not be read")
        }
        let (now, wall) = (context.runtime.now(), context.wallMillis)
        for row in awaited where table[row.message] == nil {
            table.restore(
                AckTable.Entry(
                    message: row.message, contact: row.contact, codes: row.codes,
                    sentAt: now.advanced(by: .milliseconds(min(0, row.sentAtMillis - wall))),
                    timeout: .milliseconds(row.timeoutMillis)))
        }
    }

    func startListener() {
        guard listener == nil, !context.runtime.defects.contains(.confirmationsIgnored) else { return }
        let confirmations = context.session.events.subscribe(.confirmation())
        listener = context.background("confirmations") { [weak self] in
            for await event in confirmations {
                if let confirmation = Confirmation(event) { await self?.confirm(confirmation) }
            }
        }
    }

    func startChecker() {
        guard checker == nil else { return }
        let interval = context.configuration.expiryInterval
        checker = context.background("expiry") { [weak self, runtime = context.runtime] in
            while (try? await runtime.sleep(for: interval)) != nil {
                guard let self else { return }
                await self.checkExpired()
            }
        }
    }

    /// Ends listening and checking; messages under way stay what they are, their codes stay awaited.
    func stop() {
        listener?.cancel()
        checker?.cancel()
        (listener, checker) = (nil, nil)
        for id in loops.keys.sorted() { wake(id) { $0.onLinkLost() } }
    }

    /// Fails every message that is not delivered, each with one event.
    public func failAll() async {
        for entry in table.removeAll() {
            wake(entry.message) { $0.onLinkLost() }
            await fail(entry.message, reason: "given up on request")
        }
    }

    public func stopAndFailAll() async {
        stop()
        await failAll()
    }

    /// Fails the messages whose time is over.
    public func checkExpired() async {
        for entry in table.expire(now: context.runtime.now()) {
            await fail(entry.message, reason: "no confirmation")
        }
    }

    private func confirm(_ confirmation: Confirmation) async {
        let (code, tripTimeMillis) = (confirmation.code, confirmation.tripTimeMillis)
        guard let entry = table.confirm(code: code) else {
            context.post(.clientWarning, ["text": "confirmation of no awaited message", "code": FieldValue(code)])
            return
        }
        wake(entry.message) { $0.onConfirmed() }
        do {
            let wrote = try await context.store.writeAck(
                entry.message, code: code, status: .delivered, tripTimeMillis: tripTimeMillis)
            try await context.store.touchContact(entry.contact, lastMessage: context.runtime.wallSeconds())
            await forget(entry.message)
            if wrote { publish(entry.message, .delivered, tripTimeMillis: tripTimeMillis) }
        } catch {
            context.warn("a confirmation could not be stored: \(error)")
        }
    }

    // MARK: Direct messages

    /// Stores a direct message and starts sending it: five attempts at most, the last one as flood. Returns once it is
    /// stored; `waitForOutcome` tells the end.
    ///
    /// Throws `recipientUnknown`, `recipientIsRepeater`, `textTooLong` (over 150 bytes) or `store`.
    public func sendDirect(text: String, to recipient: Recipient) async throws(ServiceError) -> MessageID {
        let message = try await store(text, to: recipient)
        start(message)
        return message.id
    }

    /// Stores a direct message and sends one attempt of it; returns when the radio took it.
    public func sendOnce(text: String, to recipient: Recipient) async throws(ServiceError) -> MessageID {
        let message = try await store(text, to: recipient)
        await register(message, attempt: 0, floor: .seconds(5))
        do {
            let sent = try await transmit(message, attempt: 0)
            let wait = policy.limit ?? .microseconds(Int64(sent.suggestedMillis) * 1_200)
            await expect(sent.code, for: message, timeout: wait)
            try await markSent(message.id, code: sent.code)
            return message.id
        } catch let error as RadioFailure {
            await forget(message.id)
            await fail(message.id, reason: error.description)
            throw .radio(error)
        } catch let error as StoreError {
            throw .store(error)
        } catch {
            throw .radio(.other("\(error)"))
        }
    }

    /// Sends a direct message again on its user's wish, with a new time of the sender.
    ///
    /// Throws `messageUnknown`, `alreadySending`, `recipientUnknown` or `store`.
    public func resend(_ id: MessageID) async throws(ServiceError) {
        guard loops[id] == nil else { throw .alreadySending }
        guard let row = try await storing({ () throws(StoreError) in try await context.store.message(id) }),
            case .contact(let contactID) = row.conversation, row.direction == .outgoing
        else { throw .messageUnknown }
        guard let contact = try await storing({ () throws(StoreError) in try await context.store.contact(contactID) })
        else { throw .recipientUnknown(contactID.description) }
        causes[id] = SeamCause.current
        let timestamp = context.runtime.wallSeconds()
        let wrote = try await storing { () throws(StoreError) in
            try await context.store.restamp(id, timestamp: timestamp, sendCount: row.sendCount + 1)
            return try await context.store.setStatusUnlessDelivered(id, .pending)
        }
        guard loops[id] == nil else { throw .alreadySending }
        if wrote { publish(id, .pending) }
        start(Outgoing(id: id, contact: contact, text: row.text, timestamp: timestamp, cause: SeamCause.current))
        events.yield(.resent(id))
    }

    /// Waits until a message is delivered or failed; for a channel message, sent or failed.
    public func waitForOutcome(_ id: MessageID) async -> MessageStatus {
        let changes = events.subscribe()
        func isFinal(_ status: MessageStatus, isChannel: Bool) -> Bool {
            status == .delivered || status == .failed || (isChannel && status == .sent)
        }
        guard let row = try? await context.store.message(id) else { return .failed }
        var isChannel = false
        if case .channel = row.conversation { isChannel = true }
        if isFinal(row.status, isChannel: isChannel) { return row.status }
        for await case .status(id, let status, _) in changes where isFinal(status, isChannel: isChannel) {
            return status
        }
        return (try? await context.store.message(id))?.status ?? .failed
    }

    /// The status as stored, nil for an unknown message.
    public func status(_ id: MessageID) async throws(ServiceError) -> MessageStatus? {
        try await storing { () throws(StoreError) in try await context.store.message(id) }?.status
    }

    private func store(_ text: String, to recipient: Recipient) async throws(ServiceError) -> Outgoing {
        let contact = try await contacts.find(recipient)
        guard contact.fields.type != ContactType.repeater.rawValue else { throw .recipientIsRepeater(contact.name) }
        guard text.utf8.count <= TextLimits.direct else {
            throw .textTooLong(bytes: text.utf8.count, limit: TextLimits.direct)
        }
        let now = context.runtime.wallSeconds()
        let row = StoredMessage(
            id: context.runtime.makeID("message"), radioID: context.radioID, conversation: .contact(contact.id),
            direction: .outgoing, text: text, timestamp: now, createdAt: now, status: .pending, isRead: true)
        try await storing { () throws(StoreError) in
            _ = try await context.store.insertMessage(row)
            try await context.store.touchContact(contact.id, lastMessage: now)
        }
        let cause = context.post(
            .messageStored,
            [
                "id": .text(row.id.description), "direction": "outgoing", "contact": .text(contact.name),
                "text": .text(text), "timestamp": FieldValue(now),
            ])
        causes[row.id] = cause
        publish(row.id, .pending)
        return Outgoing(id: row.id, contact: contact, text: text, timestamp: now, cause: cause)
    }

    // MARK: The retry loop

    private func start(_ message: Outgoing) {
        let random = context.runtime.random.fork("pool back-off", message.id.description)
        loops[message.id] = Loop(
            machine: RetryMachine(policy: policy, random: random), pathLength: message.contact.fields.pathLength)
        context.runtime.spawn("\(context.subject): send \(message.id)") { [self] in
            await SeamCause.$current.withValue(message.cause) { await run(message) }
        }
    }

    private func run(_ message: Outgoing) async {
        var effects = loops[message.id]?.machine.start() ?? []
        while !effects.isEmpty {
            effects = await perform(effects.removeFirst(), message) + effects
        }
        loops[message.id] = nil
    }

    /// Does what the machine decided, and returns what it decides next.
    private func perform(_ effect: RetryMachine.Effect, _ message: Outgoing) async -> [RetryMachine.Effect] {
        switch effect {
        case .markRetrying(let attempt, let max):
            if (try? await context.store.setRetrying(message.id, attempt: attempt, of: max)) == true {
                publish(message.id, .retrying, attempt: attempt)
                events.yield(.retrying(message.id, attempt: attempt, of: max))
            }
        case .resetPath:
            if await contacts.resetPathBeforeFlood(message.contact, events: events) {
                loops[message.id]?.pathLength = 0xFF
            }
            return loops[message.id]?.machine.onPathReset() ?? []
        case .register(let attempt, let floor):
            await register(message, attempt: attempt, floor: floor)
        case .transmit(let attempt):
            do throws(RadioFailure) {
                let sent = try await transmit(message, attempt: attempt)
                return loops[message.id]?.machine.onSent(
                    code: sent.code, suggestedMillis: sent.suggestedMillis, now: context.runtime.now()) ?? []
            } catch {
                return loops[message.id]?.machine.onSendFailed(.init(error), now: context.runtime.now()) ?? []
            }
        case .await(let code, let timeout):
            // Being late shows only when others get their turn in between.
            if !policy.registersBeforeWrite { await Task.yield() }
            await expect(code, for: message, timeout: timeout)
        case .markSent(let code):
            do { try await markSent(message.id, code: code) } catch { context.warn("status not stored: \(error)") }
        case .pause(let until):
            return await pause(message.id, until: until)
        case .finish(let outcome):
            await finish(message, outcome)
        }
        return []
    }

    private func pause(_ id: MessageID, until: SimInstant) async -> [RetryMachine.Effect] {
        if loops[id]?.queued.isEmpty == true {
            let (stream, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            loops[id]?.wake = wake
            _ = await context.runtime.wait(for: stream, until: Deadline(at: until))
            loops[id]?.wake = nil
        }
        guard let queued = loops[id]?.queued, !queued.isEmpty else {
            return loops[id]?.machine.onDeadline(now: context.runtime.now()) ?? []
        }
        loops[id]?.queued = []
        return queued
    }

    /// Tells a loop something from outside and ends its wait if that decides anything.
    private func wake(_ id: MessageID, _ event: (inout RetryMachine) -> [RetryMachine.Effect]) {
        guard var loop = loops[id] else { return }
        loop.queued += event(&loop.machine)
        if !loop.queued.isEmpty { loop.wake?.yield() }
        loops[id] = loop
    }

    private func finish(_ message: Outgoing, _ outcome: RetryMachine.Outcome) async {
        switch outcome {
        case .confirmed:
            // The listener owns the row.
            break
        case .exhausted, .interrupted(wasSent: true):
            if table[message.id]?.isDelivered == false,
                (try? await context.store.clearRetryingToSent(message.id)) == true
            {
                publish(message.id, .sent)
            }
        case .interrupted(wasSent: false): break
        case .failed(let failure):
            guard table[message.id]?.isDelivered != true else { break }
            await forget(message.id)
            await fail(message.id, reason: "\(failure)")
        }
        if outcome == .confirmed || outcome == .exhausted, let before = loops[message.id]?.pathLength {
            await contacts.refreshPath(of: message.contact, before: before, events: events)
        }
    }

    private func register(_ message: Outgoing, attempt: Int, floor: Duration) async {
        let predicted = TextMessage(
            timestamp: message.timestamp, attempt: UInt8(attempt), text: Array(message.text.utf8)
        ).ackHash(key: context.ownKey)
        await expect(predicted.value, for: message, timeout: floor)
    }

    private func transmit(_ message: Outgoing, attempt: Int) async throws(RadioFailure) -> SentReceipt {
        try await context.session.sendDirect(
            message.text, timestamp: message.timestamp, attempt: UInt8(attempt), to: message.contact.prefix)
    }

    /// Awaits a code from this moment on; only then is it stored, so that no confirmation can slip in between.
    private func expect(_ code: UInt32, for message: Outgoing, timeout: Duration) async {
        table.expect(
            code: code, message: message.id, contact: message.contact.id, timeout: timeout, now: context.runtime.now())
        guard let entry = table[message.id] else { return }
        let row = AwaitedConfirmation(
            message: entry.message, contact: entry.contact, codes: entry.codes, sentAtMillis: context.wallMillis,
            timeoutMillis: timeout.wholeMilliseconds)
        do { try await context.store.saveAwaited(row, radio: context.radioID) } catch {
            context.warn("an awaited code could not be stored: \(error)")
        }
    }

    private func markSent(_ id: MessageID, code: UInt32) async throws(StoreError) {
        guard try await context.store.writeAck(id, code: code, status: .sent, tripTimeMillis: nil) else { return }
        publish(id, .sent, attempt: 0)
    }

    private func forget(_ id: MessageID) async {
        table.remove(id)
        do { try await context.store.deleteAwaited(id) } catch {
            context.warn("an awaited code could not be removed: \(error)")
        }
    }

    private func fail(_ id: MessageID, reason: String) async {
        do {
            try await context.store.deleteAwaited(id)
            guard try await context.store.setStatusUnlessDelivered(id, .failed) else { return }
            publish(id, .failed, reason: reason)
        } catch {
            context.warn("a failed message could not be stored: \(error)")
        }
    }

    func publish(
        _ id: MessageID, _ status: MessageStatus, attempt: Int? = nil, tripTimeMillis: UInt32? = nil,
        reason: String? = nil
    ) {
        var fields: Fields = ["id": .text(id.description), "status": .text(status.description)]
        if let attempt { fields["attempt"] = FieldValue(attempt) }
        if let tripTimeMillis { fields["tripTime"] = FieldValue(tripTimeMillis) }
        if let reason { fields["reason"] = .text(reason) }
        context.post(.messageStatus, cause: causes[id], fields)
        if status == .delivered || status == .failed { causes[id] = nil }
        if status != .retrying { events.yield(.status(id, status, tripTimeMillis: tripTimeMillis)) }
    }
}

extension RetryMachine.SendFailure {
    init(_ failure: RadioFailure) {
        self =
            switch failure {
            case .device(let code): .device(code)
            case .connectionLost: .link
            case .notConnected: .notConnected
            case .timeout, .cancelled, .unreadable, .other: .other(failure.description)
            }
    }
}
