internal import Glibc

/// The formulas of radio paths over a round earth: metres, megahertz, decibels (client-stack §5.11).
///
/// An input that must be above zero and is not gives 0.
public enum RadioMath {
    /// Metres a second.
    public static let lightSpeed = 299_792_458.0
    /// Metres.
    public static let earthRadius = 6_371_000.0
    /// How much larger than it is the earth looks to a radio wave, which the air bends.
    public static let standardRefraction = 4.0 / 3.0

    /// Metres of one wave.
    public static func wavelength(megahertz: Double) -> Double {
        megahertz > 0 ? lightSpeed / (megahertz * 1e6) : 0
    }

    /// Radius of the first Fresnel zone where the path has `one` metres behind it and `other` ahead.
    public static func fresnelRadius(megahertz: Double, _ one: Double, _ other: Double) -> Double {
        guard megahertz > 0, one > 0, other > 0 else { return 0 }
        return sqrt(wavelength(megahertz: megahertz) * one * other / (one + other))
    }

    /// How far the earth's curve rises above the chord at that point.
    public static func earthBulge(_ one: Double, _ other: Double, refraction: Double = standardRefraction) -> Double {
        guard one > 0, other > 0, refraction > 0 else { return 0 }
        return one * other / (2 * refraction * earthRadius)
    }

    public static func freeSpaceLoss(metres: Double, megahertz: Double) -> Double {
        guard metres > 0, megahertz > 0 else { return 0 }
        return 20 * log10(metres) + 20 * log10(megahertz) - 27.55
    }

    /// Loss at a single edge `height` metres above the line, negative for one below it.
    public static func knifeEdgeLoss(height: Double, megahertz: Double, _ one: Double, _ other: Double) -> Double {
        guard megahertz > 0, one > 0, other > 0 else { return 0 }
        let v = height * sqrt(2 * (one + other) / (wavelength(megahertz: megahertz) * one * other))
        guard v > -0.78 else { return 0 }
        return 6.9 + 20 * log10(sqrt((v - 0.1) * (v - 0.1) + 1) + v - 0.1)
    }

    /// Metres along the great circle, by the haversine.
    public static func distance(from one: GeoPoint, to other: GeoPoint) -> Double {
        let radians = Double.pi / 180
        let (north, east) = ((other.latitude - one.latitude) * radians, (other.longitude - one.longitude) * radians)
        let a =
            sin(north / 2) * sin(north / 2)
            + cos(one.latitude * radians) * cos(other.latitude * radians) * sin(east / 2) * sin(east / 2)
        return 2 * earthRadius * asin(min(1, sqrt(a)))
    }

    /// Noise power in dBm of a receiver with this bandwidth: thermal noise and the receiver's own share.
    public static func noiseFloor(bandwidthHertz: Double, noiseFigure: Double = 6) -> Double {
        bandwidthHertz > 0 ? -174 + 10 * log10(bandwidthHertz) + noiseFigure : 0
    }
}

/// A place in degrees north and east.
public struct GeoPoint: Sendable, Hashable {
    public var latitude: Double
    public var longitude: Double

    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The point a share of the way to another, in a straight line on the map; for paths far shorter than the earth.
    public func toward(_ other: GeoPoint, _ share: Double) -> GeoPoint {
        GeoPoint(
            latitude: latitude + (other.latitude - latitude) * share,
            longitude: longitude + (other.longitude - longitude) * share)
    }
}
