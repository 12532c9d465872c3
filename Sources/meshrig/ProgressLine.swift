internal import Glibc
internal import Reporting
internal import Synchronization

/// A last line on the terminal that is written anew as a run goes on; nothing at all when there is no terminal.
final class ProgressLine: Sendable {
    private struct State {
        var done = 0
        var failed = 0
        var lastShown: Int64 = 0
        var isShown = false
    }

    private let terminal: Output?
    private let total: Int
    private let begun = Host.monotonicNanoseconds
    private let state = Mutex(State())
    /// It is written anew at most this often.
    private static let interval: Int64 = 100_000_000

    init(total: Int, _ output: Output) {
        self.total = total
        terminal = Output.errors.isTerminal ? Output.errors : output.isTerminal ? output : nil
    }

    /// Writes a piece of the report above the line.
    func write(_ text: String, to output: Output) {
        state.withLock { state in
            if output.isTerminal { hide(&state) }
            output.write(text)
        }
    }

    /// One case more is done; the line is shown when the last time is long enough ago.
    func advance(passed: Bool) {
        guard let terminal else { return }
        state.withLock { state in
            state.done += 1
            if !passed { state.failed += 1 }
            let now = Host.monotonicNanoseconds
            guard state.done < total, !state.isShown || now - state.lastShown >= Self.interval else { return }
            state.lastShown = now
            state.isShown = true
            let text = ProgressText.line(
                done: state.done, total: total, failed: state.failed, elapsed: .nanoseconds(now - begun),
                width: terminal.columns - 1)
            terminal.write("\r\u{1B}[K" + text)
        }
    }

    /// Takes the line away.
    func end() { state.withLock { hide(&$0) } }

    private func hide(_ state: inout State) {
        guard state.isShown, let terminal else { return }
        terminal.write("\r\u{1B}[K")
        state.isShown = false
    }
}
