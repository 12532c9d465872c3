import RadioSimulator
import RigBase
import RunRecord
import Testing

@Suite struct InterfaceManagerTests {
    private func world() throws -> World {
        try World(WorldSpec(nodes: [NodeSpec(name: "alice", hostInterface: .both)]), journal: Journal())
    }

    @Test func `a reply goes to both interfaces, whichever asked`() throws {
        let world = try world()
        world.hostConnected("alice")
        world.run(until: SimInstant(milliseconds: 10))
        for interface in [HostInterfaceKind.wifi, .serial] {
            world.hostWrite([0x3C, 1, 0, 5], to: "alice", over: interface)
            world.run(until: world.now.advanced(by: .milliseconds(10)))
            let output = world.takeHostOutput(of: "alice")
            #expect(output.map { $0.frame[0] } == [9, 9])
            #expect(Set(output.map(\.interface)) == [.serial, .wifi])
        }
    }

    @Test func `without a Wi-Fi client only serial gets frames`() throws {
        let world = try world()
        world.run(until: SimInstant(milliseconds: 10))
        world.hostWrite([0x3C, 1, 0, 5], to: "alice", over: .serial)
        world.run(until: SimInstant(milliseconds: 20))
        #expect(world.takeHostOutput(of: "alice").map(\.interface) == [.serial])
    }

    @Test func `each interface keeps its own half-sent frame and counts what it has not read`() throws {
        let world = try world()
        world.hostConnected("alice")
        world.run(until: SimInstant(milliseconds: 10))
        world.hostWrite([0x3C, 9, 0, 5], to: "alice", over: .wifi)
        world.hostWrite([0x3C, 1, 0], to: "alice", over: .serial)
        #expect(world.hostBacklog(of: "alice", over: .serial) == 3)
        world.run(until: SimInstant(milliseconds: 20))
        // Wi-Fi reads a body only when all of it is there; serial reads byte by byte.
        #expect(world.hostBacklog(of: "alice", over: .wifi) == 1)
        #expect(world.hostBacklog(of: "alice", over: .serial) == 0)
        world.hostWrite([5], to: "alice", over: .serial)
        world.run(until: SimInstant(milliseconds: 30))
        #expect(world.takeHostOutput(of: "alice").map { $0.frame[0] } == [9, 9])
    }
}
