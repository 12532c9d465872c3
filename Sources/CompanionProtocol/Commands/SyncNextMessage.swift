/// Takes the oldest waiting message off the radio; a reply that gets lost is lost for good (§3.48).
public struct SyncNextMessageCommand: BareCommand {
    public static let code = CommandCode.syncNextMessage
    public static let rules = CommandRules(since: 1, lengths: 1...CompanionLimits.maxFrameSize, errors: [])
    public static let replies: [RadioCode] = [
        .directMessage, .channelMessage, .directMessageV3, .channelMessageV3, .channelData, .noMoreMessages,
    ]
    public init() {}
}
