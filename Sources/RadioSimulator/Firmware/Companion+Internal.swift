internal import CompanionProtocol
internal import RigBase
internal import RunRecord

/// Commands from inside the world: a companion acts as if its app had asked.
extension Companion {
    func enqueueInternal(_ frame: [UInt8], cause: EventID?) {
        internalCommands.append(InternalCommand(bytes: frame, from: node.world.millisecond + 1, cause: cause))
    }

    /// Runs one such command; its answers go to the journal.
    func run(_ internalCommand: InternalCommand) {
        node.cause = internalCommand.cause
        internalAnswers = []
        handle(internalCommand.bytes)
        let answers = internalAnswers ?? []
        internalAnswers = nil
        if internalCommand.bytes.first == CommandCode.syncNextMessage.rawValue {
            fetched(answers)
        } else {
            node.post(
                .peerCommand,
                [
                    "code": FieldValue(internalCommand.bytes.first ?? 0),
                    "answers": .list(answers.map { .bytes($0) }),
                ])
        }
    }

    /// An autonomous companion asks for its messages as soon as one waits.
    func fetchForItself() {
        guard !internalCommands.contains(where: { $0.bytes == [CommandCode.syncNextMessage.rawValue] }) else { return }
        internalCommands.append(
            InternalCommand(
                bytes: [CommandCode.syncNextMessage.rawValue], from: node.now + 1, cause: node.cause))
    }

    private func fetched(_ answers: [[UInt8]]) {
        guard let frame = answers.first, frame.first != RadioCode.noMoreMessages.rawValue else { return }
        let event = node.post(.peerMessage, ["frame": .bytes(frame)])
        if !node.world.behaviours.isEmpty { node.world.fetched(frame, by: node, event) }
        if !offlineQueue.isEmpty { fetchForItself() }
    }
}
