package import ClientStore
package import RigBase
internal import RigRuntime
package import ScenarioModel

/// How a run of a testbed's loop ended.
package enum LoopEnding: Sendable, Hashable {
    /// The script is done.
    case finished
    /// Nothing will ever happen again, and the script is not done.
    case stuck
    /// The run came to its limit of time or events.
    case overLimit(String)
}

/// A testbed with the loop that carries one case: it runs every job of the case on the thread that calls `run`.
package protocol CaseTestbed: Testbed {
    /// Where the client under test keeps what it knows.
    var store: PersistenceStore { get }

    /// Runs jobs until `isDone`, letting time pass; `onChange` is called whenever the journal has grown and nothing is
    /// ready to run.
    func run(until isDone: () -> Bool, limit: Deadline, eventLimit: Int, onChange: () -> Void) -> LoopEnding

    /// Runs what is ready to run without letting time pass.
    func drain()

    /// Ends what only the testbed itself still waits for, once the script is done.
    func endDisturbances()
}

/// What the client has stored, read from the store itself and not through the services under test.
extension CaseTestbed {
    package func storedContacts() async -> [StoredContact] {
        guard let radio = await radioID() else { return [] }
        return (try? await store.contacts(radio: radio)) ?? []
    }

    package func storedChannels() async -> [StoredChannel] {
        guard let radio = await radioID() else { return [] }
        return (try? await store.channels(radio: radio)) ?? []
    }

    package func storedMessages() async -> [SeenMessage] {
        guard let radio = await radioID() else { return [] }
        let contacts = await storedContacts()
        let channels = await storedChannels()
        let messages = (try? await store.messages(radio: radio)) ?? []
        return messages.map { message in
            var seen = SeenMessage(
                id: message.id.description, isOutgoing: message.direction == .outgoing, contactName: nil,
                channelIndex: nil, channelName: nil,
                senderName: message.senderName, text: message.text)
            switch message.conversation {
            case .contact(let id):
                let contact = contacts.first { $0.id == id }
                (seen.contactName, seen.contactKey) = (contact?.name, contact?.key)
            case .channel(let index):
                seen.channelIndex = index
                seen.channelName = channels.first { $0.index == index }?.name
            case .unknownSender: break
            }
            seen.values = message.values
            return seen
        }
    }

    package func storeFacts() async -> [NamedValue] {
        await StoreFacts.values(of: store, radio: await radioID() ?? UUID128(high: 0, low: 0))
    }

    /// The partition of the role's radio; nil before it was ever connected.
    private func radioID() async -> UUID128? {
        guard let key = publicKey(of: clientRole) else { return nil }
        let nobody = UUID128(high: 0, low: 0)
        let found = try? await store.radioID(handle: [], publicKey: key, newID: nobody)
        return found == nobody ? nil : found
    }
}
