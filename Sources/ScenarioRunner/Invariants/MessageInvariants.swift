internal import CompanionProtocol
internal import RigBase
internal import RunRecord

/// What was delivered stays delivered, and what has failed only begins anew.
struct StatusInvariant: Invariant {
    static let name = "status-never-goes-back"
    static let requirement = "a delivered message stays delivered, a failed one is only begun anew"

    private var last: [String: String] = [:]

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        guard event.kind == .messageStatus, case .text(let id)? = event["id"], case .text(let status)? = event["status"]
        else { return nil }
        defer { last[id] = status }
        switch last[id] {
        case "delivered" where status != "delivered": return "message \(id) went from delivered to \(status)"
        case "failed" where status != "failed" && status != "pending":
            return "message \(id) went from failed to \(status)"
        default: return nil
        }
    }
}

/// The user sees a message once, however often it arrives.
struct SingleDeliveryInvariant: Invariant {
    static let name = "shown-once"
    static let requirement = "no received message is stored twice"

    private var seen: Set<[String]> = []

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        guard event.kind == .messageStored, event["direction"] == .text("incoming") else { return nil }
        let key = ["contact", "channel", "sender", "timestamp", "text"].map { event[$0]?.plainText ?? "" }
        return seen.insert([event.subject] + key).inserted ? nil : "\"\(key[4])\" was stored twice"
    }
}

/// Delivered means that the radio said so.
struct ConfirmationInvariant: Invariant {
    static let name = "delivered-means-confirmed"
    static let requirement = "no more messages are delivered than the radio confirmed"

    private var confirmations = 0
    private var delivered: Set<String> = []

    mutating func observe(_ event: RunEvent, in journal: Journal) -> String? {
        if event.kind == .frameFromRadio, event["code"] == .int(Int64(RadioCode.sendConfirmed.rawValue)) {
            confirmations += 1
        }
        guard event.kind == .messageStatus, event["status"] == .text("delivered"), case .text(let id)? = event["id"]
        else { return nil }
        delivered.insert(id)
        return delivered.count > confirmations ? "message \(id) was delivered without a confirmation" : nil
    }
}
