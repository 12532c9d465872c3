internal import Glibc
internal import MeshTransport
internal import Synchronization

/// Ctrl-C and SIGTERM as a wish to come to an end: the first is kept for whoever asks, the second ends the process.
final class Interruption: Sendable {
    private let received = Atomic<Int32>(0)

    /// The signal that came; nil when none did.
    var signal: Int32? {
        let number = received.load(ordering: .relaxed)
        return number == 0 ? nil : number
    }

    /// Its name and the exit code that shells use for it.
    static func describe(_ signal: Int32) -> (name: String, code: Int32) {
        (signal == SIGINT ? "Ctrl-C" : "SIGTERM", 128 + signal)
    }

    /// To be called before other threads start, which inherit that these signals are not delivered to them. What the
    /// caller of the program had ignored stays ignored.
    func watch() {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for number in [SIGINT, SIGTERM] {
            var action = sigaction()
            sigaction(number, nil, &action)
            let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            if !isIgnored { sigaddset(&awaited, number) }
        }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        let signals = awaited
        _ = PlatformThread.start { [self] in
            var signals = signals
            var number: Int32 = 0
            while sigwait(&signals, &number) != 0 {}
            received.store(number, ordering: .relaxed)
            while sigwait(&signals, &number) != 0 {}
            _exit(128 + number)
        }
    }
}
