internal import ScenarioRunner

/// Prints the reference of the scenario language.
enum ReferenceCommand {
    static let command = Command(
        "reference", "Prints every key, step, expectation and fault of the scenario language, as Markdown.",
        example: "meshrig reference > docs/reference.md"
    ) { _, output in
        output.write(Reference.markdown)
        return 0
    }
}
