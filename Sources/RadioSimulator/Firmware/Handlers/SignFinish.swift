internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// SIGN_FINISH (companion-protocol §3.37).
    static let signFinish = CommandHandler(.signFinish) { companion in
        guard let collected = companion.signing else {
            companion.error(.badState)
            return true
        }
        companion.signing = nil
        let signature = companion.node.identity.sign(collected)
        companion.reply(.signature) { $0.append(signature) }
        return true
    }
}
