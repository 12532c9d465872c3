/// When a radio takes a command and what it may answer instead of success (companion-protocol §2.1, §3, §10).
public struct CommandRules: Sendable, Hashable {
    /// Protocol version of the first release that knows the command; several came without a new version.
    public var since: UInt8
    /// Lengths of the frame, code included, that are taken; others answer like an unknown command. Nil for a command
    /// that is taken at any length and reads what is missing from the bytes of earlier ones.
    public var lengths: ClosedRange<Int>?
    /// Errors besides ERR(1) for a wrong length.
    public var errors: [DeviceErrorCode]

    public init(since: UInt8, lengths: ClosedRange<Int>?, errors: [DeviceErrorCode]) {
        self.since = since
        self.lengths = lengths
        self.errors = errors
    }
}
