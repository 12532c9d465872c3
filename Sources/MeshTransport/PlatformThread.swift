internal import Glibc

/// Starts threads: those that wait for descriptors, and those that each run whole cases.
package enum PlatformThread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs `body` on a detached thread of its own, on which no signal is delivered; false when the machine has none left.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        guard let thread = create(body) else { return false }
        pthread_detach(thread)
        return true
    }

    /// Runs `body` on `count` threads at once and returns when all have ended; on the calling thread as well, so that it
    /// runs even where the machine has no thread left.
    package static func runAtOnce(_ count: Int, _ body: @escaping @Sendable () -> Void) {
        let threads = (1..<max(1, count)).compactMap { _ in create(body) }
        body()
        for thread in threads { pthread_join(thread, nil) }
    }

    private static func create(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        guard result == 0 else {
            box.release()
            return nil
        }
        return thread
    }
}

/// What the C library says about an error number.
package func errorText(_ number: Int32) -> String { String(cString: strerror(number)) }

/// Milliseconds until `instant` for `poll`, rounded up so that a short wait does not spin; -1 for no limit.
package func pollTimeout(until instant: ContinuousClock.Instant?) -> Int32 {
    guard let instant else { return -1 }
    let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: instant)).components
    return Int32(clamping: seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
}
