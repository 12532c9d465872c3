internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase

extension CommandHandler {
    /// EXPORT_PRIVATE_KEY (companion-protocol §3.26).
    static let exportPrivateKey = CommandHandler(.exportPrivateKey) { companion in
        guard companion.board.allowsKeyExport else {
            companion.writeSmall(.disabled) { _ in }
            return true
        }
        let key = companion.node.identity.privateKey.reveal { $0 }
        companion.writeSmall(.privateKey) { $0.append(key) }
        return true
    }
}
