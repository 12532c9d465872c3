import CompanionProtocol
import MeshProtocol

/// The confirmation code a radio computes for a direct text (mesh-protocol §3.1).
enum TestAck {
    static func code(of text: SendTextCommand, sender key: [UInt8]) -> [UInt8] {
        TextMessage(timestamp: text.timestamp, attempt: text.attempt, text: text.text.bytes)
            .ackHash(key: PublicKey(key)).bytes
    }
}
