import ClientStore
import Foundation
import RigBase
import Synchronization

/// Two radios that share one store, and short ways to make rows.
enum Sample {
    static let radioA = UUID128(high: 1, low: 1)
    static let radioB = UUID128(high: 2, low: 2)
    private static let made = Mutex<UInt64>(0)

    static func id(_ number: UInt64) -> UUID128 { UUID128(high: 0xF0, low: number) }
    static func key(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    /// An identifier no other call returns.
    static func newID() -> UUID128 {
        made.withLock {
            $0 += 1
            return UUID128(high: 0xC0, low: $0)
        }
    }

    static func device(_ radio: UUID128, key byte: UInt8, handle: UInt8? = nil) -> StoredDevice {
        StoredDevice(radioID: radio, handle: [handle ?? byte], publicKey: key(byte), name: "radio \(byte)")
    }

    static func contact(_ byte: UInt8, _ name: String, flags: UInt8 = 0, modified: UInt32 = 0) -> ContactFields {
        ContactFields(key: key(byte), name: name, flags: flags, modified: modified)
    }

    static func message(
        _ number: UInt64, in conversation: Conversation, radio: UUID128 = radioA, text: String = "hi",
        time: UInt32 = 100, sort: UInt32? = nil, direction: MessageDirection = .incoming,
        status: MessageStatus = .delivered, sender: String? = nil, dedup: String? = nil
    ) -> StoredMessage {
        StoredMessage(
            id: id(number), radioID: radio, conversation: conversation, direction: direction, text: text,
            timestamp: time, createdAt: sort ?? time, sortDate: sort, status: status, senderName: sender,
            dedupKey: dedup)
    }
}

/// A folder of its own for one test, removed when the test is over.
final class TemporaryFolder {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("store-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }
}
