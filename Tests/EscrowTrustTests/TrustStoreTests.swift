import EscrowDiagnostics
import EscrowManifest
import Foundation
import Testing

@testable import EscrowTrust

@Suite struct TrustStoreTests {
    private static let key = Fixture.publisher.publicKey.base64

    @Test func readsLinesCommentsAndOptions() throws {
        let text = """
            # keys that I trust

            org.example.*  valid-after=20260101Z,valid-before=20280101Z,types="plugin-manifest,grant",threshold=2  ed25519  \(Self.key)  # Example Org
            org.other.thing ed25519 \(Fixture.other.publicKey.base64)
            """
        let store = try TrustStore(parsing: Array(text.utf8), file: "trust.signers")
        #expect(store.entries.count == 2)
        let first = store.entries[0]
        #expect(
            first.types == [.pluginManifest, .grant] && first.threshold == 2 && first.name == "Example Org")
        #expect(first.validAfter?.day == "2026-01-01" && first.validBefore?.day == "2028-01-01")
        #expect(store.entries[1].types == [.pluginManifest] && store.entries[1].name == nil)
        for entry in store.entries { #expect(try TrustEntry(line: entry.line) == entry) }
    }

    @Test(arguments: [
        "org.example.*", "* ed25519 KEY", "org.* rsa KEY", "org.* ed25519 AAAA", "org.* a=b ed25519 KEY",
        "org.* types=\"\" ed25519 KEY", "org.* types=\"plugin\" ed25519 KEY",
        "org.* valid-after=2026 ed25519 KEY",
        "org.* valid-after=20260101 ed25519 KEY", "org.* valid-after=20261301Z ed25519 KEY",
        "org.* threshold=0 ed25519 KEY", "org.* threshold=2,threshold=1 ed25519 KEY",
        "org.* threshold=2, ed25519 KEY",
        "org.* lineage=SHA256:x ed25519 KEY", "org.* types=\"plugin-manifest ed25519 KEY",
        "org.* x x ed25519 KEY", "org.* ed25519 KEY KEY",
    ])
    func aLineThatIsNotUnderstoodIsNamed(line: String) {
        let text = "# first\n" + line.replacing("KEY", with: Self.key) + "\n"
        let refused = refusal { _ = try TrustStore(parsing: Array(text.utf8), file: "trust.signers") }
        #expect(refused?.exitStatus == .untrusted)
        #expect(refused?.place == .init(file: "trust.signers", line: 2))
    }

    @Test func addingAndRemovingKeepsComments() throws {
        let home = Scratch()
        let file = TrustFile(home.path + "/trust.signers")
        home.write("trust.signers", Array("# mine\n".utf8))
        let entry = try TrustEntry(
            pattern: "org.example.*", key: Fixture.publisher.publicKey, name: "Example")
        try file.add(entry)
        try file.add(entry)
        try file.add(try TrustEntry(pattern: "org.other.*", key: Fixture.other.publicKey))
        #expect(try file.load().entries.count == 2)
        #expect(try file.remove(Fixture.publisher.publicKey.id) == [entry])
        #expect(String(decoding: readFile(file.path), as: UTF8.self).hasPrefix("# mine\norg.other.*"))
    }

