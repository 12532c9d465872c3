public import RigBase

/// One configured channel slot of a radio.
public struct StoredChannel: Sendable, Hashable {
    public var radioID: UUID128
    public var index: UInt8
    public var name: String
    /// 16 bytes.
    public var secret: Secret
    public var isMuted: Bool
    public var lastMessage: UInt32?
    public var unread: Int
    public var mentions: Int

    public init(
        radioID: UUID128, index: UInt8, name: String, secret: Secret, isMuted: Bool = false, lastMessage: UInt32? = nil,
        unread: Int = 0, mentions: Int = 0
    ) {
        self.radioID = radioID
        self.index = index
        self.name = name
        self.secret = secret
        self.isMuted = isMuted
        self.lastMessage = lastMessage
        self.unread = unread
        self.mentions = mentions
    }
}
