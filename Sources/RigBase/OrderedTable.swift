/// A dictionary that iterates in the order in which its keys were first inserted, so that no hash order can leak.
public struct OrderedTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var positions: [Key: Int] = [:]
    private var slots: [(key: Key, value: Value)?] = []

    public init() {}

    public var count: Int { positions.count }
    public var isEmpty: Bool { positions.isEmpty }
    public var keys: [Key] { slots.compactMap { $0?.key } }
    public var values: [Value] { slots.compactMap { $0?.value } }
    /// Keys with their values, oldest insertion first.
    public var entries: [(key: Key, value: Value)] { slots.compactMap { $0 } }

    public subscript(key: Key) -> Value? {
        get { positions[key].flatMap { slots[$0]?.value } }
        set {
            switch (positions[key], newValue) {
            case (let position?, let value?): slots[position] = (key, value)
            case (let position?, nil):
                slots[position] = nil
                positions[key] = nil
                compactWhenSparse()
            case (nil, let value?):
                positions[key] = slots.count
                slots.append((key, value))
            case (nil, nil): break
            }
        }
    }

    @discardableResult
    public mutating func removeValue(forKey key: Key) -> Value? {
        let value = self[key]
        self[key] = nil
        return value
    }

    public mutating func removeAll() { self = Self() }

    private mutating func compactWhenSparse() {
        guard slots.count > 32, positions.count * 2 < slots.count else { return }
        slots = slots.filter { $0 != nil }
        for (position, slot) in slots.enumerated() {
            if let slot { positions[slot.key] = position }
        }
    }
}
