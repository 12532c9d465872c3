internal import RigBase
internal import Synchronization

/// A report could not be written in full.
struct WriteFailure: Error, CustomStringConvertible {
    var description: String
}

extension UsageError {
    /// `unknown defect "x"; did you mean "y"?` and what there is.
    static func unknown(_ what: String, _ name: String, among known: [String]) -> UsageError {
        let nearest = Nearest.name(to: name, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        return UsageError(
            "unknown \(what) \"\(name)\"\(nearest)\n    known \(what)s: " + known.joined(separator: ", "))
    }
}

/// Counts from 1, from any thread.
final class CaseCounter: Sendable {
    private let value = Atomic<Int>(0)
    func next() -> Int { value.add(1, ordering: .relaxed).newValue }
}

extension Duration {
    /// Seconds with two decimals.
    var formattedSeconds: String {
        let hundredths = wholeMilliseconds / 10
        let fraction = String(hundredths % 100)
        return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
    }
}
