/// Something a node did that a recording holds: compared by time and content.
struct Observation: Equatable {
    enum Content: Equatable {
        case frame([UInt8])
        case packet(bytes: [UInt8], airtimeMicros: Int, receptions: [Recording.Reception])
        /// A packet of the test script, compared by who received it.
        case script(bytes: [UInt8], receptions: [Recording.Reception])
        case console(String)
        case boot(clock: UInt32)
        case crash
        case powerOff
    }

    var at: Int64
    var content: Content
    /// Row of the recording; nil for what the simulation did.
    var line: Int?
    /// Bytes of a frame that are not compared.
    var ignored: [Range<Int>] = []
}

/// What one node did of one kind, in order.
struct ObservationStream {
    enum Kind: Int, CaseIterable { case frames, packets, scripts, console, boots }

    var node: String
    var kind: Kind
    var recorded: [Observation] = []
    var simulated: [Observation] = []
}

/// One place where recording and simulation part.
struct Mismatch {
    var node: String
    var recorded: Observation?
    var simulated: Observation?
}

/// Compares the two sides of a stream.
struct StreamComparison {
    private(set) var passed = 0
    /// What the recording has and the simulation did alike.
    private(set) var agreed: [(node: String, observation: Observation)] = []
    private(set) var mismatches: [Mismatch] = []
    private let masking: Masking
    /// How far the two sides are searched for the place where they agree again.
    private static let reach = 64

    init(masking: Masking) { self.masking = masking }

    /// Pairs what is equal in order. Between two such places the rest is paired one by one, and what is left over on
    /// either side stands alone; each pair or single counts as one failure.
    mutating func compare(_ stream: ObservationStream) {
        let recorded = stream.recorded.map(canonical)
        let simulated = stream.simulated.map(canonical)
        var (left, right) = (0, 0)
        while left < recorded.count || right < simulated.count {
            if left < recorded.count, right < simulated.count, agree(recorded[left], simulated[right]) {
                passed += 1
                agreed.append((stream.node, stream.recorded[left]))
                left += 1
                right += 1
                continue
            }
            let (skipLeft, skipRight) = nextAgreement(recorded[left...], simulated[right...])
            for step in 0..<max(skipLeft, skipRight) {
                mismatches.append(
                    Mismatch(
                        node: stream.node, recorded: step < skipLeft ? stream.recorded[left + step] : nil,
                        simulated: step < skipRight ? stream.simulated[right + step] : nil))
            }
            left += skipLeft
            right += skipRight
        }
    }

    /// How many to skip on each side until the two agree, the fewest in sum; everything when they never do.
    private func nextAgreement(
        _ recorded: ArraySlice<Observation>, _ simulated: ArraySlice<Observation>
    ) -> (Int, Int) {
        for total in 1...(2 * Self.reach) {
            for skipLeft in max(0, total - Self.reach)...min(total, Self.reach) {
                let (left, right) = (recorded.startIndex + skipLeft, simulated.startIndex + total - skipLeft)
                guard left < recorded.endIndex, right < simulated.endIndex else { continue }
                if agree(recorded[left], simulated[right]) { return (skipLeft, total - skipLeft) }
            }
        }
        return (recorded.count, simulated.count)
    }

    private func agree(_ recorded: Observation, _ simulated: Observation) -> Bool {
        guard recorded.at == simulated.at else { return false }
        if case .frame(let expected) = recorded.content, case .frame(let got) = simulated.content,
            !recorded.ignored.isEmpty
        {
            return Self.zeroing(recorded.ignored, in: expected) == Self.zeroing(recorded.ignored, in: got)
        }
        return recorded.content == simulated.content
    }

    private func canonical(_ observation: Observation) -> Observation {
        var canonical = observation
        switch observation.content {
        case .frame(let bytes): canonical.content = .frame(masking.frame(bytes))
        case .packet(let bytes, let airtime, let receptions):
            canonical.content = .packet(
                bytes: masking.packet(bytes), airtimeMicros: airtime, receptions: receptions)
        case .script, .console, .boot, .crash, .powerOff: break
        }
        return canonical
    }

    private static func zeroing(_ ranges: [Range<Int>], in bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for range in ranges { for index in range.clamped(to: bytes.indices) { bytes[index] = 0 } }
        return bytes
    }
}
