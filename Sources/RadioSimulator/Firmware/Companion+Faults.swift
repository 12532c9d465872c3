internal import CompanionProtocol
internal import MeshProtocol
internal import RigBase

/// What faults of a scenario do inside a companion.
extension Companion {
    /// Damages one byte of the key, the name or the path of every stored contact.
    func damageStoredContacts(_ random: inout Prng) {
        for index in flash.contacts.indices {
            let (place, change) = (random.index(below: 32), UInt8(1 + random.index(below: 255)))
            if random.chance(Ratio(1, in: 2)) {
                var key = flash.contacts[index].key.bytes
                key[place] ^= change
                var damaged = Contact(key: PublicKey(key))
                let old = flash.contacts[index]
                (damaged.type, damaged.flags, damaged.nameField) = (old.type, old.flags, old.nameField)
                (damaged.lastAdvert, damaged.lastModified) = (old.lastAdvert, old.lastModified)
                (damaged.latitude, damaged.longitude) = (old.latitude, old.longitude)
                flash.contacts[index] = damaged
            } else {
                flash.contacts[index].nameField[place % max(1, flash.contacts[index].name.count)] ^= change
            }
        }
    }

    /// The contact that gives way: no favourite, and modified longest ago.
    var evictable: Int? {
        let candidates = contacts.indices.dropFirst(Self.transientSlots).filter { !contacts[$0].isFavourite }
        return candidates.min { (contacts[$0].lastModified, $0) < (contacts[$1].lastModified, $1) }
    }

    /// Gives a contact's place to a chat node that has just been heard.
    func evictContact(for key: PublicKey) {
        guard let place = evictable else { return }
        let lost = contacts[place].key
        flash.adverts[lost] = nil
        pushIfConnected(.contactDeleted) { $0.append(lost.bytes) }
        var newcomer = Contact(key: key)
        newcomer.setName("newcomer".utf8)
        newcomer.type = 1
        newcomer.lastAdvert = node.seconds()
        newcomer.lastModified = node.seconds()
        contacts[place] = newcomer
        pushIfConnected(.advert) { $0.append(key.bytes) }
        contactsChanged()
    }

    /// Puts switches over those the companion has by itself; with none it has its own again.
    func overlay(_ switches: [NodeFault.Quirk]) {
        guard !switches.isEmpty || ownQuirks != nil else { return }
        let own = ownQuirks ?? profile.quirks
        var quirks = own
        for entry in switches { _ = quirks.set(entry.name, to: entry.isOn) }
        ownQuirks = switches.isEmpty ? nil : own
        profile.quirks = quirks
    }
}

extension ExpectedAcks {
    /// The code of a text that still waits; nil when there is no such text.
    func awaited(_ choice: NodeFault.AckChoice) -> [UInt8]? {
        let waiting = newestFirst.filter { $0.ack != [0, 0, 0, 0] }
        return switch choice {
        case .latest: waiting.first?.ack
        case .earlier: waiting.count > 1 ? waiting[1].ack : nil
        case .nobody: nil
        }
    }
}
