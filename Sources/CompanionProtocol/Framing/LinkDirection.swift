/// Which way bytes travel on a companion link; each way has a start byte of its own (companion-protocol §1.2).
public enum LinkDirection: String, Sendable, Hashable, CaseIterable {
    case toRadio = "to-radio"
    case fromRadio = "from-radio"

    /// First byte of the 3-byte envelope: `<` to the radio, `>` from it.
    public var startByte: UInt8 {
        switch self {
        case .toRadio: 0x3C
        case .fromRadio: 0x3E
        }
    }
}
