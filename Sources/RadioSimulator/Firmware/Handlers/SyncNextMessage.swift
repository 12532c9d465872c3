internal import CompanionProtocol

extension CommandHandler {
    /// SYNC_NEXT_MESSAGE (companion-protocol §3.48): what is returned is gone.
    static let syncNextMessage = CommandHandler(.syncNextMessage) { companion in
        guard !companion.offlineQueue.isEmpty else {
            companion.reply(.noMoreMessages) { _ in }
            return true
        }
        let frame = companion.offlineQueue[0]
        if !companion.profile.quirks.keepsFetchedMessages { companion.offlineQueue.removeFirst() }
        companion.out.begin(frame[0])
        companion.out.append(frame[1...])
        companion.writeOut()
        return true
    }
}
