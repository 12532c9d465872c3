internal import ScenarioModel
internal import ScenarioRunner

/// What a command line says about running on radios instead of the simulator.
struct Bench {
    var testbed: TestbedDocument
    var consent: BenchConsent
    /// The same again, as words of a command line.
    var words: String

    /// Nil when the simulator is meant.
    init?(_ arguments: Arguments) throws {
        let consent = BenchConsent(
            transmits: arguments.flag("--allow-transmit"), changesRadios: arguments.flag("--allow-destructive"))
        guard let path = arguments.text("--testbed") else {
            if consent != BenchConsent() { throw UsageError("--allow-… is for radios; name them with --testbed FILE") }
            return nil
        }
        if arguments.flag("--check-determinism") {
            throw UsageError("--check-determinism is for the simulator; no two runs on radios are alike")
        }
        if (arguments.number("--jobs") ?? 1) > 1 {
            throw UsageError("--jobs \(arguments.number("--jobs") ?? 1): radios take one case at a time")
        }
        testbed = try TestbedDocument(try ScenarioFolder.node(at: path), file: path)
        self.consent = consent
        words = " --testbed " + ShellWord.quoted(path)
        if consent.transmits { words += " --allow-transmit" }
        if consent.changesRadios { words += " --allow-destructive" }
    }
}
