public import RigBase
internal import Synchronization

/// The named random streams of one run, forked from one root seed.
public final class RandomStreams: Sendable {
    public let seed: UInt64
    private let root: Prng
    private let streams = Mutex<[String: Prng]>([:])

    public init(seed: UInt64) {
        self.seed = seed
        root = Prng(seed: seed)
    }

    /// A generator of its own for one purpose; the same names give the same generator.
    public func fork(_ purpose: String, _ name: String = "") -> Prng { root.fork(purpose, name) }

    /// Draws from the shared stream of that name.
    public func draw<Result>(_ stream: String, _ body: (inout Prng) -> Result) -> Result {
        streams.withLock { streams in
            var generator = streams[stream] ?? root.fork("stream", stream)
            defer { streams[stream] = generator }
            return body(&generator)
        }
    }
}
