import Testing

@testable import meshrig

@Suite struct ShardEnvironmentTests {
    private func part(_ variables: [String: String], count: Int? = nil) throws(UsageError) -> String {
        let found = try ShardEnvironment(lookup: { variables[$0] }).part(count: count)
        return "\(found.part)/\(found.count) \(found.source)"
    }

    @Test func `each system's own way to count is known`() throws {
        let slurm = [
            "SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_COUNT": "4",
            "SLURM_ARRAY_TASK_STEP": "2",
        ]
        #expect(try part(slurm) == "3/4 Slurm")
        #expect(
            try part(["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "1"])
                == "1/1 Slurm")
        #expect(try part(["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"]) == "2/5 GitLab CI")
        #expect(try part(["CIRCLE_NODE_INDEX": "0", "CIRCLE_NODE_TOTAL": "5"]) == "1/5 CircleCI")
        #expect(try part(["BUILDKITE_PARALLEL_JOB": "4", "BUILDKITE_PARALLEL_JOB_COUNT": "5"]) == "5/5 Buildkite")
        #expect(try part(["JOB_COMPLETION_INDEX": "3"], count: 8) == "4/8 Kubernetes")
    }

    @Test(arguments: [
        ([:], "nothing in the environment tells the part"),
        (["JOB_COMPLETION_INDEX": "3"], "say it with --shard-count N"),
        (["CI_NODE_INDEX": "2"], "CI_NODE_INDEX is set but CI_NODE_TOTAL is not"),
        (["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "5"], "which cannot be"),
        (["CI_NODE_INDEX": "6", "CI_NODE_TOTAL": "5"], "which cannot be"),
        (["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "5"], "CI_NODE_INDEX is \"x\", which is no number"),
        (["SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"], "which cannot be"),
        (
            [
                "SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3",
                "SLURM_ARRAY_TASK_STEP": "2",
            ],
            "is none of an array that begins at 1 in steps of 2"
        ),
    ])
    func `says what it cannot make sense of`(variables: [String: String], message: String) {
        do throws(UsageError) {
            _ = try part(variables)
            Issue.record("nothing was thrown")
        } catch { #expect(error.description.contains(message), "\(error)") }
    }
}
