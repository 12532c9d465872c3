public import CompanionProtocol
internal import RigRuntime
public import RigBase

/// How a login ended when the server answered.
public enum LoginOutcome: Sendable, Hashable {
    case accepted(LoginSucceededPush)
    case refused
}

extension MeshCoreSession {
    // MARK: Login

    /// Sends one login; its result comes as an event or not at all.
    public func sendLogin(key: [UInt8], password: Secret) async throws(SessionError) -> SentReply {
        try await ask(SendLoginCommand(key: key, password: password), for: SentReply.self)
    }

    /// Logs in: sends the login again after each suggested time, at least a second, until the server answers or `limit`
    /// has passed.
    public func login(key: [UInt8], password: Secret, limit: Duration) async throws(SessionError) -> LoginOutcome {
        var limits = configuration.requests
        limits.total = limit
        limits.headroom = 1
        let answer = try await request(
            SendLoginCommand(key: key, password: password), .login(prefix: Array(key.prefix(6))), limits)
        if case .loginSucceeded(let push) = answer { return .accepted(push) }
        return .refused
    }

    public func logout(key: [UInt8]) async throws(SessionError) { try await set(LogoutCommand(key: key)) }

    public func hasConnection(key: [UInt8]) async throws(SessionError) -> Bool {
        do {
            try await set(HasConnectionCommand(key: key))
            return true
        } catch .device(.notFound) {
            return false
        }
    }

    // MARK: Sending a request without waiting for its answer

    public func sendStatusRequest(key: [UInt8]) async throws(SessionError) -> SentReply {
        try await ask(SendStatusRequestCommand(key: key), for: SentReply.self)
    }
    public func sendTelemetryRequest(key: [UInt8]) async throws(SessionError) -> SentReply {
        try await ask(SendTelemetryRequestCommand(key: key), for: SentReply.self)
    }
    public func sendBinaryRequest(key: [UInt8], _ request: [UInt8]) async throws(SessionError) -> SentReply {
        try await ask(SendBinaryRequestCommand(key: key, request: request), for: SentReply.self)
    }
    public func sendPathDiscovery(key: [UInt8]) async throws(SessionError) -> SentReply {
        try await ask(SendPathDiscoveryCommand(key: key), for: SentReply.self)
    }
    public func sendTrace(_ command: SendTracePathCommand) async throws(SessionError) -> SentReply {
        try await ask(command, for: SentReply.self)
    }

    // MARK: Requests with their answer

    /// The status of a server; rooms tell something else at the end than repeaters.
    public func requestStatus(key: [UInt8], isRoom: Bool = false) async throws(SessionError) -> NodeStatus {
        let answer = try await request(
            SendStatusRequestCommand(key: key), .status(prefix: Array(key.prefix(CompanionLimits.keyPrefixSize))))
        let blob: [UInt8]
        switch answer {
        case .statusResponse(let push): blob = push.blob
        case .binaryResponse(let push): blob = push.data
        default: blob = []
        }
        guard let status = NodeStatus(blob, isRoom: isRoom) else {
            throw .malformedReply("status of \(blob.count) bytes")
        }
        return status
    }

    public func requestTelemetry(key: [UInt8]) async throws(SessionError) -> [TelemetryRecord] {
        let answer = try await request(
            SendTelemetryRequestCommand(key: key),
            .telemetry(prefix: Array(key.prefix(CompanionLimits.keyPrefixSize))))
        switch answer {
        case .telemetryResponse(let push): return CayenneLPP.decode(push.telemetry)
        case .binaryResponse(let push): return CayenneLPP.decode(push.data)
        default: return []
        }
    }

    /// The radio's own telemetry, which comes as a push without any other reply.
    public func requestOwnTelemetry() async throws(SessionError) -> [TelemetryRecord] {
        let own: SelfInfoReply
        if let known = selfInfo { own = known } else { own = try await startApp() }
        let push = try await ask(
            SendTelemetryRequestCommand(), for: TelemetryResponsePush.self, .selfTelemetry(prefix: own.keyPrefix))
        return CayenneLPP.decode(push.telemetry)
    }

    /// Sends a binary request and gives the answer's data, maybe with zeros at its end.
    public func requestBinary(key: [UInt8], _ request: [UInt8]) async throws(SessionError) -> [UInt8] {
        Self.data(try await self.request(SendBinaryRequestCommand(key: key, request: request), .tagged))
    }

    public func requestOwnerInfo(key: [UInt8]) async throws(SessionError) -> OwnerInfo {
        OwnerInfo(try await requestBinary(key: key, [7]))
    }

    public func requestAccessList(key: [UInt8]) async throws(SessionError) -> [AccessEntry] {
        AccessEntry.list(try await requestBinary(key: key, [5, 0, 0]))
    }

    /// Sensor values between two times, both in seconds before now.
    public func requestSeries(
        key: [UInt8], from start: UInt32, to end: UInt32
    ) async throws(SessionError) -> [SensorSeries] {
        var request = ByteWriter()
        request.u8(4)
        request.u32(start)
        request.u32(end)
        request.zeros(2)
        let data = try await requestBinary(key: key, request.bytes)
        guard let list = SensorSeries.list(data) else { throw .malformedReply("series of \(data.count) bytes") }
        return list.series
    }

