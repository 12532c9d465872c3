internal import CompanionProtocol

extension CommandHandler {
    /// SYNC_NEXT_MESSAGE (companion-protocol §3.48): what is returned is gone.
    static let syncNextMessage = CommandHandler(.syncNextMessage) { companion in
        guard !companion.offlineQueue.isEmpty else {
            companion.reply(.noMoreMessages) { _ in }
            return true
        }
        let message = companion.offlineQueue[0]
        if !companion.profile.quirks.keepsFetchedMessages { companion.offlineQueue.removeFirst() }
        companion.out.begin(message.frame[0])
        companion.out.append(message.frame[1...])
        // What the answer holds came of the message's arrival; that it was asked for is seen from the command before it.
        let command = companion.node.cause
        companion.node.cause = message.cause ?? command
        companion.writeOut()
        companion.node.cause = command
        return true
    }
}
