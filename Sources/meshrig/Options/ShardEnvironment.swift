/// Which part of the work this process has, as told by what started it.
struct ShardEnvironment {
    /// What an environment variable says; nil when it is not set.
    var lookup: (String) -> String?

    /// A system that starts the same job several times, each with a number.
    private struct Source {
        var name: String
        var index: String
        /// Nil where only the command line can tell.
        var total: String?
        var first: Int
    }

    private static let sources = [
        Source(name: "GitLab CI", index: "CI_NODE_INDEX", total: "CI_NODE_TOTAL", first: 1),
        Source(name: "CircleCI", index: "CIRCLE_NODE_INDEX", total: "CIRCLE_NODE_TOTAL", first: 0),
        Source(name: "Buildkite", index: "BUILDKITE_PARALLEL_JOB", total: "BUILDKITE_PARALLEL_JOB_COUNT", first: 0),
        Source(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", total: nil, first: 0),
    ]

    /// The part, and who told it. `count` is that of `--shard-count`, which wins over what the environment says.
    func part(count: Int?) throws(UsageError) -> (part: Int, count: Int, source: String) {
        if lookup("SLURM_ARRAY_TASK_ID") != nil { return try slurm(count) }
        for source in Self.sources {
            guard let text = lookup(source.index) else { continue }
            let index = try number(source.index, text)
            var total = count
            if total == nil, let name = source.total { total = try number(name) }
            guard let total else {
                throw UsageError(
                    source.total.map { "--shard auto: \(source.index) is set but \($0) is not" }
                        ?? "--shard auto: \(source.name) does not say how many jobs there are; say it with --shard-count N"
                )
            }
            return try checked(index - source.first, of: total, source.name)
        }
        throw UsageError(
            "--shard auto: nothing in the environment tells the part; known are SLURM_ARRAY_TASK_ID, "
                + Self.sources.map(\.index).joined(separator: ", ") + "; or say --shard I/N")
    }

    /// Task ids of a Slurm array begin anywhere and may have steps between them.
    private func slurm(_ count: Int?) throws(UsageError) -> (part: Int, count: Int, source: String) {
        let id = try number("SLURM_ARRAY_TASK_ID", or: 0)
        let first = try number("SLURM_ARRAY_TASK_MIN", or: 0)
        let step = max(1, try number("SLURM_ARRAY_TASK_STEP", or: 1))
        let told = try number("SLURM_ARRAY_TASK_COUNT")
        guard let total = count ?? told else {
            throw UsageError("--shard auto: SLURM_ARRAY_TASK_COUNT is not set; say --shard-count N")
        }
        guard (id - first) % step == 0 else {
            throw UsageError("--shard auto: task \(id) is none of an array that begins at \(first) in steps of \(step)")
        }
        return try checked((id - first) / step, of: total, "Slurm")
    }

    private func checked(
        _ index: Int, of total: Int, _ source: String
    ) throws(UsageError) -> (part: Int, count: Int, source: String) {
        guard (1...10_000).contains(total), (0..<total).contains(index) else {
            throw UsageError(
                "--shard auto: \(source) says this is job \(index) (counted from 0) of \(total), which cannot be")
        }
        return (index + 1, total, source)
    }

    private func number(_ name: String) throws(UsageError) -> Int? {
        guard let text = lookup(name) else { return nil }
        return try number(name, text)
    }

    private func number(_ name: String, or standard: Int) throws(UsageError) -> Int {
        guard let text = lookup(name) else { return standard }
        return try number(name, text)
    }

    private func number(_ name: String, _ text: String) throws(UsageError) -> Int {
        guard let number = Int(text), (0...1_000_000_000).contains(number) else {
            throw UsageError("--shard auto: \(name) is \"\(text)\", which is no number")
        }
        return number
    }
}