    /// All neighbours of a repeater, page by page with a second between two, newest first unless told otherwise.
    ///
    /// Ends with an empty page, with the last neighbour, or after 512 pages; what was read until then is given.
    public func requestNeighbours(
        key: [UInt8], order: UInt8 = 0, prefixSize: UInt8 = 6
    ) async throws(SessionError) -> NeighbourListing {
        var all = NeighbourListing(total: 0, neighbours: [])
        for page in 0..<512 {
            if page > 0 {
                do { try await runtime.sleep(for: .seconds(1)) } catch { throw .cancelled }
            }
            var request = ByteWriter()
            request.append([6, 0, 255])
            request.u16(UInt16(clamping: all.neighbours.count))
            request.append([order, prefixSize])
            request.append(randomBytes(4))
            let data = try await requestBinary(key: key, request.bytes)
            guard let listing = NeighbourListing(data, prefixSize: Int(prefixSize)) else {
                throw .malformedReply("neighbours of \(data.count) bytes")
            }
            all.total = listing.total
            all.neighbours += listing.neighbours
            if listing.neighbours.isEmpty || all.neighbours.count >= all.total { break }
        }
        return all
    }

    /// The regions a server knows. It answers only to a request by direct route, so a contact without a path is given an
    /// empty one for the time of the request.
    public func requestRegions(of contact: ContactRecord) async throws(SessionError) -> [String] {
        let isFlooded = contact.pathLength.isNone
        if isFlooded {
            var direct = AddUpdateContactCommand(contact)
            direct.pathLength = .zeroHops
            direct.path = []
            try await writeContact(direct)
        }
        let length = isFlooded ? PathLengthByte.zeroHops : contact.pathLength
        let result: Result<[UInt8], SessionError>
        do throws(SessionError) {
            result = .success(
                try await requestAnonymous(
                    key: contact.key, [1, length.rawValue] + Self.reversed(contact.path, hashSize: length.hashSize)))
        } catch {
            result = .failure(error)
        }
        if isFlooded { try await resetPath(key: contact.key) }
        let text = WireText.untilNUL(try result.get().dropFirst(4)).string
        return text.split(separator: ",").map(String.init).filter { $0 != "*" }
    }

    /// Sends an anonymous request and gives the answer's data: the server's clock (4 bytes), then the content.
    public func requestAnonymous(key: [UInt8], _ request: [UInt8]) async throws(SessionError) -> [UInt8] {
        Self.data(try await self.request(SendAnonymousRequestCommand(key: key, request: request), .tagged))
    }

    /// The paths to and from a node.
    public func discoverPath(
        key: [UInt8], limit: Duration? = nil
    ) async throws(SessionError) -> PathDiscoveryResponsePush {
        let answer = try await request(
            SendPathDiscoveryCommand(key: key), .pathDiscovery(prefix: Array(key.prefix(6))), onceWithin(limit))
        guard case .pathDiscoveryResponse(let push) = answer else { throw .malformedReply(answer.description) }
        return push
    }

    /// Sends a trace along `path` and waits for it to come back here. Tag and authentication are drawn when not given.
    public func trace(
        path: [UInt8], flags: UInt8 = 0, tag: UInt32? = nil, authentication: UInt32? = nil, limit: Duration? = nil
    ) async throws(SessionError) -> TraceDataPush {
        let command = SendTracePathCommand(
            tag: tag ?? randomNonZero(), authentication: authentication ?? randomNonZero(), flags: flags, path: path)
        let answer = try await request(command, .trace(tag: command.tag), onceWithin(limit))
        guard case .traceData(let push) = answer else { throw .malformedReply(answer.description) }
        return push
    }

    /// Asks direct neighbours to tell who they are; the answers come as events with the returned tag.
    ///
    /// `filter` has bit `1 << type` set for each wanted node type.
    public func discoverNodes(filter: UInt8, prefixOnly: Bool = true, since: UInt32? = nil) async throws(SessionError)
        -> UInt32
    {
        let tag = randomNonZero()
        var payload = ByteWriter()
        payload.append([prefixOnly ? 0x81 : 0x80, filter])
        payload.u32(tag)
        if let since { payload.u32(since) }
        try await sendControlData(payload.bytes)
        return tag
    }

    // MARK: Helpers

    private static func data(_ answer: RadioFrame) -> [UInt8] {
        if case .binaryResponse(let push) = answer { return push.data }
        return []
    }

    private static func reversed(_ path: [UInt8], hashSize: Int) -> [UInt8] {
        stride(from: path.count - hashSize, through: 0, by: -hashSize).flatMap { path[$0..<$0 + hashSize] }
    }

    private func onceWithin(_ limit: Duration?) -> Exchange.RequestLimits {
        var limits = configuration.requests
        limits.retransmitFloor = nil
        if let limit { limits.total = limit }
        return limits
    }

    private func randomBytes(_ count: Int) -> [UInt8] { runtime.random.draw("session " + name) { $0.bytes(count) } }

    private func randomNonZero() -> UInt32 {
        runtime.random.draw("session " + name) { UInt32($0.index(below: UInt64(UInt32.max))) + 1 }
    }
}
