internal import RunRecord

/// The cases of two files side by side: those of one id and seed belong together, repeats in their order.
package struct RunPairing: Sendable {
    package struct Pair: Sendable {
        package var id: String
        /// The seeds of both sides; the same but for two files that each hold one case.
        package var seeds: (left: UInt64, right: UInt64)
        package var counts: (left: Int, right: Int)
        package var difference: RunDifference
    }

    package struct Lone: Sendable, Hashable {
        package var id: String
        package var seed: UInt64

        package init(id: String, seed: UInt64) {
            self.id = id
            self.seed = seed
        }
    }

    package private(set) var pairs: [Pair] = []
    package private(set) var onlyLeft: [Lone] = []
    package private(set) var onlyRight: [Lone] = []

    package var isSame: Bool {
        onlyLeft.isEmpty && onlyRight.isEmpty && pairs.allSatisfy(\.difference.isSame)
    }

    package init(_ left: [RunFile.Case], _ right: [RunFile.Case]) {
        var waiting: [Lone: [Int]] = [:]
        for (index, item) in right.enumerated() {
            waiting[Lone(id: item.id, seed: item.seed), default: []].append(index)
        }
        var taken: Set<Int> = []
        for item in left {
            let key = Lone(id: item.id, seed: item.seed)
            guard let partner = waiting[key]?.first else {
                // Two single runs were meant to be compared, whatever they are.
                if left.count == 1, right.count == 1 {
                    add(item, right[0])
                    return
                }
                onlyLeft.append(key)
                continue
            }
            waiting[key]?.removeFirst()
            taken.insert(partner)
            add(item, right[partner])
        }
        for (index, item) in right.enumerated() where !taken.contains(index) {
            onlyRight.append(Lone(id: item.id, seed: item.seed))
        }
    }

    private mutating func add(_ left: RunFile.Case, _ right: RunFile.Case) {
        pairs.append(
            Pair(
                id: left.id == right.id ? left.id : left.id + " and " + right.id, seeds: (left.seed, right.seed),
                counts: (left.events.count, right.events.count),
                difference: RunDifference(left.events, right.events)))
    }
}
