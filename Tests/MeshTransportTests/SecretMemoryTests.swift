import MeshTransport
import Testing

@Suite struct `Secret memory` {
    @Test func `finds pieces of six bytes at any place, and nothing else`() {
        let memory = SecretMemory()
        let secret = Array(UInt8(10)..<26)
        memory.learn(secret)
        #expect(memory.mask([1, 2] + secret + [3]) == [1, 2] + [UInt8](repeating: 0, count: 16) + [3])
        #expect(memory.mask([9] + secret[4..<10] + [9]) == [9, 0, 0, 0, 0, 0, 0, 9])
        #expect(memory.mask([9] + secret[4..<9] + [9]) == [9, 14, 15, 16, 17, 18, 9])
        #expect(memory.mask([]) == [])
    }

    @Test func `takes no filling for a secret`() {
        let memory = SecretMemory()
        memory.learn([UInt8](repeating: 0, count: 20) + [UInt8](repeating: 7, count: 20))
        let filling = [UInt8](repeating: 0, count: 10) + [UInt8](repeating: 7, count: 10)
        #expect(memory.mask(filling) == filling)
    }
}
