/// How a fault of a scenario fared in one run.
public struct FaultCount: Sendable, Hashable {
    public var name: String
    /// Where it acts: bytes, frames, link, node or firmware.
    public var seam: String
    public var action: String
    /// How often it was put in place.
    public var armed: Int
    /// How many occasions it had: frames, packets, attempts to connect or moments that its trigger was about.
    public var observed: Int
    /// On how many of them it acted.
    public var fired: Int

    public init(name: String, seam: String, action: String, armed: Int, observed: Int, fired: Int) {
        self.name = name
        self.seam = seam
        self.action = action
        self.armed = armed
        self.observed = observed
        self.fired = fired
    }
}
