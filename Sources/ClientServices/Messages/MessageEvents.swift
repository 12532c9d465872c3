public import ClientStore
public import RigBase

/// What becomes of a sent message, for whoever shows it.
public enum MessageEvent: Sendable, Hashable {
    /// A new status. The trip time is the radio's own, in milliseconds, and only there when it told one.
    case status(MessageID, MessageStatus, tripTimeMillis: UInt32?)
    /// Attempt `attempt` of `of` found no confirmation; the next one goes out.
    case retrying(MessageID, attempt: Int, of: Int)
    /// A message was sent again on its user's wish.
    case resent(MessageID)
    /// The radio's path to a contact changed while a message was sent.
    case routingChanged(contact: UUID128, isFlood: Bool)
}
