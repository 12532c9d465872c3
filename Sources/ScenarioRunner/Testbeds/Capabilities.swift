internal import ScenarioModel

/// What a scenario may require of its testbed, and what the simulated one has.
enum Capabilities {
    /// What every simulated world has.
    private static let simulated = ["simulator", "virtual-time", "transmit", "power-switch"]
    /// What only a bench has.
    private static let bench = ["radio", "kiss-modem"]
    /// What a bench of radios has that are reached over TCP or a terminal.
    private static let benchHas = ["radio", "transmit"]
    private static let radioCount = "radios>="

    /// Every word that means something, for the reference.
    static var known: [String] { simulated + bench + [radioCount + "N"] }

    /// Why the scenario cannot run there, on the simulator when no bench is given; nil when it can. A word that means
    /// nothing is an error of the file.
    static func missing(
        for scenario: ScenarioDocument, on bench: TestbedDocument? = nil
    ) throws(ScenarioErrors) -> String? {
        let problems = ProblemList()
        var missing: [String] = []
        let companions = scenario.world.nodes.filter { $0.role == .companion }
        let radios = companions.count { node in bench.map { $0[node.name] != nil } ?? true }
        for wanted in scenario.requires {
            if wanted.name.hasPrefix(radioCount) {
                guard let count = Int(wanted.name.dropFirst(radioCount.count)) else {
                    problems.add(wanted.spot, "\(radioCount) takes a number, as in \(radioCount)2")
                    continue
                }
                if radios < count { missing.append(wanted.name) }
            } else {
                wanted.check(among: known.dropLast() + [radioCount + "2"], what: "capability", problems)
                if !(bench == nil ? simulated : benchHas).contains(wanted.name) { missing.append(wanted.name) }
            }
        }
        try problems.throwIfAny()
        return missing.isEmpty ? nil : "\(bench?.file ?? "the simulator") has no " + missing.joined(separator: ", ")
    }
}
