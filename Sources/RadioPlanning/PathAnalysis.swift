/// What stands between two antennas (client-stack §5.11).
public struct PathAnalysis: Sendable, Hashable {
    public enum Status: String, Sendable, Hashable { case clear, marginal, partial, blocked }

    /// The ground at one place of the path.
    public struct Sample: Sendable, Hashable {
        /// Metres from the first antenna.
        public var distance: Double
        /// Metres above the sea.
        public var ground: Double

        public init(distance: Double, ground: Double) {
            self.distance = distance
            self.ground = ground
        }
    }

    /// A place at which less than 60 % of the first Fresnel zone is free.
    public struct Obstruction: Sendable, Hashable {
        public var distance: Double
        public var ground: Double
        public var clearancePercent: Double
    }

    public var status: Status
    public var distance: Double
    /// Free part of the first Fresnel zone at the worst place; below 0 the ground crosses the line.
    public var clearancePercent: Double
    public var obstructions: [Obstruction]
    /// Decibels: in free space, at the worst single edge, and both.
    public var freeSpaceLoss: Double
    public var edgeLoss: Double
    public var loss: Double { freeSpaceLoss + edgeLoss }

    /// `samples` run from the first antenna to the second; `from` and `to` are the antennas' heights above the sea.
    public init(
        samples: [Sample], from: Double, to: Double, distance: Double, megahertz: Double,
        refraction: Double = RadioMath.standardRefraction
    ) {
        guard samples.count >= 2, distance > 0 else {
            self.init(status: .blocked, distance: 0, clearancePercent: 0, freeSpaceLoss: 0)
            return
        }
        self.init(
            status: .clear, distance: distance, clearancePercent: 100,
            freeSpaceLoss: RadioMath.freeSpaceLoss(metres: distance, megahertz: megahertz))
        var worst: Double?
        // The ends touch the ground by nature.
        for sample in samples where sample.distance > 1 && distance - sample.distance > 1 {
            let (behind, ahead) = (sample.distance, distance - sample.distance)
            let line = from + (to - from) * behind / distance
            let ground = sample.ground + RadioMath.earthBulge(behind, ahead, refraction: refraction)
            let radius = RadioMath.fresnelRadius(megahertz: megahertz, behind, ahead)
            guard radius > 0 else { continue }
            let clearance = (line - ground) / radius * 100
            worst = min(worst ?? clearance, clearance)
            edgeLoss = max(
                edgeLoss, RadioMath.knifeEdgeLoss(height: ground - line, megahertz: megahertz, behind, ahead))
            if clearance < 60 {
                obstructions.append(
                    Obstruction(distance: sample.distance, ground: sample.ground, clearancePercent: clearance))
            }
        }
        clearancePercent = worst ?? 100
        status =
            switch clearancePercent {
            case 80...: .clear
            case 60...: .marginal
            case 0...: .partial
            default: .blocked
            }
    }

    private init(status: Status, distance: Double, clearancePercent: Double, freeSpaceLoss: Double) {
        self.status = status
        self.distance = distance
        self.clearancePercent = clearancePercent
        self.freeSpaceLoss = freeSpaceLoss
        obstructions = []
        edgeLoss = 0
    }

    /// A path over a relay is as good as the worse of its two legs.
    public static func relay(_ one: PathAnalysis, _ other: PathAnalysis) -> PathAnalysis {
        other.clearancePercent < one.clearancePercent ? other : one
    }
}
