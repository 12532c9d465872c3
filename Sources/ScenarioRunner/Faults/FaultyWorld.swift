internal import MeshTransport
package import RadioSimulator
package import RigBase
package import RunRecord

/// What faults beyond the host link act on.
package protocol FaultyWorld: Sendable {
    func add(_ fault: AirFault, random: Prng)
    /// Takes a fault out and says what it has seen and done.
    func removeAirFault(_ id: String) -> FaultTally?
    func tally(ofAirFault id: String) -> FaultTally?
    /// False when there was nothing the fault could act on.
    func begin(_ fault: NodeFault, id: String, on node: String, random: inout Prng, cause: EventID?) -> Bool
    /// Puts right what a fault did, as far as it lasts.
    func end(_ fault: NodeFault, id: String, on node: String)
}

/// Faults in a simulated world; used from the run's own thread only, as the world is.
final class SimulatedFaults: FaultyWorld, @unchecked Sendable {
    private let world: World
    private let port: SimulatedPort
    private let clientRole: String

    init(_ world: World, port: SimulatedPort, clientRole: String) {
        self.world = world
        self.port = port
        self.clientRole = clientRole
    }

    func add(_ fault: AirFault, random: Prng) { world.add(fault, random: random) }
    func removeAirFault(_ id: String) -> FaultTally? { world.removeAirFault(id) }
    func tally(ofAirFault id: String) -> FaultTally? { world.tally(ofAirFault: id) }

    func begin(_ fault: NodeFault, id: String, on node: String, random: inout Prng, cause: EventID?) -> Bool {
        guard world.begin(fault, id: id, on: node, random: &random, cause: cause) else { return false }
        if case .powerLoss = fault, node == clientRole {
            port.refuseConnections(true)
            port.lose(.failed("the radio is off"))
        }
        return true
    }

    func end(_ fault: NodeFault, id: String, on node: String) {
        if case .flashStall = fault { return world.endFlashStall(of: node) }
        guard fault.isLasting else { return }
        world.endNodeFault(id)
        if case .powerLoss = fault, node == clientRole, world.inspect(node).isOn { port.refuseConnections(false) }
    }
}
