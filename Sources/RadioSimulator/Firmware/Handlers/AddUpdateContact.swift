internal import CompanionProtocol
internal import MeshProtocol

extension CommandHandler {
    /// ADD_UPDATE_CONTACT (companion-protocol §3.8).
    static let addUpdateContact = CommandHandler(.addUpdateContact) { companion in
        let command = companion.command
        guard command.length >= 36 else { return false }
        let key = PublicKey(command.slice(1, 32))
        var known = companion.contactIndex(key: key)
        let (type, quirks) = (command[33], companion.quirks)
        let pathLength = PathLength(rawValue: command[35])
        guard pathLength.isValid || pathLength == .none || quirks.takesInvalidPaths else {
            companion.error(.illegalArgument)
            return true
        }
        if let slot = known, slot < Companion.transientSlots, type != 0, !quirks.updatesTransientsInPlace {
            companion.contacts[slot] = .zero
            known = nil
        }
        let isNew = known == nil
        guard
            let index = known
                ?? (type == 0 ? companion.allocateTransient(key: key) : companion.allocateContact(key: key))
        else {
            companion.error(.tableFull)
            return true
        }
        var contact = companion.contacts[index]
        contact.type = type
        contact.flags = command[34]
        contact.pathLength = command[35]
        contact.path = command.slice(36, 64)
        contact.nameField = command.slice(100, 32)
        contact.lastAdvert = command.u32(132)
        contact.lastModified = command.length >= 148 ? command.u32(144) : companion.node.seconds()
        if command.length >= 144 {
            contact.latitude = command.i32(136)
            contact.longitude = command.i32(140)
        } else if isNew, quirks.leavesPositionsUndefined {
            contact.latitude = companion.out.leftover(136)
            contact.longitude = companion.out.leftover(140)
        }
        companion.contacts[index] = contact
        companion.contactsChanged()
        companion.ok()
        return true
    }
}
