internal import CompanionProtocol
internal import MeshCoreClient
internal import MeshTransport
internal import RigBase
internal import RigRuntime
internal import RunRecord
internal import ScenarioModel

/// A radio of a bench that is driven by the scenario and not by the client under test.
///
/// Its frames are not in the journal, where those of the client stand; what it is told and what it receives is.
actor BenchPeer {
    nonisolated let role: String
    private let session: MeshCoreSession
    private let runtime: Runtime
    /// The texts that came in since the case began; they are off the radio.
    private(set) var received: [WaitingMessage] = []
    private var channels: [ChannelInfoReply] = []

    init(_ role: String, over transport: any Transport, runtime: Runtime) {
        self.role = role
        self.runtime = runtime
        session = MeshCoreSession(transport: transport, runtime: runtime, name: role)
    }

    /// Fetches what arrives from now on.
    func listen() async {
        let arrivals = session.events.subscribe(.all, buffer: 4_096)
        runtime.spawn("\(role) listens") {
            for await event in arrivals {
                if case .frame(let frame) = event, let message = WaitingMessage(frame) { await self.arrived(message) }
            }
        }
        await session.startAutoMessageFetching()
    }

    private func arrived(_ message: WaitingMessage) {
        received.append(message)
        runtime.post(.peerMessage, role, ["text": .text(message.text), "timestamp": FieldValue(message.timestamp)])
    }

    func stop() async { await session.stop() }
    nonisolated func close() { runtime.spawn("\(role) ends") { await self.stop() } }

    /// Connects and tells the radio's public key.
    func open(at address: RadioAddress, expecting key: [UInt8]) async throws(Blocked) -> [UInt8] {
        do {
            try await session.start()
            let found = try await session.startApp().key
            guard found.starts(with: key) else {
                throw Blocked(
                    "the radio of \(role) at \(address) has the key \(Hex.encode(Array(found.prefix(6))))…, "
                        + "not \(Hex.encode(Array(key.prefix(6))))…")
            }
            return found
        } catch let blocked as Blocked {
            throw blocked
        } catch {
            throw Blocked("the radio of \(role) at \(address) does not answer: \(error)")
        }
    }

    /// Whether the radio has the contacts and channels that the world of the file gives it.
    func check(_ node: NodeDocument, _ keys: [String: [UInt8]]) async throws(Blocked) {
        do {
            let contacts = try await session.getContacts().contacts.map(\.key)
            for contact in node.contacts {
                guard case .node(let name) = contact.who, let key = keys[name] else { continue }
                guard contacts.contains(key) else {
                    throw Blocked("the radio of \(role) does not have \(name) among its contacts")
                }
            }
            let limit = try await session.queryDevice().details?.maxChannels ?? 8
            channels = try await session.getChannels(Array(0..<max(1, limit))).received.filter {
                !$0.displayName.isEmpty
            }
            for channel in node.channels where index(of: channel.name) == nil {
                throw Blocked("the radio of \(role) does not have the channel \(ChannelNames.stored(channel.name))")
            }
        } catch let blocked as Blocked {
            throw blocked
        } catch {
            throw Blocked("the radio of \(role) did not tell what it has: \(error)")
        }
    }

    private func index(of name: String) -> UInt8? {
        channels.first { $0.displayName == ChannelNames.stored(name) || "\($0.index)" == name }?.index
    }

    func say(_ message: PeerMessage, _ keys: [String: [UInt8]]) async throws {
        let timestamp = message.timestamp ?? BenchClock.unixSeconds
        runtime.post(.peerCommand, role, cause: SeamCause.current, ["text": .text(message.text)])
        switch message.target {
        case .node(let name):
            guard let key = keys[name] else { throw StepFailure("unknown-node", "no radio is known as \"\(name)\"") }
            _ = try await session.sendText(message.text, to: key, timestamp: timestamp, attempt: message.attempt)
        case .channel(let name):
            guard let index = index(of: name) else {
                throw StepFailure("unknown-channel", "\(role) has no channel \"\(name)\"")
            }
            try await session.sendChannelText(message.text, channel: index, timestamp: timestamp)
        }
    }

    func advertise(flood: Bool) async throws {
        runtime.post(.peerCommand, role, cause: SeamCause.current, ["advert": FieldValue(flood ? "flood" : "zero-hop")])
        try await session.sendAdvert(flood: flood)
    }

    func state() async throws -> RadioState {
        let contacts = try await session.getContacts().contacts.count
        return RadioState(
            contacts: contacts, queue: 0, name: await session.selfInfo?.name.string ?? role,
            channels: channels.map { (Int($0.index), $0.displayName) })
    }
}
