/// What the text of a direct message is. An open set.
public struct TextType: RawRepresentable, Sendable, Hashable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let plain = TextType(rawValue: 0)
    /// A command to a server or its answer; never confirmed.
    public static let cli = TextType(rawValue: 1)
    /// A room server's post, with its author's key prefix before the text; only received.
    public static let signed = TextType(rawValue: 2)

    /// Nil for a type that MeshCore does not have.
    var knownName: String? {
        switch self {
        case .plain: "plain"
        case .cli: "command line"
        case .signed: "signed"
        default: nil
        }
    }
}
