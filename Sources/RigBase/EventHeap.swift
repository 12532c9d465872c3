/// A priority queue whose order is total: equal keys leave in the order in which they came.
public struct EventHeap<Key: Comparable & Sendable, Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var key: Key
        var sequence: UInt64
        var element: Element
    }

    private var entries: [Entry] = []
    private var nextSequence: UInt64 = 0

    public init() {}

    public var count: Int { entries.count }
    public var isEmpty: Bool { entries.isEmpty }
    /// The key of what leaves next.
    public var nextKey: Key? { entries.first?.key }
    /// What leaves next.
    public var next: Element? { entries.first?.element }

    public mutating func insert(_ element: Element, at key: Key) {
        entries.append(Entry(key: key, sequence: nextSequence, element: element))
        nextSequence += 1
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard precedes(child, parent) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    public mutating func pop() -> (key: Key, element: Element)? {
        guard !entries.isEmpty else { return nil }
        entries.swapAt(0, entries.count - 1)
        let entry = entries.removeLast()
        var parent = 0
        while true {
            var first = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < entries.count && precedes(child, first) { first = child }
            if first == parent { break }
            entries.swapAt(parent, first)
            parent = first
        }
        return (entry.key, entry.element)
    }

    /// Takes out everything that matches; what stays keeps its order.
    public mutating func removeAll(where matches: (Element) -> Bool) {
        let kept = entries.filter { !matches($0.element) }
        guard kept.count != entries.count else { return }
        entries = kept.sorted { ($0.key, $0.sequence) < ($1.key, $1.sequence) }
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let (a, b) = (entries[left], entries[right])
        return a.key < b.key || (a.key == b.key && a.sequence < b.sequence)
    }
}
