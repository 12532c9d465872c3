public import CompanionProtocol

/// The ways to ask that all operations are made of.
extension MeshCoreSession {
    /// Writes a command after checking it and gives the frame that answers it.
    func reply(
        _ command: some CompanionCommand, _ matcher: ReplyMatcher, timeout: Duration? = nil
    ) async throws(SessionError) -> RadioFrame? {
        let frame = try Self.checked(command)
        let outcome = try await perform(
            .single(frame: frame, matcher, timeout: timeout ?? configuration.timeout))
        if case .reply(let frame) = outcome { return frame }
        return nil
    }

    /// A command that is answered by OK.
    func set(_ command: some CompanionCommand) async throws(SessionError) {
        if case .disabled = try await reply(command, matcher(of: type(of: command).replies)) { throw .disabled }
    }

    /// A command that is answered by one kind of frame.
    func ask<Payload: RadioPayload>(
        _ command: some CompanionCommand, for type: Payload.Type, _ matcher: ReplyMatcher? = nil,
        timeout: Duration? = nil
    ) async throws(SessionError) -> Payload {
        let frame = try await reply(command, matcher ?? .codes(Payload.codes), timeout: timeout)
        guard let payload = frame?.payload as? Payload else {
            throw .malformedReply("\(frame?.description ?? "nothing") for \(Payload.self)")
        }
        return payload
    }

    /// Any command but a contact listing, with its own kinds of answer; nil for one that is never answered.
    public func send(_ command: any CompanionCommand, timeout: Duration? = nil) async throws(SessionError)
        -> RadioFrame?
    {
        try await sendAny(command, timeout: timeout)
    }

    private func sendAny<Command: CompanionCommand>(
        _ command: Command, timeout: Duration?
    ) async throws(SessionError) -> RadioFrame? {
        switch command {
        case is GetContactsCommand: throw .invalidArgument("a contact listing has an operation of its own")
        case let command as GetContactByKeyCommand:
            return try await reply(command, .contact(key: command.key), timeout: timeout)
        case let command as GetChannelCommand:
            return try await reply(command, .channel(command.index), timeout: timeout)
        case let command as GetStatisticsCommand:
            return try await reply(command, .statistics(command.kind), timeout: timeout)
        case let command as ExportContactCommand:
            return try await reply(command, .exportedContact(key: command.key), timeout: timeout)
        case let command as SendTelemetryRequestCommand where command.key == nil:
            return try await reply(command, .selfTelemetry(prefix: selfInfo?.keyPrefix ?? []), timeout: timeout)
        default:
            guard !Command.replies.isEmpty else {
                _ = try await perform(.unanswered(frame: try Self.checked(command)))
                return nil
            }
            return try await reply(command, matcher(of: Command.replies), timeout: timeout)
        }
    }

    /// Writes bytes as one frame, whatever they are, and waits for nothing.
    public func sendFrame(_ bytes: [UInt8]) async throws(SessionError) {
        _ = try await perform(.unanswered(frame: bytes))
    }

    /// A request to another node, repeated until its answer comes.
    func request(
        _ command: some CompanionCommand, _ answer: Exchange.NodeAnswer, _ limits: Exchange.RequestLimits? = nil
    ) async throws(SessionError) -> RadioFrame {
        let frame = try Self.checked(command)
        let outcome = try await perform(.request(frame: frame, answer, limits ?? configuration.requests))
        guard case .reply(let reply) = outcome else { throw .malformedReply("\(outcome)") }
        return reply
    }

    func matcher(of replies: [RadioCode]) -> ReplyMatcher { replies == [.ok] ? .ok : .codes(replies) }

    static func checked(_ command: some CompanionCommand) throws(SessionError) -> [UInt8] {
        do throws(FieldLimitError) {
            return try command.checkedEncoding()
        } catch {
            throw .invalidArgument(error.description)
        }
    }
}
