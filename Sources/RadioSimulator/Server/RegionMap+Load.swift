/// Lines of a `region load`, collected until a blank one ends it (remote-nodes §4.5).
struct RegionLoading {
    private var map = RegionMap()
    /// Known regions keep whether they allow floods.
    private let known: RegionMap
    /// Id of the last region at each depth; depth 0 is the wildcard.
    private var levels: [Int?] = [0]
    private var count = 0

    init(replacing known: RegionMap) { self.known = known }

    /// Takes one line; the new map and its number of regions when the line was blank.
    mutating func take(_ line: String) -> (map: RegionMap, count: Int)? {
        let body = line.drop { $0 == " " }
        if body.isEmpty { return (map, count) }
        let indent = line.count - body.count
        guard (1...7).contains(indent), levels.count > indent - 1, let parent = levels[indent - 1] else { return nil }
        let words = body.split(separator: " ")
        let name = String(words[0])
        let kept = known.regions.first { RegionMap.shown($0.name) == RegionMap.shown(name) }?.allowsFlood
        let allowsFlood = kept ?? (words.dropFirst().first == "F")
        guard let id = map.put(name, parent: parent, allowsFlood: allowsFlood) else { return nil }
        levels = Array(levels.prefix(indent)) + [id]
        count += 1
        return nil
    }
}
