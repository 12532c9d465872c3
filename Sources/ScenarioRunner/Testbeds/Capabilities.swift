internal import ScenarioModel

/// What a scenario may require of its testbed, and what the simulated one has.
enum Capabilities {
    /// What every simulated world has.
    private static let simulated = ["simulator", "virtual-time", "transmit", "power-switch"]
    /// What only a bench has.
    private static let bench = ["radio", "kiss-modem"]
    private static let radioCount = "radios>="

    /// Every word that means something, for the reference.
    static var known: [String] { simulated + bench + [radioCount + "N"] }

    /// Why the scenario cannot run on the simulator; nil when it can. A word that means nothing is an error of the file.
    static func missing(for scenario: ScenarioDocument) throws(ScenarioErrors) -> String? {
        let problems = ProblemList()
        var missing: [String] = []
        let companions = scenario.world.nodes.count { $0.role == .companion }
        for wanted in scenario.requires {
            if wanted.name.hasPrefix(radioCount) {
                guard let count = Int(wanted.name.dropFirst(radioCount.count)) else {
                    problems.add(wanted.spot, "\(radioCount) takes a number, as in \(radioCount)2")
                    continue
                }
                if companions < count { missing.append(wanted.name) }
            } else if bench.contains(wanted.name) {
                missing.append(wanted.name)
            } else {
                wanted.check(among: simulated + bench + [radioCount + "2"], what: "capability", problems)
            }
        }
        try problems.throwIfAny()
        return missing.isEmpty ? nil : "the simulator has no " + missing.joined(separator: ", ")
    }
}
