/// Where something stands in a file; printed as `file:line:column`, counted from 1, columns in characters.
package struct SourceSpot: Sendable, Hashable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    package var description: String { "\(file):\(line):\(column)" }
}

/// One thing that is wrong in a file, with its place and, where there is one, what to do about it.
package struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
    package var spot: SourceSpot
    package var message: String
    /// A second line for the reader, for example the keys that are known here.
    package var hint: String?

    package init(_ spot: SourceSpot, _ message: String, hint: String? = nil) {
        self.spot = spot
        self.message = message
        self.hint = hint
    }

    /// `file:line:column: message`, the hint below it and indented.
    package var description: String {
        "\(spot): \(message)" + (hint.map { "\n    " + $0 } ?? "")
    }
}

/// All that is wrong with a file (up to the limit of `ProblemList`).
package struct ScenarioErrors: Error, Sendable, Hashable, CustomStringConvertible {
    package var errors: [ScenarioError]
    /// How many more were found than are listed.
    package var omitted: Int

    package init(_ errors: [ScenarioError], omitted: Int = 0) {
        self.errors = errors
        self.omitted = omitted
    }

    package var description: String {
        let lines = errors.map(\.description) + (omitted > 0 ? ["… and \(omitted) more"] : [])
        return lines.joined(separator: "\n")
    }
}

/// Collects what is wrong while a file is read, so that its author sees all of it at once.
package final class ProblemList {
    /// More than this many are counted, not kept.
    package static let limit = 20

    package private(set) var errors: [ScenarioError] = []
    package private(set) var omitted = 0

    package init() {}

    package var isEmpty: Bool { errors.isEmpty }

    package func add(_ spot: SourceSpot, _ message: String, hint: String? = nil) {
        add(ScenarioError(spot, message, hint: hint))
    }

    package func add(_ error: ScenarioError) {
        if errors.contains(error) { return }
        if errors.count < Self.limit { errors.append(error) } else { omitted += 1 }
    }

    /// Throws everything collected so far, in the order of the file; does nothing when there is nothing.
    package func throwIfAny() throws(ScenarioErrors) {
        guard !errors.isEmpty else { return }
        let sorted = errors.enumerated().sorted { left, right in
            let a = (left.element.spot.line, left.element.spot.column, left.offset)
            let b = (right.element.spot.line, right.element.spot.column, right.offset)
            return left.element.spot.file == right.element.spot.file ? a < b : left.offset < right.offset
        }
        throw ScenarioErrors(sorted.map(\.element), omitted: omitted)
    }
}
