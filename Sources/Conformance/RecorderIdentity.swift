internal import RigCrypto

/// The published test keys of the recordings: each node's seed is made from its label.
enum RecorderIdentity {
    static func seed(of label: String) -> [UInt8] { Digest.sha256(Array("oracle-identity-\(label)".utf8)) }
}
