package import RigBase

/// Checks that a frame decoder finds the same frames however their bytes are cut into chunks.
package struct FrameDecoderVerifier {
    /// Feeds chunks to a fresh decoder and gives the frames it found.
    package typealias Decode = ([[UInt8]]) -> [[UInt8]]

    private let encode: ([UInt8]) -> [UInt8]
    private let decode: Decode

    /// `encode` puts a frame into its envelope.
    package init(encode: @escaping ([UInt8]) -> [UInt8], decode: @escaping Decode) {
        self.encode = encode
        self.decode = decode
    }

    /// What went wrong, one line each; empty when the decoder is right. `garbage` lists runs that a right decoder skips
    /// when they stand before a frame.
    package func problems(with frames: [[UInt8]], garbage: [[UInt8]], _ prng: inout Prng) -> [String] {
        let stream = frames.flatMap(encode)
        var problems: [String] = []
        func check(_ name: String, _ chunks: [[UInt8]]) {
            let found = decode(chunks)
            guard found != frames else { return }
            let position = zip(found, frames).prefix { $0 == $1 }.count
            problems.append("\(name): \(found.count) frames instead of \(frames.count), different from \(position) on")
        }
        check("byte by byte", stream.map { [$0] })
        check("one chunk", [stream])
        check("one frame a chunk", frames.map(encode))
        for round in 0..<8 { check("random cut \(round)", Self.cut(stream, &prng)) }
        for (number, run) in garbage.enumerated() {
            let noisy = frames.flatMap { run + encode($0) }
            check("garbage \(number) in one chunk", [noisy])
            check("garbage \(number) byte by byte", noisy.map { [$0] })
            check("garbage \(number) cut at random", Self.cut(noisy, &prng))
        }
        return problems
    }

    /// Pieces of 1 to 40 bytes.
    private static func cut(_ bytes: [UInt8], _ prng: inout Prng) -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + 1 + prng.index(below: 40))
            chunks.append(Array(bytes[position..<end]))
            position = end
        }
        return chunks
    }
}
