public import ClientStore
internal import CompanionProtocol
internal import MeshCoreClient
public import RigBase
internal import RigRuntime
internal import RunRecord

/// What reading the channel slots brought.
public struct ChannelSyncResult: Sendable, Hashable {
    public var configured: Int = 0
    /// Slots without an answer that may be asked again.
    public var retryable: [UInt8] = []
    /// Slots that were not read or refused, for good.
    public var failed: [UInt8] = []

    public var isClean: Bool { retryable.isEmpty && failed.isEmpty }
}

/// Keeps the store's channels in step with the radio's slots (client-stack §5.2).
public actor ChannelService {
    /// Slots to be stored and slots to be emptied, as read so far.
    private struct Findings {
        var configured: [StoredChannel] = []
        var vacant: [UInt8] = []
        var result = ChannelSyncResult()
    }

    let context: ServiceContext

    init(context: ServiceContext) { self.context = context }

    /// Reads all slots: in a pipeline where the link allows it, else one after the other. Configured slots are stored,
    /// vacant ones and those beyond the radio's limit removed, those without an answer left as they are.
    ///
    /// Throws `radio` when the link failed before anything was read, and `store`.
    @discardableResult
    public func sync() async throws(ServiceError) -> ChannelSyncResult {
        let indices = (0..<context.maxChannels).map { UInt8($0) }
        var findings = Findings()
        var open = indices
        if context.allowsPipelining {
            let (received, missing) = try await asking { () throws(RadioFailure) in
                try await context.session.readChannels(indices)
            }
            for slot in received { note(slot, in: &findings) }
            open = missing
        }
        await readOneByOne(open, breaker: ChannelBreaker(limit: 3), into: &findings)
        try await save(findings, removing: true)
        return findings.result
    }

    /// Reads slots again that gave no answer; stores what is configured and removes nothing.
    public func retry(_ indices: [UInt8]) async throws(ServiceError) -> ChannelSyncResult {
        try? await context.runtime.sleep(for: .milliseconds(500))
        var findings = Findings()
        await readOneByOne(indices, breaker: ChannelBreaker(limit: 2), into: &findings)
        try await save(findings, removing: false)
        return findings.result
    }

    /// Sets a slot in the radio and then in the store. Throws `radio` or `store`.
    public func set(_ index: UInt8, name: String, secret: Secret) async throws(ServiceError) {
        try await asking { () throws(RadioFailure) in
            try await context.session.writeChannel(index, name: name, secret: secret)
        }
        var findings = Findings()
        note(ChannelSlot(index: index, name: name, secret: secret), in: &findings)
        try await save(findings, removing: false)
    }

    /// Empties a slot and removes its messages.
    public func clear(_ index: UInt8) async throws(ServiceError) {
        try await asking { () throws(RadioFailure) in
            try await context.session.writeChannel(
                index, name: "", secret: Secret([UInt8](repeating: 0, count: CompanionLimits.channelSecretSize)))
        }
        try await storing { () throws(StoreError) in
            try await context.store.deleteChannel(index, radio: context.radioID)
        }
        context.post(.channelRemoved, ["index": FieldValue(index)])
    }

    public func list() async throws(ServiceError) -> [StoredChannel] {
        try await storing { () throws(StoreError) in try await context.store.channels(radio: context.radioID) }
    }

    /// The channel of that name. Throws `channelUnknown`.
    public func find(named name: String) async throws(ServiceError) -> StoredChannel {
        let found = try await storing { () throws(StoreError) in
            try await context.store.channel(named: name, radio: context.radioID)
        }
        guard let found else { throw .channelUnknown(name) }
        return found
    }

    private func readOneByOne(_ indices: [UInt8], breaker: ChannelBreaker, into findings: inout Findings) async {
        var breaker = breaker
        for index in indices {
            if breaker.isOpen {
                findings.result.failed.append(index)
                continue
            }
            do throws(RadioFailure) {
                let slot = try await read(index)
                breaker.on(slot.isConfigured ? .configured : .vacant)
                note(slot, in: &findings)
            } catch {
                breaker.on(error.isRetryable ? .timedOut : error.isLinkLoss ? .linkFailed : .refused)
                if error.isRetryable {
                    findings.result.retryable.append(index)
                } else {
                    findings.result.failed.append(index)
                }
            }
        }
    }

    /// One slot, asked up to three times when there is no answer. A radio that knows no such slot has it vacant.
    private func read(_ index: UInt8) async throws(RadioFailure) -> ChannelSlot {
        var tries = 0
        while true {
            do throws(RadioFailure) {
                return try await context.session.channel(index)
            } catch {
                if error == .device(.notFound) { return ChannelSlot(index: index, name: "", secret: Secret([])) }
                guard error == .timeout, tries < 2 else { throw error }
                let base = Duration.milliseconds(500) * (1 << tries)
                tries += 1
                let pause = context.runtime.random.draw("channel read back-off") { random in
                    random.duration(in: base - .milliseconds(100)...base + .milliseconds(100))
                }
                guard (try? await context.runtime.sleep(for: pause)) != nil else { throw .cancelled }
            }
        }
    }

    private func note(_ slot: ChannelSlot, in findings: inout Findings) {
        if slot.isConfigured {
            findings.configured.append(
                StoredChannel(radioID: context.radioID, index: slot.index, name: slot.name, secret: slot.secret))
            findings.result.configured += 1
        } else {
            findings.vacant.append(slot.index)
        }
    }

    private func save(_ findings: Findings, removing: Bool) async throws(ServiceError) {
        let (configured, vacant) = (findings.configured, removing ? findings.vacant : [])
        let known = try await list().map(\.index)
        try await storing { () throws(StoreError) in
            try await context.store.saveChannels(
                configured, vacant: vacant, radio: context.radioID, maxChannels: removing ? context.maxChannels : 256)
        }
        for channel in configured {
            context.post(
                .channelStored, ["index": FieldValue(channel.index), "name": .text(channel.name)])
        }
        for index in known where removing && (vacant.contains(index) || Int(index) >= context.maxChannels) {
            context.post(.channelRemoved, ["index": FieldValue(index)])
        }
    }
}
