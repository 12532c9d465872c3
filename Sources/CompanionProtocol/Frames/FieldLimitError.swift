/// A value a user gave that does not fit the frame it is meant for.
public enum FieldLimitError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A field of exactly `expected` bytes was given `got`.
    case wrongSize(field: String, expected: Int, got: Int)
    case tooLong(field: String, limit: Int, got: Int)
    case empty(field: String)
    case outOfRange(field: String, value: Int64, allowed: ClosedRange<Int64>)
    /// The finished frame is longer than a radio takes.
    case frameTooLong(Int)

    public var description: String {
        switch self {
        case .wrongSize(let field, let expected, let got): "\(field) must have \(expected) bytes, not \(got)"
        case .tooLong(let field, let limit, let got): "\(field) may have \(limit) bytes at most, not \(got)"
        case .empty(let field): "\(field) must not be empty"
        case .outOfRange(let field, let value, let allowed):
            "\(field) must be \(allowed.lowerBound) to \(allowed.upperBound), not \(value)"
        case .frameTooLong(let count): "the frame would have \(count) bytes, \(CompanionLimits.maxFrameSize) at most"
        }
    }
}

/// The checks that commands share.
enum FieldLimit {
    static func exactly(_ expected: Int, _ bytes: [UInt8], _ field: String) throws(FieldLimitError) {
        guard bytes.count == expected else {
            throw .wrongSize(field: field, expected: expected, got: bytes.count)
        }
    }

    static func key(_ bytes: [UInt8], _ field: String = "key") throws(FieldLimitError) {
        try exactly(CompanionLimits.publicKeySize, bytes, field)
    }

    static func atMost(_ limit: Int, _ count: Int, _ field: String) throws(FieldLimitError) {
        guard count <= limit else { throw .tooLong(field: field, limit: limit, got: count) }
    }

    static func some(_ isEmpty: Bool, _ field: String) throws(FieldLimitError) {
        if isEmpty { throw .empty(field: field) }
    }

    static func range(_ value: some BinaryInteger, _ allowed: ClosedRange<Int64>, _ field: String)
        throws(FieldLimitError)
    {
        guard allowed.contains(Int64(value)) else {
            throw .outOfRange(field: field, value: Int64(value), allowed: allowed)
        }
    }
}