    @Test func aKeyCountsForItsIdsKindsAndTimesOnly() throws {
        let key = Fixture.publisher.publicKey
        let store = try Fixture.trust(validBefore: Fixture.now.adding(days: 1))
        let id = "org.example.count"
        #expect(throws: Never.self) {
            try store.judge([key], for: .pluginManifest, id: id, at: Fixture.now).get()
        }
        for (type, name, time) in [
            (PayloadType.pluginManifest, "com.evil.count", Fixture.now), (.grant, id, Fixture.now),
            (.pluginManifest, id, Fixture.now.adding(days: 1)),
        ] {
            let verdict = store.judge([key], for: type, id: name, at: time)
            #expect(verdict == .failure(.signerNotForThis(id: name, signer: key.id)))
        }
    }

    @Test func aThresholdNeedsDistinctKeys() throws {
        let both = TrustStore([
            try TrustEntry(pattern: "org.example.*", key: Fixture.publisher.publicKey, threshold: 2),
            try TrustEntry(pattern: "org.example.*", key: Fixture.other.publicKey, threshold: 2),
        ])
        let home = Scratch()
        let store = try Fixture.store(home, trust: both)
        for keys in [[Fixture.publisher], [Fixture.publisher, Fixture.publisher]] {
            let path = try Fixture.pack(keys: keys, into: home)
            #expect(refusal { _ = try store.inspect(path, now: Fixture.now) }?.code == .tooFewSignatures)
        }
        let path = try Fixture.pack(keys: [Fixture.publisher, Fixture.other], into: home)
        #expect(try store.inspect(path, now: Fixture.now).keys.count == 2)
    }

    @Test func aRotationNeedsBothKeysAndNeverWidens() throws {
        let home = Scratch()
        let file = TrustFile(home.path + "/trust.signers")
        try file.add(
            try TrustEntry(pattern: "org.example.count", key: Fixture.publisher.publicKey, name: "Example"))
        let until = Fixture.now.adding(days: 30)
        let lineage = try Lineage(
            from: Fixture.publisher.publicKey, to: Fixture.other.publicKey,
            ids: ["org.example.*", "com.evil.*"],
            effective: Fixture.now, oldKeyVerifiesUntil: until)
        let envelope = try lineage.sign(old: Fixture.publisher, new: Fixture.other)
        #expect(try Lineage(verifying: envelope, trust: file.load(), file: "lineage.json") == lineage)
        try file.apply(lineage, revocations: .none, now: Fixture.now)
        let entries = try file.load().entries
        #expect(entries.map(\.pattern) == ["org.example.count", "org.example.count"])
        #expect(entries[0].validBefore == until && entries[1].key == Fixture.other.publicKey)
        // Signed by the old key alone, and by a stranger in the place of the new one.
        let half = try Envelope.sign(envelope.payload, as: .keyLineage, with: [Fixture.publisher])
        #expect(
            refusal { _ = try Lineage(verifying: half, trust: file.load(), file: "l") }?.exitStatus
                == .untrusted)
        let stranger = try Envelope.sign(
            envelope.payload, as: .keyLineage, with: [Fixture.publisher, Fixture.owner])
        #expect(
            refusal { _ = try Lineage(verifying: stranger, trust: file.load(), file: "l") }?.exitStatus
                == .untrusted)
    }

    /// Nor does the end of its time: what was signed by two must not be believed of one some day.
    @Test func aThresholdHoldsLongerThanItsLine() throws {
        let strict = try TrustEntry(
            pattern: "org.example.*", key: Fixture.publisher.publicKey, validBefore: Fixture.now, threshold: 2
        )
        let lax = try TrustEntry(pattern: "org.example.*", key: Fixture.other.publicKey)
        let id = "org.example.count"
        let store = TrustStore([strict, lax])
        #expect(
            store.judge([lax.key], for: .pluginManifest, id: id, at: Fixture.now)
                == .failure(.tooFewSigners(id: id, found: 1, needed: 2)))
        #expect(store.threshold(pattern: "org.example.*") == 2)
        #expect(TrustStore([lax]).threshold(pattern: "org.example.*") == 1)
        #expect(TrustStore([lax]).threshold(pattern: "org.other.*") == nil)
    }

    /// To Swift it is one character with the line feed, and the line behind a comment would be part of it.
    @Test func aCarriageReturnIsRefused() throws {
        let text =
            "# mine\norg.other.* ed25519 \(Self.key) # two\r\norg.example.* threshold=2 ed25519 \(Self.key)\n"
        let home = Scratch()
        home.write("trust.signers", Array(text.utf8))
        let file = TrustFile(home.path + "/trust.signers")
        let refused = refusal { _ = try file.load() }
        #expect(refused?.code == .trustStoreInvalid && refused?.place?.line == 2)
        #expect(refusal { _ = try file.remove(Fixture.publisher.publicKey.id) }?.code == .trustStoreInvalid)
        #expect(readFile(file.path) == Array(text.utf8))
    }

    @Test func revocationsAreTheOwnersAndOnlyGrow() throws {
        let home = Scratch()
        let path = home.path + "/revocations.json"
        let owner = Fixture.owner
        #expect(try Revocations.load(path, owner: owner.publicKey, now: Fixture.now) == .none)
        let first = Revocations(
            sequence: 2, expires: Fixture.expires, keys: [Fixture.other.publicKey.id.description])
        try first.save(path, owner: owner)
        #expect(try Revocations.load(path, owner: owner.publicKey, now: Fixture.now) == first)
        #expect(refusal { try first.save(path, owner: owner) }?.code == .revocationsRefused)
        #expect(
            refusal { _ = try Revocations.load(path, owner: owner.publicKey, now: Fixture.expires) }?.code
                == .revocationsRefused)
        #expect(
            refusal { _ = try Revocations.load(path, owner: Fixture.other.publicKey, now: Fixture.now) }?.code
                == .unknownSigner)
    }

    @Test("a key of small order is refused, whoever put it into the file")
    func smallOrder() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/envelope/low-order-key.signers").path
        #expect(throws: Diagnostic(.publicKeyInvalid, "")) { try TrustStore.load(path) }
    }
}
