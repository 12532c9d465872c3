internal import MeshProtocol
internal import RadioSimulator
internal import RigBase
internal import RunRecord

/// Replays the code sweep: every frame to a node of its own, started less than a second ago with two contacts
/// (companion-protocol §15.4).
enum SweepReplay {
    private static let sentAt: Int64 = 100
    private static let observed: Int64 = 400

    static func verify(_ recording: Recording, file: String) throws(RecordingError) -> FixtureReport {
        guard let contacts = contacts(of: recording) else {
            throw RecordingError(file: file, line: 1, problem: "no row of the sweep lists the node's contacts")
        }
        let spec = spec(contacts)
        var passed = 0
        var coverage = FixtureCoverage()
        var mismatches: [Mismatch] = []
        for (line, probe) in recording.probes {
            let result: [Observation.Content]
            do throws(WorldError) {
                result = try play(probe, on: spec)
            } catch {
                throw RecordingError(file: file, line: line, problem: "no world can be made for the sweep: \(error)")
            }
            let expected = expectation(of: probe)
            if expected == result {
                passed += 1
                coverage.add(probe)
                continue
            }
            let place = zip(expected, result).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            let index = place ?? min(expected.count, result.count)
            func observation(_ list: [Observation.Content], line: Int?) -> Observation? {
                list.indices.contains(index) ? Observation(at: 0, content: list[index], line: line) : nil
            }
            let request = "\(Hex.encode(probe.request.prefix(40))) sent at line \(line)"
            mismatches.append(
                Mismatch(
                    node: request, recorded: observation(expected, line: line),
                    simulated: observation(result, line: nil)))
        }
        var report = FixtureVerifier.report(file, passed: passed, mismatches: mismatches)
        report.coverage = coverage
        return report
    }

    private static func expectation(of probe: Recording.Probe) -> [Observation.Content] {
        probe.responses.map { .frame($0) }
            + probe.packets.map { .packet(bytes: $0, airtimeMicros: 0, receptions: []) }
            + (probe.crashes ? [.crash] : [])
    }

    private static func play(_ probe: Recording.Probe, on spec: WorldSpec) throws(WorldError) -> [Observation.Content] {
        let journal = Journal()
        let world = try World(spec, journal: journal)
        world.run(until: SimInstant(milliseconds: sentAt))
        world.hostWrite(WorldBuilder.envelope(probe.request), to: "A", cause: nil)
        world.run(until: SimInstant(milliseconds: observed))
        var result: [Observation.Content] = world.takeHostOutput(of: "A").map { .frame($0.frame) }
        for event in journal.events() {
            guard event.kind == .packetSent, case .bytes(let bytes)? = event["bytes"] else { continue }
            result.append(.packet(bytes: bytes, airtimeMicros: 0, receptions: []))
        }
        if journal.events().contains(where: { $0.kind == .firmwareCrash }) { result.append(.crash) }
        return result
    }

    /// The table that a GET_CONTACTS without filter lists.
    private static func contacts(of recording: Recording) -> [[UInt8]]? {
        recording.probes.first { $0.probe.request == [0x04, 0x00] }?.probe.responses
            .filter { $0.first == 0x03 && $0.count == 148 }
    }

    private static func spec(_ contacts: [[UInt8]]) -> WorldSpec {
        let header = Recording.NodeHeader(
            name: "A", kind: .companion, seed: 200, clock: 1_750_000_000, publicKey: [], privateKey: [],
            environment: [])
        var node = WorldBuilder.node(header, epoch: header.clock)
        node.identity = Identity(seed: RecorderIdentity.seed(of: "A"))
        node.contacts = contacts.map(contact)
        node.contactsAreUnsaved = true
        return WorldSpec(epoch: header.clock, medium: .recorder(chunkMillis: 10), nodes: [node])
    }

    /// Reads a CONTACT frame (companion-protocol §4.2).
    private static func contact(_ frame: [UInt8]) -> ContactSpec {
        func number(_ offset: Int) -> UInt32 {
            frame[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let pathLength = PathLength(rawValue: frame[35])
        let name = frame[100..<132].prefix { $0 != 0 }
        return ContactSpec(
            .key(PublicKey(Array(frame[1..<33])), name: String(decoding: name, as: UTF8.self)), type: frame[33],
            flags: frame[34],
            route: pathLength.isValid
                ? .bytes(hashSize: pathLength.hashSize, Array(frame[36..<36 + pathLength.byteCount])) : .flood,
            lastModified: number(144), lastAdvert: number(132),
            position: Position(
                latitude: Int32(bitPattern: number(136)), longitude: Int32(bitPattern: number(140))))
    }
}
