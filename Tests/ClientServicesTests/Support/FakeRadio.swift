import CompanionProtocol
import MeshTransport
import RigBase
import RigRuntime
import Synchronization

/// The companion end of a link, answering from tables; a test changes single answers to make trouble.
final class FakeRadio: Sendable {
    /// What a test may answer to a command instead of the tables.
    enum Answer: Sendable {
        case tables
        case silence
        case frames([RadioFrame])
        case loseLink
    }

    struct State: Sendable {
        var key = [UInt8](repeating: 0x11, count: 32)
        var name = "alice"
        var model = "Simulated"
        var clockOffset: Int64 = 0
        var maxChannels: UInt8 = 4
        var contacts: [ContactRecord] = []
        var channels: [UInt8: (name: String, secret: [UInt8])] = [:]
        var queue: [RadioFrame] = []
        var privateKey: RadioFrame = .disabled(DisabledReply())
        var suggestedMillis: UInt32 = 1_000
        /// Confirms direct texts this long after SENT; nil: the far end is silent.
        var confirmsAfter: Duration?
        /// Makes a command be answered otherwise.
        var override: (@Sendable (any CompanionCommand) -> Answer)?
        var refusesConnections = false
        var log: [Entry] = []
        var connections = 0
        fileprivate var transport: FakeTransport?
    }

    struct Entry: Sendable {
        var at: SimInstant
        var command: any CompanionCommand
    }

    let state = Mutex(State())
    let runtime: Runtime
    let allowsPipelining: Bool

    init(runtime: Runtime, allowsPipelining: Bool) {
        self.runtime = runtime
        self.allowsPipelining = allowsPipelining
    }

    func makeTransport() -> any Transport { FakeTransport(radio: self) }

    func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

    /// Answers commands of one code otherwise from now on; nil: from the tables again.
    func override(_ code: CommandCode, _ answer: (@Sendable (any CompanionCommand) -> Answer)?) {
        change { state in
            let others = state.override
            state.override = { command in
                if type(of: command).code == code { return answer?(command) ?? .tables }
                return others?(command) ?? .tables
            }
        }
    }

    /// Answers commands of one code with these, one each, then from the tables again.
    func script(_ code: CommandCode, _ answers: [Answer]) {
        let left = Script(answers)
        override(code) { _ in left.next() }
    }

    // MARK: What was asked

    var log: [Entry] { state.withLock { $0.log } }

    func commands<Command: CompanionCommand>(_ type: Command.Type = Command.self) -> [Command] {
        log.compactMap { $0.command as? Command }
    }

    func times<Command: CompanionCommand>(of type: Command.Type) -> [SimInstant] {
        log.filter { $0.command is Command }.map(\.at)
    }

    var codes: [CommandCode] { log.map { type(of: $0.command).code } }
    var connections: Int { state.withLock { $0.connections } }
    func forgetLog() { change { $0.log = [] } }

    // MARK: What the radio does

    func push(_ frame: RadioFrame) { push([frame]) }

    /// Several frames in one chunk.
    func push(_ frames: [RadioFrame]) {
        state.withLock { $0.transport }?.deliver(frames.flatMap { FrameEncoder.encode($0.encoded, .fromRadio) })
    }

    func loseLink(_ reason: String = "cable out") {
        state.withLock { state -> FakeTransport? in
            defer { state.transport = nil }
            return state.transport
        }?.end(.failed(reason))
    }

    /// Puts a message into the queue and tells of it.
    func queue(_ frames: [RadioFrame], notices: Int = 1) {
        change { $0.queue += frames }
        for _ in 0..<notices { push(.messageWaiting(MessageWaitingPush())) }
    }

    fileprivate func connected(_ transport: FakeTransport) -> Bool {
        state.withLock { state in
            guard !state.refusesConnections else { return false }
            state.transport = transport
            state.connections += 1
            return true
        }
    }

    fileprivate func disconnected(_ transport: FakeTransport) {
        state.withLock { if $0.transport === transport { $0.transport = nil } }
    }

    fileprivate func receive(_ frame: [UInt8]) {
        guard case .command(let command) = AppFrame.decode(frame) else {
            return push(.error(ErrorReply(error: .unsupportedCommand)))
        }
        let override = state.withLock { state in
            state.log.append(Entry(at: runtime.now(), command: command))
            return state.override
        }
        switch override?(command) ?? .tables {
        case .silence: break
        case .frames(let frames): push(frames)
        case .loseLink: loseLink()
        case .tables:
            push(state.withLock { self.answer(command, &$0) })
            if let text = command as? SendTextCommand, let delay = state.withLock({ $0.confirmsAfter }) {
                confirm(text, after: delay)
            }
        }
    }

    func confirm(_ text: SendTextCommand, after delay: Duration = .zero) {
        let code = code(of: text)
        runtime.spawn("far end") { [self] in
            if delay > .zero { try? await runtime.sleep(for: delay) }
            push(.sendConfirmed(SendConfirmedPush(tag: code, tripTimeMillis: 321)))
        }
    }

    func code(of text: SendTextCommand) -> [UInt8] { TestAck.code(of: text, sender: state.withLock { $0.key }) }

