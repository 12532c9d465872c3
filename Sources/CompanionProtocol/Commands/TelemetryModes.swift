/// Who may read a node's telemetry: two bits each for base, location and environment.
public struct TelemetryModes: RawRepresentable, Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// Answer to requests of one class of telemetry.
    public enum Mode: UInt8, Sendable, Hashable, CaseIterable {
        case deny = 0
        /// Contacts with the class's flag.
        case byContactFlags = 1
        case all = 2
        /// Acts like `deny`.
        case reserved = 3
    }

    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt8) { rawValue = value }
    public init(base: Mode, location: Mode, environment: Mode) {
        rawValue = base.rawValue | location.rawValue << 2 | environment.rawValue << 4
    }

    public var base: Mode { mode(shift: 0) }
    public var location: Mode { mode(shift: 2) }
    public var environment: Mode { mode(shift: 4) }

    private func mode(shift: UInt8) -> Mode { Mode(rawValue: rawValue >> shift & 3) ?? .reserved }
}
