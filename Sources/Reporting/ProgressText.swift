/// One line about how far a run is and how long it may still take.
package enum ProgressText {
    /// At most `width` characters; the time left is what the cases so far took, for as many as are left.
    package static func line(done: Int, total: Int, failed: Int, elapsed: Duration, width: Int) -> String {
        let percent = total == 0 ? 100 : done * 100 / total
        var text = "\(done) of \(total) cases, \(percent) %"
        if failed > 0 { text += ", \(failed) not passed" }
        if done > 0, done < total {
            let spent = PlainText.milliseconds(elapsed)
            text += ", about \(span(spent / Int64(done) * Int64(total - done) + spent % Int64(done))) left"
        }
        return String(text.prefix(max(0, width)))
    }

    /// `40 s`, `3 min 20 s`, `2 h 5 min`.
    private static func span(_ milliseconds: Int64) -> String {
        let seconds = (milliseconds + 999) / 1_000
        if seconds < 60 { return "\(seconds) s" }
        if seconds < 3_600 { return "\(seconds / 60) min \(seconds % 60) s" }
        return "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
}
