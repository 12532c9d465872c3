internal import MeshProtocol

/// Replays recordings of real firmware against the simulated one and compares what comes out.
package enum FixtureVerifier {
    /// How many differences a report shows.
    package static let shownDifferences = 5

    /// Verifies one recording. `untilMillis` leaves out what happens later.
    package static func verify(
        file: String, contents: [UInt8], masks: MaskList = .all, untilMillis: Int64? = nil
    ) -> FixtureReport {
        do throws(RecordingError) {
            let recording = try RecordingReader.read(file: file, contents: contents)
            if !recording.probes.isEmpty { return try SweepReplay.verify(recording, file: file) }
            return try verify(recording, file: file, masks: masks, until: untilMillis)
        } catch {
            return FixtureReport(file: file, passed: 0, failed: 0, differences: [], error: error)
        }
    }

    private static func verify(
        _ recording: Recording, file: String, masks: MaskList, until limit: Int64?
    ) throws(RecordingError) -> FixtureReport {
        if let reason = obstacle(in: recording) {
            return FixtureReport(file: file, passed: 0, failed: 0, differences: [], unsupported: reason)
        }
        let replay = try RecordingReplay(recording, file: file, masks: masks, until: limit ?? .max)
        replay.run()
        var comparison = StreamComparison(masking: Masking(recording, masks))
        for stream in replay.streams() { comparison.compare(stream) }
        var report = report(file, passed: comparison.passed, mismatches: comparison.mismatches)
        report.coverage = FixtureCoverage(of: recording, agreed: comparison.agreed)
        return report
    }

    /// What the simulation cannot replay; nil when it can.
    private static func obstacle(in recording: Recording) -> String? {
        if recording.isPlainListing { return "decrypted payloads of another recording" }
        return recording.nodes.contains { $0.kind == .sensor } ? "sensors" : nil
    }

    static func report(_ file: String, passed: Int, mismatches: [Mismatch]) -> FixtureReport {
        let ordered = mismatches.enumerated().sorted {
            (time(of: $0.element), $0.offset) < (time(of: $1.element), $1.offset)
        }
        return FixtureReport(
            file: file, passed: passed, failed: mismatches.count,
            differences: ordered.prefix(shownDifferences).flatMap { DifferenceText.lines($0.element, file: file) })
    }

    private static func time(of mismatch: Mismatch) -> Int64 {
        min(mismatch.recorded?.at ?? .max, mismatch.simulated?.at ?? .max)
    }
}
