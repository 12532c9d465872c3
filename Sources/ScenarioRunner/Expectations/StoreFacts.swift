internal import ClientStore
internal import RigBase
internal import RigCrypto
internal import ScenarioModel

/// The client's store in short.
enum StoreFacts {
    /// The names of the values, in order.
    static let names = [
        "contacts", "channels", "messages", "unread", "mentions", "awaited", "pending", "sync-mark", "digest",
    ]

    /// Counts, and a digest of all contacts, channels and messages without the store's own identifiers.
    static func values(of store: PersistenceStore, radio: UUID128) async -> [NamedValue] {
        let contacts = (try? await store.contacts(radio: radio)) ?? []
        let channels = (try? await store.channels(radio: radio)) ?? []
        let messages = (try? await store.messages(radio: radio)) ?? []
        let awaited = (try? await store.awaited(radio: radio)) ?? []
        let pending = (try? await store.pendingSends(radio: radio)) ?? []
        let mark = (try? await store.device(radio))??.lastContactSync ?? 0
        var lines = contacts.map { contact in
            "contact \(Hex.encode(contact.key)) \(contact.name) " + text(contact.values)
        }
        lines += channels.map { "channel \($0.name) " + text($0.values) }
        lines += messages.map { message in
            "message \(message.text) \(message.direction) " + text(message.values)
        }
        let digest = Hex.encode(Digest.sha256(Array(lines.joined(separator: "\n").utf8)).prefix(8))
        let unread = contacts.reduce(0) { $0 + $1.unread } + channels.reduce(0) { $0 + $1.unread }
        let mentions = contacts.reduce(0) { $0 + $1.mentions } + channels.reduce(0) { $0 + $1.mentions }
        let counts = [contacts.count, channels.count, messages.count, unread, mentions, awaited.count, pending.count]
        return zip(names, counts.map(String.init) + ["\(mark)", digest]).map { NamedValue($0, $1) }
    }

    private static func text(_ values: [NamedValue]) -> String {
        values.map { $0.name + "=" + $0.value }.joined(separator: " ")
    }
}

extension StoredContact {
    static let valueNames = [
        "name", "key", "type", "favourite", "blocked", "muted", "hops", "path", "last-advert", "latitude", "longitude",
        "modified", "unread", "mentions",
    ]

    /// What conditions can be about.
    var values: [NamedValue] {
        let types = ["none", "chat", "repeater", "room", "sensor"]
        let hops = fields.pathLength == 0xFF ? -1 : Int(fields.pathLength & 0x3F)
        return [
            NamedValue("name", name), NamedValue("key", Hex.encode(key)),
            NamedValue("type", types.indices.contains(Int(fields.type)) ? types[Int(fields.type)] : "\(fields.type)"),
            NamedValue("favourite", "\(isFavourite)"), NamedValue("blocked", "\(isBlocked)"),
            NamedValue("muted", "\(isMuted)"), NamedValue("hops", "\(hops)"),
            NamedValue("path", Hex.encode(fields.path)), NamedValue("last-advert", "\(fields.lastAdvert)"),
            NamedValue("latitude", ScalarText.decimalText(Int(fields.latitude), places: 6)),
            NamedValue("longitude", ScalarText.decimalText(Int(fields.longitude), places: 6)),
            NamedValue("modified", "\(fields.modified)"), NamedValue("unread", "\(unread)"),
            NamedValue("mentions", "\(mentions)"),
        ]
    }
}

extension StoredChannel {
    static let valueNames = ["slot", "name", "muted", "unread", "mentions"]

    /// What conditions can be about; never the secret.
    var values: [NamedValue] {
        [
            NamedValue("slot", "\(index)"), NamedValue("name", name), NamedValue("muted", "\(isMuted)"),
            NamedValue("unread", "\(unread)"), NamedValue("mentions", "\(mentions)"),
        ]
    }
}

extension StoredMessage {
    static let valueNames = [
        "status", "timestamp", "send-count", "attempt", "read", "mention", "text-type", "original-timestamp", "hops",
        "snr", "trip-time",
    ]

    /// What conditions can be about.
    var values: [NamedValue] {
        var values = [
            NamedValue("status", "\(status)"), NamedValue("timestamp", "\(timestamp)"),
            NamedValue("send-count", "\(sendCount)"), NamedValue("attempt", "\(retryAttempt)"),
            NamedValue("read", "\(isRead)"), NamedValue("mention", "\(containsMention)"),
            NamedValue("text-type", "\(textType)"),
        ]
        if let originalTimestamp { values.append(NamedValue("original-timestamp", "\(originalTimestamp)")) }
        if let pathLength { values.append(NamedValue("hops", pathLength == 0xFF ? "-1" : "\(pathLength & 0x3F)")) }
        if let snrQuarterDB {
            values.append(NamedValue("snr", ScalarText.decimalText(Int(snrQuarterDB) * 25, places: 2)))
        }
        if let tripTimeMillis { values.append(NamedValue("trip-time", "\(tripTimeMillis)")) }
        return values
    }
}
