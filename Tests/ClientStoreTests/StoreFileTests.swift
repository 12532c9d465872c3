import ClientStore
import Foundation
import RigBase
import Testing

@testable import struct ClientStore.Database

@Suite struct StoreFileTests {
    @Test func `what was stored is there after opening the file again`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        do {
            let store = try PersistenceStore(.file(path))
            try await store.saveDevice(Sample.device(Sample.radioA, key: 1))
            try await store.setLastContactSync(77, radio: Sample.radioA)
            _ = try await store.saveContacts([Sample.contact(9, "bob")], radio: Sample.radioA, newID: Sample.newID)
        }
        let again = try PersistenceStore(.file(path))
        #expect(try await again.device(Sample.radioA)?.lastContactSync == 77)
        #expect(try await again.contacts(radio: Sample.radioA).map(\.name) == ["bob"])
    }

    @Test func `a missing folder is named`() {
        #expect(throws: StoreError.folderMissing(path: "/nowhere-at-all/a.db")) {
            try PersistenceStore(.file("/nowhere-at-all/a.db"))
        }
    }

    @Test func `a place that refuses writing is named, whether or not the file exists`() {
        for path in ["/sys/kernel/address_bits", "/sys/kernel/new.db"] {
            #expect(throws: StoreError.readOnly(path: path)) { try PersistenceStore(.file(path)) }
        }
    }

    @Test func `a file that is no database is refused and left as it is`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("text")
        let text = String(repeating: "this is no database ", count: 100)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: StoreError.notAStore(path: path)) { try PersistenceStore(.file(path)) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    @Test func `a database of another program is refused`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("other.db")
        do { try Database(file: path).execute("CREATE TABLE theirs (x)") }
        #expect(throws: StoreError.notAStore(path: path)) { try PersistenceStore(.file(path)) }
    }

    @Test func `a file of a newer version is refused by the names of its migrations`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("newer.db")
        _ = try PersistenceStore(.file(path))
        do { try Database(file: path).execute("INSERT INTO migration (name) VALUES ('from the future')") }
        #expect(throws: StoreError.newerSchema(path: path, unknownMigrations: ["from the future"])) {
            try PersistenceStore(.file(path))
        }
    }

    @Test func `a file another program holds is told as busy`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("held.db")
        let holder = try Database(file: path)
        try holder.execute("BEGIN EXCLUSIVE")
        #expect(throws: StoreError.busy(path: path)) { try PersistenceStore(.file(path)) }
        try holder.execute("ROLLBACK")
    }

    @Test func `a full disk is one clear error, keeps what was there and nothing of the change`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("full.db")
        let store = try PersistenceStore(.file(path))
        _ = try await store.saveContacts([Sample.contact(1, "first")], radio: Sample.radioA, newID: Sample.newID)
        try await store.limitPages(1)
        let many = (2...200).map { ContactFields(key: Sample.key($0), name: "n\($0)", path: Sample.key($0)) }
        await #expect(throws: StoreError.full(path: path)) {
            try await store.saveContacts(many, radio: Sample.radioA, newID: Sample.newID)
        }
        #expect(try await store.contacts(radio: Sample.radioA).map(\.name) == ["first"])
        try await store.limitPages(100_000)
        _ = try await store.saveContacts(many, radio: Sample.radioA, newID: Sample.newID)
        #expect(try await store.contacts(radio: Sample.radioA).count == 200)
    }
}
