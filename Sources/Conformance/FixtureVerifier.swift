internal import MeshProtocol

/// Replays recordings of real firmware against the simulated one and compares what comes out.
package enum FixtureVerifier {
    /// How many differences a report shows.
    package static let shownDifferences = 5

    /// Verifies one recording. `untilMillis` leaves out what happens later.
    package static func verify(file: String, contents: [UInt8], untilMillis: Int64? = nil) -> FixtureReport {
        do throws(RecordingError) {
            let recording = try RecordingReader.read(file: file, contents: contents)
            if !recording.probes.isEmpty { return try SweepReplay.verify(recording, file: file) }
            return try verify(recording, file: file, until: untilMillis)
        } catch {
            return FixtureReport(file: file, passed: 0, failed: 0, differences: [], error: error)
        }
    }

    private static func verify(
        _ recording: Recording, file: String, until limit: Int64?
    ) throws(RecordingError) -> FixtureReport {
        if recording.isPlainListing {
            return FixtureReport(
                file: file, passed: 0, failed: 0, differences: [],
                unsupported: "decrypted payloads of another recording")
        }
        let obstacle = Obstacle.first(in: recording)
        if let obstacle, obstacle.at <= 0 {
            return FixtureReport(file: file, passed: 0, failed: 0, differences: [], unsupported: obstacle.reason)
        }
        // Whatever happens at an unsupported row may show from that millisecond on.
        let end = min(limit ?? .max, obstacle.map { $0.at - 1 } ?? .max)
        let replay = try RecordingReplay(recording, file: file, until: end)
        replay.run()
        var comparison = StreamComparison(masking: Masking(recording))
        for stream in replay.streams() { comparison.compare(stream) }
        let isCut = obstacle.map { $0.at <= limit ?? .max } ?? false
        return report(
            file, passed: comparison.passed, mismatches: comparison.mismatches,
            unsupported: isCut ? obstacle?.reason : nil)
    }

    static func report(
        _ file: String, passed: Int, mismatches: [Mismatch], unsupported: String? = nil
    ) -> FixtureReport {
        let ordered = mismatches.enumerated().sorted {
            (time(of: $0.element), $0.offset) < (time(of: $1.element), $1.offset)
        }
        return FixtureReport(
            file: file, passed: passed, failed: mismatches.count,
            differences: ordered.prefix(shownDifferences).flatMap { DifferenceText.lines($0.element, file: file) },
            unsupported: unsupported)
    }

    private static func time(of mismatch: Mismatch) -> Int64 {
        min(mismatch.recorded?.at ?? .max, mismatch.simulated?.at ?? .max)
    }
}

/// Something in a recording that the simulation cannot do.
struct Obstacle {
    /// From this millisecond on nothing can be compared; 0 for the whole file.
    var at: Int64
    var reason: String

    static func first(in recording: Recording) -> Obstacle? {
        if recording.nodes.contains(where: { $0.kind == .room }) {
            return Obstacle(at: 0, reason: "room servers")
        }
        for row in recording.rows {
            switch row.content {
            case .console(_, let sentAt, _, _): return Obstacle(at: sentAt + 1, reason: "console rows of repeaters")
            case .powerOff: return Obstacle(at: row.at, reason: "nodes that switch themselves off")
            default: continue
            }
        }
        return nil
    }
}
