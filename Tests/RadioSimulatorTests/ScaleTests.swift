import MeshProtocol
import RadioSimulator
import RigBase
import RunRecord
import Testing

/// What a flood costs, in counts that are the same on every machine.
@Suite struct ScaleTests {
    /// Companions at both ends of a square of repeaters, each of which hears its neighbours.
    private func square(_ width: Int, journal: Journal) throws -> World {
        func name(_ row: Int, _ column: Int) -> String { "n\(row * width + column)" }
        var spec = WorldSpec(medium: .contention)
        for index in 0..<(width * width) {
            var node = NodeSpec(name: "n\(index)", role: index == 0 ? .companion : .repeater)
            node.settings.forwarding.advertsOnBoot = false
            node.settings.forwarding.localAdvertMinutes = 0
            node.isReady = true
            spec.nodes.append(node)
        }
        for row in 0..<width {
            for column in 0..<width {
                if column + 1 < width { spec.links += LinkSpec.both(name(row, column), name(row, column + 1)) }
                if row + 1 < width { spec.links += LinkSpec.both(name(row, column), name(row + 1, column)) }
            }
        }
        return try World(spec, journal: journal)
    }

    @Test func `an advert that floods is hashed and its signature checked once`() throws {
        let world = try square(8, journal: Journal(keepsEvents: false))
        world.run(until: SimInstant(milliseconds: 2_000))
        world.sendAdvert(as: "n0", flood: true)
        world.run(until: SimInstant(milliseconds: 120_000))
        let work = world.workCounts
        #expect(work.transmissions > 30)
        #expect(work.receptions > 3 * work.transmissions)
        #expect(work.signatureChecks == 1)
        #expect(work.hashes == 1)
    }

    @Test func `the work for a reception does not grow with the mesh`() throws {
        func wakes(_ width: Int) throws -> (Int, Int) {
            let world = try square(width, journal: Journal(keepsEvents: false))
            world.run(until: SimInstant(milliseconds: 2_000))
            world.sendChannelText(as: "n0", channel: 0, "one flood")
            world.run(until: SimInstant(milliseconds: 300_000))
            return (world.workCounts.wakes, world.workCounts.receptions)
        }
        let (small, large) = (try wakes(6), try wakes(24))
        #expect(large.1 > 8 * small.1)
        #expect(large.0 * small.1 <= 2 * small.0 * large.1)
        #expect(small.0 <= 6 * small.1)
    }

    @Test func `a world does the same whether its events are kept or not`() throws {
        func work(_ journal: Journal) throws -> WorkCounts {
            let world = try square(6, journal: journal)
            world.run(until: SimInstant(milliseconds: 2_000))
            world.sendChannelText(as: "n0", channel: 0, "one flood")
            world.sendAdvert(as: "n0", flood: true)
            world.run(until: SimInstant(milliseconds: 60_000))
            return world.workCounts
        }
        let (kept, forgotten) = (Journal(), Journal(keepsEvents: false))
        #expect(try work(kept) == work(forgotten))
        #expect(kept.count > 100)
        #expect(forgotten.count == 0)
    }
}
