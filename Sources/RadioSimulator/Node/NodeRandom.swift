internal import RigBase

/// The 32-bit generator of the firmware recordings (README there, "Noise and generator").
struct Xorshift32: Sendable, Hashable {
    private var state: UInt32

    init(state: UInt32) { self.state = state == 0 ? 1 : state }

    mutating func next() -> UInt32 {
        state ^= state << 13
        state ^= state >> 17
        state ^= state << 5
        return state
    }
}

/// Where a node's draws come from; both kinds are drawn at the same places (mesh-protocol §12.3).
enum NodeRandom: Sendable {
    case stream(Prng)
    case recorder(noise: Xorshift32, main: Xorshift32)

    /// The recorder's pair of generators as they are after boot.
    static func recorder(seed: UInt32) -> NodeRandom {
        var noise = Xorshift32(state: seed)
        var start: UInt32 = 0
        for _ in 0..<4 { start = start << 8 | noise.next() >> 24 }
        let state = Int32(bitPattern: start).magnitude % 0x7FFF_FFFF
        return .recorder(noise: noise, main: Xorshift32(state: state))
    }

    mutating func byte() -> UInt8 {
        switch self {
        case .stream(var generator):
            let byte = generator.byte()
            self = .stream(generator)
            return byte
        case .recorder(let noise, var main):
            let byte = UInt8(truncatingIfNeeded: main.next())
            self = .recorder(noise: noise, main: main)
            return byte
        }
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    /// A number in `low ..< high` from four bytes, the first one least significant.
    mutating func number(from low: UInt32, below high: UInt32) -> UInt32 {
        var value: UInt32 = 0
        for shift: UInt32 in [0, 8, 16, 24] { value |= UInt32(byte()) << shift }
        return value % (high - low) + low
    }

    /// 32 bytes for a new identity: noise and random bytes combined.
    mutating func identitySeed() -> [UInt8] {
        (0..<32).map { _ in
            guard case .recorder(var noise, let main) = self else { return byte() }
            let noiseByte = UInt8(truncatingIfNeeded: noise.next() >> 24)
            self = .recorder(noise: noise, main: main)
            return noiseByte ^ byte()
        }
    }
}
