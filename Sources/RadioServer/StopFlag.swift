internal import Glibc
internal import MeshTransport
internal import RigRuntime
internal import Synchronization

/// Asks a server to end, from any thread or by a signal.
package final class StopFlag: Sendable {
    private let isRaised = Mutex(false)
    private let wake = WakePipe()

    package init() {}

    package var isSet: Bool { isRaised.withLock { $0 } }

    package func set() {
        isRaised.withLock { $0 = true }
        wake.signal()
    }

    /// Readable once the flag is set.
    var descriptor: Int32 { wake.descriptor }

    /// Lets SIGINT and SIGTERM set the flag instead of ending the process. To be called before other threads start, which
    /// inherit that these signals are not delivered to them.
    package func setOnSignals() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        let awaited = signals
        _ = PlatformThread.start { [self] in
            var awaited = awaited
            var received: Int32 = 0
            while sigwait(&awaited, &received) != 0 {}
            set()
        }
    }
}
