internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// IMPORT_PRIVATE_KEY (companion-protocol §3.26): afterwards contacts are as they were last saved.
    static let importPrivateKey = CommandHandler(.importPrivateKey) { companion in
        let command = companion.command
        guard command.length >= 65 else { return false }
        guard companion.board.allowsKeyImport else {
            companion.writeSmall(.disabled) { _ in }
            return true
        }
        let key = command.slice(1, 64)
        guard Identity.isAcceptable(privateKey: key), let identity = Identity(privateKey: key) else {
            companion.error(.illegalArgument)
            return true
        }
        companion.node.identity = identity
        companion.flash.identity = identity
        companion.ok()
        if !companion.quirks.importLosesChanges { companion.saveContacts() }
        companion.loadContacts()
        return true
    }
}
