extension ScenarioDocument {
    /// The tree of one case as it runs: its parameters put in, and the keys that define them gone.
    package static func filledTree(
        of root: YAMLNode, id: String, caseID: String, settings: [(name: String, value: String)]
    ) throws(ScenarioErrors) -> YAMLNode? {
        let problems = ProblemList()
        let sets = ParameterSets(root, settings: settings, strict: false, problems)
        let row = sets.rows.first { row in caseID == (row.name.map { "\(id)[\($0)]" } ?? id) }
        let filled = row.map { sets.fill($0.values, problems) }
        try problems.throwIfAny()
        return filled.map { tree in
            let entries = (tree.mapping ?? []).filter { !["parameters", "matrix"].contains($0.key) }
            return YAMLNode(.mapping(entries), at: tree.spot).mappingScalars(escaped)
        }
    }

    /// What still looks like a parameter was escaped or came with a value, but for the number of a round, which is put in later.
    private static func escaped(_ scalar: YAMLScalar) -> YAMLScalar {
        let round = "${\(RoundNumber.name)}"
        let text = scalar.text.replacing("${", with: "$${").replacing("$" + round, with: round)
        return YAMLScalar(text, isPlain: scalar.isPlain)
    }
}
