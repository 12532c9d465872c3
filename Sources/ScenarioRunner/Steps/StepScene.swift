internal import ClientStore
internal import ClientServices
internal import CompanionProtocol
internal import MeshCoreClient
internal import RigBase
internal import ScenarioModel

/// What a verb may use.
package struct StepScene: Sendable {
    package var testbed: any Testbed
    package var record: StepRecord
    /// Steps that were given a name with `as`, by that name.
    package var named: @Sendable (String) -> StepRecord?
}

extension StepScene {
    /// The session of the client under test; throws when there is none.
    func session() async throws -> MeshCoreSession {
        guard let session = await testbed.client.container?.session else { throw SessionError.notConnected }
        return session
    }

    /// The key of a contact or a node; a name that stands for nobody has a key that no radio knows.
    func key(of name: String) async -> [UInt8] {
        let stored = await testbed.storedContacts().first { $0.name == name }?.key
        return stored ?? testbed.publicKey(of: name) ?? StrangerKeys.key(of: name)
    }

    /// The contact as the radio has it.
    func contact(_ name: String) async throws -> ContactRecord {
        guard let contact = try await session().getContact(key: await key(of: name)) else {
            throw StepFailure("not-found", "the radio has no contact \"\(name)\"")
        }
        return contact
    }

    /// The first bytes of the keys of nodes, one after the other, as paths hold them.
    func hashes(of names: [String], size: Int) async -> [UInt8] {
        var path: [UInt8] = []
        for name in names { path += await key(of: name).prefix(size) }
        return path
    }
}
