internal import RigBase

/// What the client's store holds of its radio when a run begins, as if it had been connected before.
package struct StoredStateDocument: Sendable, Hashable {
    /// A message of an earlier connection.
    package struct Message: Sendable, Hashable {
        package var from: String?
        package var to: String?
        package var channel: String?
        package var sender: String?
        package var text: String
        package var status: String?
        /// How long before the run's beginning.
        package var age: Duration
        package var isRead: Bool
        /// Waits in the queue of what is to be sent.
        package var isPending: Bool
        package var spot: SourceSpot
    }

    package var contacts: [ContactDocument]
    package var channels: [ChannelDocument]
    package var messages: [Message]
    /// The radio's time up to which contacts are known.
    package var syncMark: UInt32?

    package static let statuses = ["pending", "sending", "sent", "delivered", "failed", "retrying"]

    package static let messageShape = ShapeDescriptor(
        "a stored message",
        [
            FieldDescriptor("from", .text, "the contact it came from"),
            FieldDescriptor("to", .text, "the contact it went to"),
            FieldDescriptor("channel", .text, "the channel it belongs to, by name or slot"),
            FieldDescriptor("sender", .text, "on a channel: who sent it; it went out from here when missing"),
            FieldDescriptor("text", .text, "what it says", required: true),
            FieldDescriptor("status", .choice(statuses), "of one that went out", default: "delivered"),
            FieldDescriptor("age", .duration, "how long ago it was", default: "1h"),
            FieldDescriptor("read", .bool, "whether its user has seen it", default: "true"),
            FieldDescriptor("pending", .bool, "waits in the queue of what is to be sent", default: "false"),
        ])

    package static let shape = ShapeDescriptor(
        "stored state",
        [
            FieldDescriptor("contacts", .list(.shape(ContactDocument.shape)), "contacts it knows, as a node's"),
            FieldDescriptor("channels", .list(.shape(ChannelDocument.shape)), "channels it knows, as a node's"),
            FieldDescriptor("messages", .list(.shape(messageShape)), "messages it has"),
            FieldDescriptor(
                "sync-mark", .integer(0...Int(UInt32.max)), "the radio's time up to which it knows the contacts"),
        ])

    static func read(_ reader: MappingReader, of role: String, among names: [String]) -> StoredStateDocument {
        StoredStateDocument(
            contacts: reader.nestedList("contacts").compactMap { ContactDocument.read($0, of: role, among: names) },
            channels: reader.nestedList("channels").compactMap { ChannelDocument.read($0) },
            messages: reader.nestedList("messages").compactMap(message),
            syncMark: reader.integer("sync-mark").map { UInt32($0) })
    }

    private static func message(_ reader: MappingReader) -> Message? {
        let ends = ["from", "to", "channel"].filter(reader.has)
        if ends.count != 1 { reader.problems.add(reader.spot, "a stored message needs one of: from, to, channel") }
        guard let text = reader.text("text") else { return nil }
        return Message(
            from: reader.text("from"), to: reader.text("to"), channel: reader.text("channel"),
            sender: reader.text("sender"), text: text, status: reader.text("status"),
            age: reader.duration("age") ?? .seconds(3600), isRead: reader.bool("read") ?? true,
            isPending: reader.bool("pending") ?? false, spot: reader.spot)
    }
}