    private func answer(_ command: any CompanionCommand, _ state: inout State) -> [RadioFrame] {
        let ok = RadioFrame.ok(OkReply())
        let notFound = RadioFrame.error(ErrorReply(error: .notFound))
        switch command {
        case is AppStartCommand: return [selfInfo(state)]
        case is DeviceQueryCommand: return [deviceInfo(state)]
        case is GetAutoAddCommand: return [.autoAdd(AutoAddReply(mask: []))]
        case is ExportPrivateKeyCommand: return [state.privateKey]
        case let listing as GetContactsCommand:
            let listed = state.contacts.filter { $0.lastModified > listing.since ?? 0 }
            return [.contactsStart(ContactsStartReply(total: UInt32(state.contacts.count)))]
                + listed.map { .contact(ContactReply($0)) }
                + [.contactsEnd(ContactsEndReply(lastModified: listed.map(\.lastModified).max() ?? 0))]
        case let asked as GetContactByKeyCommand:
            return [state.contacts.first { $0.key == asked.key }.map { .contact(ContactReply($0)) } ?? notFound]
        case let channel as GetChannelCommand:
            guard channel.index < state.maxChannels else { return [notFound] }
            let slot = state.channels[channel.index] ?? ("", [UInt8](repeating: 0, count: 16))
            return [
                .channelInfo(
                    ChannelInfoReply(index: channel.index, name: WireText(slot.name), secret: Secret(slot.secret)))
            ]
        case let set as SetChannelCommand:
            state.channels[set.index] = (set.name.string, set.secret.reveal { $0 })
            return [ok]
        case is SyncNextMessageCommand:
            return [state.queue.isEmpty ? .noMoreMessages(NoMoreMessagesReply()) : state.queue.removeFirst()]
        case is GetDeviceTimeCommand:
            return [.deviceTime(DeviceTimeReply(seconds: UInt32(Int64(runtime.wallSeconds()) + state.clockOffset)))]
        case let set as SetDeviceTimeCommand:
            state.clockOffset = Int64(set.seconds) - Int64(runtime.wallSeconds())
            return [ok]
        case let text as SendTextCommand:
            return [
                .sent(
                    SentReply(
                        floods: false, tag: TestAck.code(of: text, sender: state.key),
                        suggestedTimeoutMillis: state.suggestedMillis))
            ]
        case let reset as ResetPathCommand:
            guard let row = state.contacts.firstIndex(where: { $0.key == reset.key }) else { return [notFound] }
            state.contacts[row].pathLength = .none
            return [ok]
        case let removal as RemoveContactCommand:
            state.contacts.removeAll { $0.key == removal.key }
            return [ok]
        default: return [ok]
        }
    }

    private func selfInfo(_ state: State) -> RadioFrame {
        .selfInfo(
            SelfInfoReply(
                advertType: 1, power: 22, maxPower: 22, key: state.key, position: .zero,
                parameters: OtherParameters(
                    manualAddContacts: 0, telemetryModes: 0, advertLocationPolicy: 0, multiAcks: 0),
                radio: RadioSettings(frequencyKHz: 869_618, bandwidthHz: 62_500, spreadingFactor: 8, codingRate: 8),
                name: WireText(state.name)))
    }

    private func deviceInfo(_ state: State) -> RadioFrame {
        .deviceInfo(
            DeviceInfoReply(
                protocolVersion: 10,
                details: DeviceInfoReply.Details(
                    maxContactsHalved: 100, maxChannels: state.maxChannels, pin: 0, buildDate: "1 Jan 2026",
                    model: WireText(state.model), version: "v1.14.0", clientRepeat: 0, pathHashMode: 0)))
    }
}

/// One connection to a `FakeRadio`.
private final class FakeTransport: Transport {
    private struct State {
        var isUp = false
        var state = LinkState.down(nil)
        var chunks: AsyncStream<[UInt8]>.Continuation?
        var stream: AsyncStream<[UInt8]>?
        var watchers: [AsyncStream<LinkState>.Continuation] = []
        var decoder = SerialFirmwareDecoder()
    }

    let name = "fake radio"
    var allowsPipelining: Bool { radio.allowsPipelining }
    private let radio: FakeRadio
    private let state = Mutex(State())

    init(radio: FakeRadio) { self.radio = radio }

    func connect() async throws {
        guard radio.connected(self) else { throw TransportError.connectFailed("refused") }
        state.withLock { state in
            let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
            (state.stream, state.chunks, state.isUp) = (stream, continuation, true)
        }
        tell(.up)
    }

    func disconnect() async {
        radio.disconnected(self)
        end(.closedHere)
    }

    func write(_ bytes: [UInt8]) async throws {
        let frames = try state.withLock { state throws(TransportError) in
            guard state.isUp else { throw .notConnected }
            state.decoder.receive(bytes)
            var frames: [[UInt8]] = []
            while let frame = state.decoder.nextFrame() { frames.append(frame) }
            return frames
        }
        for frame in frames { radio.receive(frame) }
    }

    func received() async -> AsyncStream<[UInt8]> {
        state.withLock { $0.stream } ?? AsyncStream { $0.finish() }
    }

    func states() async -> AsyncStream<LinkState> {
        let (stream, continuation) = AsyncStream<LinkState>.makeStream()
        state.withLock { state in
            continuation.yield(state.state)
            state.watchers.append(continuation)
        }
        return stream
    }

    func deliver(_ bytes: [UInt8]) { state.withLock { _ = $0.chunks?.yield(bytes) } }

    func end(_ loss: LinkLoss) {
        guard
            state.withLock({ state in
                defer { state.isUp = false }
                return state.isUp
            })
        else { return }
        tell(.down(loss))
        state.withLock { state in
            state.chunks?.finish()
            state.chunks = nil
        }
    }

    private func tell(_ new: LinkState) {
        state.withLock { state in
            state.state = new
            for watcher in state.watchers { watcher.yield(new) }
        }
    }
}
