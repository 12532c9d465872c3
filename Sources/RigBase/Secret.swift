/// Bytes that must never be printed: keys, passwords, PINs. Every textual form of it is a fixed mark.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    public init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    public init(utf8 text: String) { self.bytes = Array(text.utf8) }

    public var count: Int { bytes.count }
    public var isEmpty: Bool { bytes.isEmpty }

    /// Hands the bytes to the one place that needs them. What the closure returns must not be logged.
    public func reveal<Result, Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Result) throws(Failure) -> Result {
        try body(bytes)
    }

    public var description: String { "<secret>" }
    public var debugDescription: String { "<secret>" }
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
