/// What a payload holds: header bits 2–5 (mesh-protocol §1.2). Unassigned values survive.
public struct PayloadType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// 0 … 15; higher bits are cut off.
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

    public static let request = PayloadType(rawValue: 0x0)
    public static let response = PayloadType(rawValue: 0x1)
    public static let textMessage = PayloadType(rawValue: 0x2)
    public static let ack = PayloadType(rawValue: 0x3)
    public static let advert = PayloadType(rawValue: 0x4)
    public static let groupText = PayloadType(rawValue: 0x5)
    public static let groupData = PayloadType(rawValue: 0x6)
    public static let anonymousRequest = PayloadType(rawValue: 0x7)
    public static let path = PayloadType(rawValue: 0x8)
    public static let trace = PayloadType(rawValue: 0x9)
    public static let multipart = PayloadType(rawValue: 0xA)
    public static let control = PayloadType(rawValue: 0xB)
    public static let rawCustom = PayloadType(rawValue: 0xF)

    private static let names = [
        "req", "response", "txt-msg", "ack", "advert", "grp-txt", "grp-data", "anon-req", "path", "trace", "multipart",
        "control", "type-12", "type-13", "type-14", "raw-custom",
    ]

    /// MeshCore's constant name in kebab case, `type-12` … `type-14` for unassigned values.
    public var name: String { Self.names[Int(rawValue)] }
    public var description: String { name }

    /// The type with this `name`.
    public init?(name: String) {
        guard let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: UInt8(index))
    }

    /// Payload bytes below which a received packet is dropped unseen (mesh-protocol §1.8).
    public var minimumPayload: Int {
        switch self {
        case .ack, .groupText, .groupData: 4
        case .request, .response, .textMessage, .path: 5
        case .anonymousRequest: 36
        case .advert: 100
        case .multipart: 3
        default: 0
        }
    }
}
