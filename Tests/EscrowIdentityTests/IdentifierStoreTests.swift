import EscrowDiagnostics
import EscrowIdentity
import EscrowMinimisation
import Foundation
import TemporaryFolder
import Testing

@Suite("Identifiers towards apps and publishers") struct IdentifierStoreTests {
    let scratch: TemporaryFolder
    var folder: URL { scratch.url }
    let here = DeviceIdentity(secret: Array("one machine".utf8))
    let there = DeviceIdentity(secret: Array("another machine".utf8))

    init() throws {
        scratch = try TemporaryFolder("escrow-id")
    }

    func store(_ device: DeviceIdentity) -> IdentifierStore {
        IdentifierStore(directory: folder.path, device: device)
    }

    /// The identifiers of an app, a publisher and for advertising.
    func all(_ device: DeviceIdentity, app: String = "org.example.a", vendor: String = "k1") throws
        -> [String]
    {
        try Identifier.Kind.allCases.map {
            try store(device).identifier($0, app: app, vendor: vendor).value
        }
    }

    @Test("Each is random, a UUID of version 4, and stays")
    func areRandomAndStay() throws {
        let first = try all(here)
        #expect(Set(first).count == 3)
        for value in first {
            #expect(
                value.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                    != nil)
        }
        #expect(try all(here) == first)
    }

    @Test("An app's is its own, a publisher's the same for all apps, the one for advertising for all")
    func scopes() throws {
        let first = try all(here)
        let other = try all(here, app: "org.example.b")
        #expect(other[0] != first[0] && other[1] == first[1] && other[2] == first[2])
        let stranger = try all(here, vendor: "k2")
        #expect(stranger[0] == first[0] && stranger[1] != first[1] && stranger[2] == first[2])
        #expect(
            try store(here).list().map(\.kind) == [
                .application, .application, .vendor, .vendor, .advertising,
            ])
    }

    @Test("A reset gives a new one to whoever asks next, and to nobody else")
    func resets() throws {
        let first = try all(here)
        #expect(try store(here).reset(.application, owner: "org.example.a") == 1)
        #expect(try store(here).reset(.advertising, owner: nil) == 1)
        let second = try all(here)
        #expect(second[0] != first[0] && second[1] == first[1] && second[2] != first[2])
        #expect(try store(here).reset(.vendor, owner: nil) == 1)
        #expect(try all(here)[1] != first[1])
        #expect(throws: Diagnostic(.noSuchIdentifier, "")) { try store(here).reset(.vendor, owner: "nobody") }
        #expect(try store(here).reset(.vendor, owner: nil) == 1)
        #expect(try store(here).reset(.vendor, owner: nil) == 0)
    }

    @Test("On another machine the app's stays; the publisher's and the one for advertising are new, for good")
    func movesToAnotherMachine() throws {
        let first = try all(here)
        let pseudonym = try store(here).keyedHash(app: "org.example.a", publisher: "k1").value(
            .pseudonym, [1, 2, 3])
        let moved = try all(there)
        #expect(moved[0] == first[0] && moved[1] != first[1] && moved[2] != first[2])
        #expect(try all(there) == moved)
        // Pseudonyms follow the app's identifier.
        #expect(
            try store(there).keyedHash(app: "org.example.a", publisher: "k1").value(.pseudonym, [1, 2, 3])
                == pseudonym)
        // The way back is no way back to the old ones.
        let back = try all(here)
        #expect(back[0] == first[0] && !first.contains(back[1]) && !moved.contains(back[1]))
    }

    @Test("To settle does the same at once, and says whether it is another machine")
    func settles() throws {
        #expect(try !store(here).settle())
        let first = try all(here)
        #expect(try !store(here).settle())
        #expect(try store(there).settle())
        #expect(try store(there).list().map(\.value) == [first[0]])
    }

    @Test("A publisher takes its identifier to a new key")
    func followsAKey() throws {
        let first = try all(here)
        try store(here).renameVendor("k1", to: "k9")
        #expect(try all(here, vendor: "k9")[1] == first[1])
        #expect(try all(here)[1] != first[1])
    }

    @Test("The machine's number is nowhere in the file, and the file is private")
    func keepsNoMachineNumber() throws {
        _ = try all(here)
        let path = folder.appending(path: "identifiers.json").path
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("machine"))
        #expect(!text.contains(Data("one machine".utf8).base64EncodedString()))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        // Two homes on one machine cannot be matched by it.
        let other = folder.appending(path: "second")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        _ = try IdentifierStore(directory: other.path, device: here).identifier(
            .advertising, app: "a", vendor: "k")
        let second = try String(contentsOf: other.appending(path: "identifiers.json"), encoding: .utf8)
        func device(_ text: String) -> String? {
            text.firstMatch(of: /"device": "([0-9a-f]{64})"/).map { String($0.output.1) }
        }
        #expect(device(text) != nil && device(text) != device(second))
    }

    @Test("A look makes no file")
    func aLookMakesNoFile() throws {
        #expect(try store(here).list().isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "identifiers.json").path))
    }

    @Test(
        "A damaged file is an error, never a fresh start",
        arguments: [
            "", "{}", "{\"escrow-identifiers\": 2}", "[1]", "{\"escrow-identifiers\": 1, \"salt\": \"00\"}",
        ])
    func damagedFiles(_ text: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: "identifiers.json"))
        #expect(throws: Diagnostic(.identifiersUnreadable, "")) { try all(here) }
        #expect(throws: Diagnostic(.identifiersUnreadable, "")) { try store(there).settle() }
    }

    @Test("Pseudonyms differ between apps and between publishers")
    func pseudonymsDiffer() throws {
        var values: Set<KeyedHash.Value> = []
        for app in ["org.example.a", "org.example.b"] {
            for publisher in ["k1", "k2"] {
                values.insert(
                    try store(here).keyedHash(app: app, publisher: publisher).value(.pseudonym, [7]))
            }
        }
        #expect(values.count == 4)
        _ = try store(here).reset(.application, owner: "org.example.a")
        #expect(
            !values.contains(
                try store(here).keyedHash(app: "org.example.a", publisher: "k1").value(.pseudonym, [7])))
    }

    @Test("A late key changes what was worth nothing before")
    func lateKey() throws {
        let late = DeferredHash()
        let early = late.keyedHash
        let before = early.value(.pseudonym, [7])
        let key = try store(here).keyedHash(app: "org.example.a", publisher: "k1")
        #expect(before != key.value(.pseudonym, [7]))
        late.set(key)
        #expect(early.value(.pseudonym, [7]) == key.value(.pseudonym, [7]))
        #expect(DeferredHash().keyedHash.value(.pseudonym, [7]) != before)
    }

    @Test("This machine has a number, always the same")
    func thisMachine() throws {
        let store = IdentifierStore(directory: folder.path)
        let value = try store.identifier(.vendor, app: "org.example.a", vendor: "k1").value
        #expect(try store.identifier(.vendor, app: "org.example.a", vendor: "k1").value == value)
        #expect(try IdentifierStore(directory: folder.path, device: .unknown()).settle())
    }
}
