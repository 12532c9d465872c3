import RigBase
import Testing

@Suite struct `Random streams` {
    @Test func `the same seed gives the same draws and forks do not depend on draws`() {
        var first = Prng(seed: 42)
        var second = Prng(seed: 42)
        let draws = (0..<100).map { _ in first.next() }
        let again = (0..<100).map { _ in second.next() }
        #expect(draws == again)
        #expect(first.fork("link", "a") == Prng(seed: 42).fork("link", "a"))
        #expect(first.fork("ab", "c") != first.fork("a", "bc"))
        #expect(first.fork("a") != first)
    }

    @Test func `bounded draws stay in bounds and reach every value`() {
        var prng = Prng(seed: 3)
        var seen = Set<Int>()
        for _ in 0..<1000 { seen.insert(prng.index(below: 7)) }
        #expect(seen == Set(0..<7))
        let only = prng.index(below: 1)
        #expect(only == 0)
    }

    @Test func `chances keep their extremes`() {
        var prng = Prng(seed: 9)
        for _ in 0..<200 {
            let (never, always) = (prng.chance(.never), prng.chance(.always))
            #expect(!never && always)
        }
        let hits = (0..<10_000).count { _ in prng.chance(Ratio(1, in: 4)) }
        #expect((2_300...2_700).contains(hits))
    }
}

@Suite struct `Bytes` {
    @Test func `a reader gives back what a writer wrote and refuses to go past the end`() throws {
        var writer = ByteWriter()
        writer.u8(1)
        writer.i8(-2)
        writer.u16(0xABCD)
        writer.i16(-3)
        writer.u32(0xDEAD_BEEF)
        writer.i32(-33_868_820)
        writer.field(Array("name".utf8), size: 6)
        writer.field(Array("too long".utf8), size: 3)
        var reader = ByteReader(writer.bytes)
        let (u8, i8, u16, i16) = (try reader.u8(), try reader.i8(), try reader.u16(), try reader.i16())
        #expect((u8, i8, u16, i16) == (1, -2, 0xABCD, -3))
        let (u32, i32) = (try reader.u32(), try reader.i32())
        #expect((u32, i32) == (0xDEAD_BEEF, -33_868_820))
        let (padded, cut) = (try reader.take(6), try reader.take(3))
        #expect(padded == Array("name\0\0".utf8))
        #expect(cut == Array("too".utf8))
        #expect(reader.isAtEnd)
        #expect(throws: ByteReader.Shortage(offset: writer.count, wanted: 1, available: 0)) { _ = try reader.u8() }
    }

    @Test func `hex reads back and refuses what is not hex`() {
        #expect(Hex.decode(Hex.encode([0, 1, 0xFE, 0xFF])) == [0, 1, 0xFE, 0xFF])
        #expect(Hex.decode("DE ad:be_EF") == [0xDE, 0xAD, 0xBE, 0xEF])
        #expect(Hex.decode("abc") == nil)
        #expect(Hex.decode("zz") == nil)
    }

    @Test func `a secret never shows its bytes`() {
        let secret = Secret(utf8: "hunter2")
        var dumped = ""
        dump(secret, to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), String(describing: [secret]), dumped] {
            #expect(!text.contains("hunter2"))
            #expect(!text.contains("104"))
        }
        #expect(secret.reveal { $0 } == Array("hunter2".utf8))
    }
}

@Suite struct `Order` {
    @Test func `equal keys leave in the order of arrival`() {
        var heap = EventHeap<Int, String>()
        for (key, name) in [(5, "a"), (1, "b"), (5, "c"), (1, "d"), (0, "e")] { heap.insert(name, at: key) }
        heap.removeAll { $0 == "c" }
        var left: [String] = []
        while let next = heap.pop() { left.append(next.element) }
        #expect(left == ["e", "b", "d", "a"])
    }

    @Test func `a heap sorts like a stable sort`() {
        var prng = Prng(seed: 11)
        var heap = EventHeap<Int, Int>()
        var list: [(key: Int, element: Int)] = []
        for index in 0..<2_000 {
            let key = prng.index(below: 50)
            heap.insert(index, at: key)
            list.append((key, index))
        }
        let expected = list.sorted { ($0.key, $0.element) < ($1.key, $1.element) }.map(\.element)
        var left: [Int] = []
        while let next = heap.pop() { left.append(next.element) }
        #expect(left == expected)
    }

    @Test func `a table iterates in the order of first insertion, also after removals`() {
        var table = OrderedTable<String, Int>()
        for index in 0..<100 { table["k\(index)"] = index }
        for index in 0..<90 { table["k\(index)"] = nil }
        table["k95"] = 1000
        table["k1"] = 1
        #expect(table.keys == (90..<100).map { "k\($0)" } + ["k1"])
        #expect(table["k95"] == 1000)
        #expect(table.count == 11)
    }
}

@Suite struct `Names and times` {
    @Test func `the nearest name is found and far ones are not`() {
        #expect(Nearest.name(to: "contcts", among: ["channels", "contacts"]) == "contacts")
        #expect(Nearest.name(to: "xyz", among: ["channels", "contacts"]) == nil)
    }

    @Test func `an identifier reads back`() {
        var prng = Prng(seed: 5)
        let id = UUID128(random: &prng)
        #expect(UUID128(id.description) == id)
        #expect(id.description.count == 36)
        #expect(UUID128("nonsense") == nil)
    }

    @Test func `instants print milliseconds and add without overflow`() {
        #expect(SimInstant(milliseconds: 12_045).description == "12.045s")
        #expect(SimInstant.distantFuture.advanced(by: .seconds(1)) == .distantFuture)
        #expect(SimInstant(milliseconds: 5).advanced(by: .microseconds(1500)).microseconds == 6_500)
    }
}
