internal import MeshProtocol
internal import RigBase

/// The regions a server knows, a tree below the wildcard `*` (remote-nodes §4.5, §5.2).
///
/// The tree is only for people: it has no part in matching packets.
struct RegionMap {
    struct Region {
        /// Never reused; 0 is the wildcard.
        var id: Int
        var parent: Int
        /// As it was given, perhaps with a leading `#`.
        var name: String
        var allowsFlood: Bool
        /// Nil for a private region, whose key this firmware has no place for.
        var key: RegionKey?
    }

    static let capacity = 32
    static let longestName = 30

    private(set) var regions: [Region] = []
    /// Whether floods without a scope are passed on.
    var allowsUnscoped = true
    private(set) var home = 0
    /// Scope of what the node originates; 0 for none.
    private(set) var standard = 0
    private var nextID = 1

    init() {}

    var defaultKey: RegionKey? { region(standard)?.key }
    var defaultName: String? { region(standard).map { Self.shown($0.name) } }

    /// The first region in table order that allows floods and to whose key the packet's code belongs.
    func matching(_ packet: Packet) -> Region? {
        regions.first { $0.allowsFlood && $0.key?.matches(packet) == true }
    }

    private func region(_ id: Int) -> Region? { regions.first { $0.id == id } }

    static func shown(_ name: String) -> String { name.hasPrefix("#") ? String(name.dropFirst()) : name }

    private static func isValid(_ name: String) -> Bool {
        !name.isEmpty && name.consoleBytes.count <= longestName
            && name.consoleBytes.allSatisfy {
                $0 >= 0x41 || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x24 || $0 == 0x23
            }
    }

    // MARK: Finding

    /// Id of the region with exactly this name, else of the last one that begins with it; 0 is `*`.
    func find(_ text: String) -> Int? {
        if text == "*" { return 0 }
        let wanted = Self.shown(text)
        if let exact = regions.first(where: { Self.shown($0.name) == wanted }) { return exact.id }
        return regions.last { Self.shown($0.name).hasPrefix(wanted) }?.id
    }

    private func findExact(_ text: String) -> Int? {
        if text == "*" { return 0 }
        return regions.first { Self.shown($0.name) == Self.shown(text) }?.id
    }

    // MARK: Changing

    /// Adds a region, or moves it below another parent and allows its floods; nil when that cannot be.
    @discardableResult
    mutating func put(_ name: String, parent: Int, allowsFlood: Bool = true) -> Int? {
        if let index = regions.firstIndex(where: { Self.shown($0.name) == Self.shown(name) }) {
            guard !isBelow(parent, regions[index].id) else { return nil }
            regions[index].parent = parent
            regions[index].allowsFlood = allowsFlood
            return regions[index].id
        }
        guard Self.isValid(name), regions.count < Self.capacity else { return nil }
        let key = name.hasPrefix("$") ? nil : RegionKey(named: name.consoleText)
        regions.append(Region(id: nextID, parent: parent, name: name, allowsFlood: allowsFlood, key: key))
        nextID += 1
        return nextID - 1
    }

    private func isBelow(_ id: Int, _ ancestor: Int) -> Bool {
        var current = id
        for _ in 0...regions.count {
            if current == ancestor { return true }
            guard let parent = region(current)?.parent else { return false }
            current = parent
        }
        return false
    }

    mutating func setFlood(_ id: Int, allowed: Bool) {
        guard id != 0 else { return allowsUnscoped = allowed }
        guard let index = regions.firstIndex(where: { $0.id == id }) else { return }
        regions[index].allowsFlood = allowed
    }

    enum Removal { case removed, hasChildren, unknown }

    mutating func remove(_ name: String) -> Removal {
        guard let id = findExact(name), id != 0 else { return .unknown }
        guard !regions.contains(where: { $0.parent == id }) else { return .hasChildren }
        regions.removeAll { $0.id == id }
        if home == id { home = 0 }
        if standard == id { standard = 0 }
        return .removed
    }

    mutating func setHome(_ id: Int) { home = id }

    /// Makes a region the scope of what the node originates, creating and allowing it; nil takes the scope away.
    mutating func setDefault(_ name: String?) -> Bool {
        guard let name else {
            standard = 0
            return true
        }
        guard let id = findExact(name) ?? put(name, parent: 0), id != 0 else { return false }
        setFlood(id, allowed: true)
        standard = id
        return true
    }

    // MARK: Text

    /// A region's shown name, `*` for the wildcard.
    func name(of id: Int) -> String { region(id).map { Self.shown($0.name) } ?? "*" }

    var homeName: String { name(of: home) }

    /// ` name (parent) F`, or without a parent below the wildcard.
    func line(of id: Int) -> String {
        guard let region = region(id) else { return " * \(allowsUnscoped ? "F" : "")" }
        let parent = region.parent == 0 ? "" : " (\(name(of: region.parent)))"
        return " \(Self.shown(region.name))\(parent) \(region.allowsFlood ? "F" : "")"
    }

    /// The tree, a line for each region, cut at 159 bytes.
    var tree: String {
        var text = "*\(home == 0 ? "^" : "")\(allowsUnscoped ? " F" : "")\n"
        func add(below parent: Int, depth: Int) {
            guard depth <= Self.capacity else { return }
            for region in regions where region.parent == parent {
                text += String(repeating: " ", count: depth) + Self.shown(region.name)
                text += (region.id == home ? "^" : "") + (region.allowsFlood ? " F" : "") + "\n"
                add(below: region.id, depth: depth + 1)
            }
        }
        add(below: 0, depth: 1)
        return Server.string(Array(text.consoleBytes.prefix(159)))
    }

    /// Names of those that allow or deny floods, joined by commas, at most `limit` bytes; longer ones are skipped.
    func names(allowed: Bool, limit: Int) -> String {
        var names: [String] = allowsUnscoped == allowed ? ["*"] : []
        names += regions.filter { $0.allowsFlood == allowed }.map { Self.shown($0.name) }
        var text = ""
        for name in names where text.consoleBytes.count + name.consoleBytes.count + 1 <= limit {
            text += (text.isEmpty ? "" : ",") + name
        }
        return text
    }
}
