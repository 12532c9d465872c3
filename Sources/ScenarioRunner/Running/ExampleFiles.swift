internal import ScenarioModel

/// Where the catalogue shows a part of the language: one file for each verb, expectation, fault and option.
///
/// Names are paths below `Scenarios/examples` without their ending.
package enum ExampleFiles {
    package static func step(_ verb: String) -> String { "steps/" + verb }

    /// Of a keyword, of a key beside it, or of a list such as `never`.
    package static func expectation(_ keyword: String) -> String { "expectations/" + keyword }

    /// Of an option of the file, or of a key beside a verb.
    package static func option(_ key: String) -> String { "language/" + key }

    package static func script(_ key: String) -> String { "neighbours/" + key }

    package static func model(_ key: String) -> String { "links/" + key }

    /// Actions that several seams know are told apart: `drop-frame` at the host link, `link-drop` on the air.
    package static func fault(_ kind: FaultKind) -> String {
        let isShared = FaultCatalog.all.contains { $0.keyword == kind.keyword && $0.seam != kind.seam }
        return switch kind.seam {
        case .link: "faults/link-" + kind.keyword
        case .frames where isShared: "faults/" + kind.keyword + "-frame"
        case .bytes, .frames, .node, .firmware: "faults/" + kind.keyword
        }
    }

    /// A line for the reference, which lies in `docs`.
    static func link(to name: String) -> String {
        "\nExample: [\(name)](../Scenarios/examples/\(name).yaml).\n"
    }
}
