/// Finds the known name that a mistyped one most likely meant.
public enum Nearest {
    /// The candidate with the smallest edit distance to `name`, if it is near enough to be worth suggesting; ties go to
    /// the earlier candidate.
    public static func name(to name: String, among candidates: [String]) -> String? {
        let limit = max(2, name.count / 3)
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let found = distance(Array(name.lowercased()), Array(candidate.lowercased()))
            if found <= limit, found < best?.distance ?? .max { best = (found, candidate) }
        }
        return best?.name
    }

    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (i, a) in left.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, b) in right.enumerated() {
                let substituted = diagonal + (a == b ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(substituted, row[j] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
