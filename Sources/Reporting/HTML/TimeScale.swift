internal import RigBase

/// Places instants on a line on which long silences are short: a gap's width grows with its number of binary digits.
struct TimeScale {
    private let times: [Int64]
    private let places: [Int]

    /// Milliseconds at which something happens.
    init(milliseconds: [Int64]) {
        var times: [Int64] = []
        for time in milliseconds.sorted() where time != times.last { times.append(time) }
        self.times = times
        var places: [Int] = []
        var place = 8
        for (index, time) in times.enumerated() {
            if index > 0 { place += Self.width(time - times[index - 1]) }
            places.append(place)
        }
        self.places = places
    }

    private static func width(_ gap: Int64) -> Int { 2 + 4 * (Int64.bitWidth - gap.leadingZeroBitCount) }

    var width: Int { (places.last ?? 0) + 24 }

    /// The place of one of the times, or of the last one before it.
    func place(_ milliseconds: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= milliseconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? 8 : places[low - 1]
    }

    /// Times with their places, at least `distance` apart.
    func marks(distance: Int) -> [(text: String, place: Int)] {
        var marks: [(String, Int)] = []
        var last = -distance
        for (time, place) in zip(times, places) where place >= last + distance {
            marks.append((SimInstant(milliseconds: time).description, place))
            last = place
        }
        return marks
    }
}
