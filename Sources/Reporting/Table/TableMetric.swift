internal import RunRecord

/// A figure of a run that a table can show.
package enum TableMetric: String, Sendable, Hashable, CaseIterable {
    case sent, delivered, acked, attempts, duplicates, airtime, frames, packets, events
    case virtualTime = "virtual-time"
    case verdict

    /// What it counts, for the documentation and the head of a table.
    package var summary: String {
        switch self {
        case .sent: "messages that the client sent"
        case .delivered: "messages of the client that reached somebody"
        case .acked: "messages whose delivery the client knows of"
        case .attempts: "commands that sent a message"
        case .duplicates: "messages that arrived once more, at the client or from it"
        case .airtime: "time that all nodes sent, in seconds"
        case .frames: "frames on the client's host link, both ways"
        case .packets: "transmissions of all nodes"
        case .events: "events in the journal"
        case .virtualTime: "time from the beginning to the end of the run, in seconds"
        case .verdict: "share of runs that passed"
        }
    }

    /// Thousandths of what is shown; 1,000 for a run that passed, 0 for one that did not.
    func value(_ result: CaseResult, _ figures: RunFigures) -> Int64 {
        switch self {
        case .sent: Int64(figures.sent) * 1_000
        case .delivered: Int64(figures.delivered) * 1_000
        case .acked: Int64(figures.acked) * 1_000
        case .attempts: Int64(figures.attempts) * 1_000
        case .duplicates: Int64(figures.duplicates) * 1_000
        case .airtime: figures.airtimeMicros / 1_000
        case .frames: Int64(figures.frames) * 1_000
        case .packets: Int64(figures.packets) * 1_000
        case .events: Int64(result.eventCount) * 1_000
        case .virtualTime: PlainText.milliseconds(result.virtualTime)
        case .verdict: result.verdict == .passed ? 1_000 : 0
        }
    }
}

/// Least, greatest and mean of values, all in thousandths.
package struct MetricSummary: Sendable, Hashable {
    package private(set) var count: Int64 = 0
    package private(set) var least: Int64 = 0
    package private(set) var greatest: Int64 = 0
    private var sum: Int64 = 0

    package init() {}

    package mutating func add(_ value: Int64) {
        least = count == 0 ? value : min(least, value)
        greatest = count == 0 ? value : max(greatest, value)
        sum += value
        count += 1
    }

    /// Rounded to the nearest thousandth, halves up; no value is negative.
    package var mean: Int64 { count == 0 ? 0 : (sum + count / 2) / count }
}
