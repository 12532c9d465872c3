/// How a packet travels: header bits 0–1 (mesh-protocol §1.2).
public enum RouteType: UInt8, Sendable, CaseIterable, CustomStringConvertible {
    /// Flood within a region, named by transport codes.
    case transportFlood = 0
    case flood = 1
    /// Along the path the packet carries; an empty path reaches direct neighbours only.
    case direct = 2
    case transportDirect = 3

    public var isFlood: Bool { self == .flood || self == .transportFlood }
    public var isDirect: Bool { !isFlood }
    /// Whether transport codes follow the header.
    public var isScoped: Bool { self == .transportFlood || self == .transportDirect }

    public var description: String {
        switch self {
        case .transportFlood: "transport-flood"
        case .flood: "flood"
        case .direct: "direct"
        case .transportDirect: "transport-direct"
        }
    }
}
