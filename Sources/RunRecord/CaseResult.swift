/// How one expectation of a scenario ended.
public struct ExpectationResult: Sendable, Hashable {
    /// Its name in the file, or one made from what it expects.
    public var name: String
    public var verdict: Verdict
    /// What was expected, in words.
    public var expected: String
    /// What was seen instead, in words; empty when it passed.
    public var seen: String
    /// Where it stands: `file:line:column`.
    public var spot: String
    /// The last event that decided it, from which the chain of causes can be read.
    public var evidence: EventID?

    public init(
        name: String, verdict: Verdict, expected: String, seen: String = "", spot: String = "", evidence: EventID? = nil
    ) {
        self.name = name
        self.verdict = verdict
        self.expected = expected
        self.seen = seen
        self.spot = spot
        self.evidence = evidence
    }
}

/// How one case (a scenario with its parameters and a seed) ended.
public struct CaseResult: Sendable {
    /// The scenario's path below the catalogue, with its matrix row in brackets if it has one.
    public var id: String
    public var title: String
    public var tags: [String]
    public var seed: UInt64
    public var verdict: Verdict
    /// Why it is blocked, bad or broken; empty otherwise.
    public var reason: String
    public var expectations: [ExpectationResult]
    /// What came of each fault of the scenario, in the order of the file.
    public var faults: [FaultCount] = []
    /// Time that passed inside the run.
    public var virtualTime: Duration
    /// Time that passed on this machine; a host fact.
    public var hostTime: Duration
    public var eventCount: Int
    /// Digest of the journal; empty when nothing ran.
    public var digest: String
    /// The command that repeats exactly this run.
    public var replayCommand: String
    /// All that happened; nil when nothing ran.
    public var journal: Journal?

    public init(
        id: String, title: String, tags: [String] = [], seed: UInt64, verdict: Verdict, reason: String = "",
        expectations: [ExpectationResult] = [], virtualTime: Duration = .zero, hostTime: Duration = .zero,
        eventCount: Int = 0, digest: String = "", replayCommand: String = "", journal: Journal? = nil
    ) {
        self.id = id
        self.title = title
        self.tags = tags
        self.seed = seed
        self.verdict = verdict
        self.reason = reason
        self.expectations = expectations
        self.virtualTime = virtualTime
        self.hostTime = hostTime
        self.eventCount = eventCount
        self.digest = digest
        self.replayCommand = replayCommand
        self.journal = journal
    }

    /// The expectations that did not pass, in the order of the file.
    public var failures: [ExpectationResult] { expectations.filter { $0.verdict != .passed } }
}

extension Verdict {
    /// The exit code of a run of many cases: broken before bad before failed; blocked counts only when nothing else failed
    /// and everything was blocked, or when `strict`.
    public static func exitCode(of verdicts: [Verdict], strict: Bool = false) -> Int32 {
        if verdicts.contains(.broken) { return Verdict.broken.exitCode }
        if verdicts.contains(.bad) { return Verdict.bad.exitCode }
        if verdicts.contains(where: { $0 == .failed || $0 == .dead }) { return Verdict.failed.exitCode }
        let blocked = verdicts.count { $0 == .blocked }
        if blocked > 0, strict || blocked == verdicts.count { return Verdict.blocked.exitCode }
        return 0
    }
}
