import EscrowDiagnostics
import EscrowManifest
import Testing

@testable import EscrowTrust

/// What a publisher's old key can hand on, and what it cannot.
@Suite struct RotationTests {
    private let home = Scratch()
    private let file: TrustFile
    private let id = "org.example.count"

    init() { file = TrustFile(home.path + "/trust.signers") }

    private func trust(
        _ key: SigningKey, pattern: String = "org.example.*", threshold: Int = 1, until: Moment? = nil
    ) throws {
        try file.add(
            try TrustEntry(
                pattern: pattern, key: key.publicKey, validBefore: until, threshold: threshold))
    }

    private func rotate(
        _ old: SigningKey, to new: SigningKey, revoked: [SigningKey] = []
    ) throws {
        let lineage = try Lineage(
            from: old.publicKey, to: new.publicKey, ids: ["org.example.*"], effective: Fixture.now,
            oldKeyVerifiesUntil: Fixture.now.adding(days: 30))
        let revocations = Revocations(
            sequence: 1, expires: Fixture.expires, keys: revoked.map(\.publicKey.id.description))
        try file.apply(lineage, revocations: revocations, now: Fixture.now)
    }

    private func judge(_ keys: SigningKey...) throws -> Verification.Reason? {
        let verdict = try file.load().judge(
            keys.map(\.publicKey), for: .pluginManifest, id: id, at: Fixture.now)
        return if case .failure(let reason) = verdict { reason } else { nil }
    }

    @Test func aRevokedKeyHandsNothingOnAndGetsNothing() throws {
        try trust(Fixture.publisher)
        for revoked in [Fixture.publisher, Fixture.other] {
            let refused = refusal { try rotate(Fixture.publisher, to: Fixture.other, revoked: [revoked]) }
            #expect(refused?.code == .rotationRefused)
        }
        #expect(try file.load().entries.map(\.key) == [Fixture.publisher.publicKey])
    }

    @Test func aKeyWhoseTimeIsOverHandsNothingOn() throws {
        try trust(Fixture.publisher, until: Fixture.now)
        #expect(refusal { try rotate(Fixture.publisher, to: Fixture.other) }?.code == .rotationRefused)
    }

    /// Both keys are one publisher's, however often they were changed.
    @Test func aKeyAndItsSuccessorsAreOneSigner() throws {
        let third = Fixture.key(5)
        let second = Fixture.key(4)
        try trust(Fixture.publisher, threshold: 2)
        try trust(second, threshold: 2)
        try rotate(Fixture.publisher, to: Fixture.other)
        let one = Verification.Reason.tooFewSigners(id: id, found: 1, needed: 2)
        #expect(try judge(Fixture.publisher, Fixture.other) == one)
        #expect(try judge(Fixture.other, second) == nil)
        try rotate(Fixture.other, to: third)
        #expect(try judge(Fixture.publisher, third) == one)
        #expect(try judge(Fixture.publisher, Fixture.other, third) == one)
        #expect(try judge(second, third) == nil)
        // Also once the key between them is gone.
        _ = try file.remove(Fixture.other.publicKey.id)
        #expect(try judge(Fixture.publisher, third) == one)
        // One that follows both is both.
        try rotate(second, to: third)
        #expect(try judge(second, third) == one)
        for entry in try file.load().entries { #expect(try TrustEntry(line: entry.line) == entry) }
    }

    /// The id itself looks like what stands for all ids of the pattern.
    @Test func anIDBecomesNoPattern() throws {
        try trust(Fixture.publisher, pattern: "org.example.x")
        try rotate(Fixture.publisher, to: Fixture.other)
        #expect(try file.load().entries.map(\.pattern) == ["org.example.x", "org.example.x"])
    }
}
