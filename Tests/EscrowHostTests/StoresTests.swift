import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import EscrowMinimisation
import EscrowTabular
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowConsent
@testable import EscrowHome
@testable import EscrowHost
@testable import EscrowIdentity
@testable import EscrowSources
@testable import EscrowTableKit
@testable import EscrowTrust

/// What a writer of a store can produce, its reader accepts: else one file that an app made grow, or got a character into,
/// would end every decision, and no command could mend it.
@Suite struct StoresTests {
    let scratch: TemporaryFolder
    var path: String { scratch.path }

    init() throws { scratch = try TemporaryFolder("escrow-stores") }

    private func grant(_ random: inout HostileText, bytes: Int) -> Grant {
        grant(
            &random, purpose: random.text(bytes),
            reads: [TableUse(table: random.text(8), returned: [random.text(8)], used: [random.text(8)])])
    }

    private func grant(_ random: inout HostileText, purpose: String, reads: [TableUse]) -> Grant {
        Grant(
            id: "g-" + random.digits(12), state: .authorized, scope: .always, reason: .settings,
            Dataflow(
                app: "org.example.notes",
                plugin: .init(
                    id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                    signerKeyID: "SHA256:k1"),
                purpose: .init(code: "data-quality", text: purpose), reads: reads, resultDigest: "sha256:r1",
                target: "app:org.example.notes"), createdAt: ConsentTime.now().description)
    }

    @Test func decisionsAreReadAgainWhateverTheirTextsAre() throws {
        var random = HostileText(seed: 1)
        let store = GrantStore(directory: path)
        var kept = 0
        for _ in 0..<60 {
            let before = try store.list().count
            do {
                kept += try store.add([grant(&random, bytes: Int(random.next() % 4096))]).count
            } catch {
                // A NUL is the one thing that its reader would not understand.
                #expect(error.code == .fileWouldNotBeReadable)
                #expect(try store.list().count == before)
            }
            #expect(try GrantStore(directory: path).list().count == kept)
        }
        #expect(kept > 30)
    }

    @Test func aFullFileOfDecisionsIsReadStillAndItsDecisionsAreUsed() throws {
        var random = HostileText(seed: 2)
        let store = GrantStore(directory: path)
        func many(_ bytes: Int) -> [Grant] {
            (0..<(bytes / 100_000)).map { _ in
                grant(&random, purpose: String(repeating: "\u{1}", count: 100_000 / 6), reads: [])
            }
        }
        _ = try store.add(many(7_000_000))
        let count = try store.list().count
        // What is left is for their uses.
        #expect(throws: Diagnostic(.tooManyGrants, "")) { try store.add(many(400_000)) }
        #expect(try store.list().count == count)
        let marked = try store.settleRestored(lacksRecords: false)
        #expect(marked.kept.count == count)
        #expect(try GrantStore(directory: path).list().allSatisfy { $0.restoredAt != nil })
    }

    @Test func noRequestMakesTheQueueUnreadable() throws {
        var random = HostileText(seed: 3)
        let queue = WaitingQueue(path: path + "/queue.json")
        var kept = 0
        for index in 0..<60 {
            var request = RunRequest(
                app: "org.example.a\(index % 5)", sql: random.text(Int(random.next() % 12_000)),
                plugin: "phone-check")
            request.bindings["name"] = .text(random.text(Int(random.next() % 2048)))
            request.bindings["number"] = .real(Double(bitPattern: random.next() & ~(1 << 62)))
            do {
                _ = try queue.put(
                    request, rules: [random.text(16)], missing: [random.text(16)], once: nil, isHeld: false)
                kept += 1
            } catch {
                #expect(
                    [.fileWouldNotBeReadable, .requestTooLargeToWait, .appHasTooManyWaiting].contains(
                        error.code))
            }
            #expect(try queue.list().count == kept)
        }
        #expect(kept > 10)
        for entry in try queue.list() { try queue.drop(entry.id) }
        #expect(try queue.list().isEmpty)
    }

    /// The attack: requests whose values are spelled six times as long.
    @Test func requestsThatAreTooLargeOrTooManyDoNotWait() throws {
        let queue = WaitingQueue(path: path + "/queue.json")
        func put(_ app: String, _ sql: String) throws(Diagnostic) {
            _ = try queue.put(
                RunRequest(app: app, sql: sql, plugin: "phone-check"), rules: [], missing: [], once: nil,
                isHeld: false)
        }
        let long = String(repeating: "\u{1}", count: 60_000)
        #expect(throws: Diagnostic(.requestTooLargeToWait, "")) { try put("org.example.a", long) }
        for index in 0..<WaitingQueue.maximumOfApp { try put("org.example.a", "SELECT \(index)") }
        #expect(throws: Diagnostic(.appHasTooManyWaiting, "")) { try put("org.example.a", "SELECT 1000") }
        try put("org.example.b", "SELECT 0")
        #expect(try queue.list().count == WaitingQueue.maximumOfApp + 1)
        // There is room for as many of the largest, each with as many runs that stay.
        let largest = WaitingQueue.maximumRequest + WaitingQueue.maximumHolders * "2147483647, ".utf8.count
        #expect(WaitingQueue.maximum * largest <= WaitingQueue.maximumBytes)
    }

    @Test func aQueueThatCannotBeReadDecidesNothingAndIsMadeAnew() throws {
        let queue = WaitingQueue(path: path + "/queue.json")
        let request = RunRequest(app: "org.example.notes", plugin: "phone-check")
        try SecureFile.replace(
            queue.path, with: [UInt8](repeating: 0x20, count: WaitingQueue.maximumBytes + 1))
        #expect(throws: Diagnostic(.fileTooLarge, "")) { try queue.list() }
        #expect(queue.entry(for: request) == nil)
        #expect(try queue.dropAll() == nil)
        #expect(try queue.list().isEmpty)
    }

    @Test func valuesThatNothingLooksAtDoNotWaitWithARequest() throws {
        var request = RunRequest(app: "org.example.notes", sql: "SELECT :name", plugin: "phone-check")
        for index in 0..<200 { request.bindings["unused\(index)"] = .text("value") }
        request.bindings["name"] = .text("used")
        #expect(request.asKept(sql: "SELECT :name", declared: ["region"]).bindings == ["name": .text("used")])
        request.arguments = ["region": "DE", "name": "used"]
        #expect(request.asKept(sql: "SELECT :name", declared: ["region"]).arguments == ["region": "DE"])
    }

    @Test func aTrustStoreIsReadAgainUntilItIsFull() throws {
        var random = HostileText(seed: 4)
        let file = TrustFile(path + "/trust.signers")
        let key = try SigningKey.generate().publicKey
        for index in 0..<200 {
            let name = random.text(Int(random.next() % 120))
            guard let entry = try? TrustEntry(pattern: "org.example.p\(index)", key: key, name: name) else {
                continue
            }
            try file.add(entry)
            #expect(try file.load().entries.count > 0)
        }
        let line = Array("# \(String(repeating: "x", count: TrustStore.maximumBytes - 4))\n".utf8)
        try SecureFile.replace(file.path, with: line)
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) {
            try file.add(try TrustEntry(pattern: "org.example.*", key: key))
        }
        #expect(try file.load().entries.isEmpty)
    }

    @Test func revocationsThatDoNotFitAreNotSigned() throws {
        let owner = try SigningKey.generate()
        let file = path + "/revocations.dsse.json"
        let now = Moment(seconds: 1_800_000_000)
        func list(_ sequence: Int64, _ count: Int) -> Revocations {
            Revocations(
                sequence: sequence, expires: Moment(seconds: 1_900_000_000),
                manifests: (0..<count).map { Digest(of: Array("\($0)".utf8)).hexadecimal })
        }
        try list(1, 100).save(file, owner: owner)
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) {
            try list(2, 12_000).save(file, owner: owner)
        }
        #expect(try Revocations.load(file, owner: owner.publicKey, now: now).manifests.count == 100)
        try list(3, 10_000).save(file, owner: owner)
        #expect(try Revocations.load(file, owner: owner.publicKey, now: now).manifests.count == 10_000)
    }

    @Test func marksOfPluginsThatDoNotFitLeaveTheFileAsItWas() throws {
        let file = path + "/ratchet.json"
        let key = try SigningKey.generate().publicKey
        var ratchet = Ratchet()
        ratchet.record("org.example.first", sequence: 3, keys: [key])
        try ratchet.save(file)
        for index in 0..<9_000 { ratchet.record("org.example.p\(index)", sequence: 1, keys: [key]) }
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) { try ratchet.save(file) }
        #expect(try Ratchet.load(file).highest("org.example.first", key.id) == 3)
        var list = InstalledList(plugins: [])
        for index in 0..<6_000 {
            list.plugins.append(
                InstalledPlugin(
                    id: "org.example.p\(index)", version: "1.0.0", sequence: 1,
                    manifestDigest: Digest(of: []).hexadecimal, keyIDs: [key.id.description],
                    installed: Moment(seconds: 1_800_000_000)))
        }
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) { try list.check(path + "/installed.json") }
    }

    @Test func identifiersOfAsManyAsThereMayBeAreReadAgain() throws {
        var file = IdentifierFile(on: DeviceIdentity(secret: Array(repeating: 7, count: 32)))
        for index in 0..<IdentifierFile.maximumOwners {
            let digits = String(index)
            let app = "org." + String(repeating: "x", count: 124 - digits.count) + digits
            try #require(Dataflow.isAppID(app) && app.utf8.count == 128)
            file.applications[app] = .init(
                value: Identifier.randomValue(), secret: Array(repeating: 1, count: 32))
            file.vendors["SHA256:" + String(repeating: "y", count: 43 - digits.count) + digits] =
                Identifier.randomValue()
        }
        #expect(file.bytes.count <= IdentifierFile.maximumBytes)
        #expect(try IdentifierFile(file.bytes) == file)
    }

    @Test func sourcesOfTheLongestPathsAreReadAgain() throws {
        let added = try #require(Timestamp(iso8601: "2026-03-01T12:00:00Z"))
        let entries = (0..<SourceRegistry.entryLimit).map { _ in
            SourceEntry(
                kind: SourceKind.allCases[0], path: "/" + String(repeating: "\u{1}", count: 4094),
                added: added)
        }
        let bytes = SourceFileFormat.write(entries)
        #expect(bytes.count <= SourceFileFormat.byteLimit)
        #expect(try SourceFileFormat.read(bytes, path: "sources.json") == entries)
    }

    @Test func oneRestrictionMoreThanFitsLeavesThoseThatThereAre() throws {
        let home = try Home.create(at: path + "/owner")
        let author =
            #"{"id": "work", "class": "organisational", "setBy": "ACME", "rules": [{"id": "no", "effect": "forbid"}]}"#
        let signed = try Restriction.sign(
            Array(author.utf8), with: home.path + "/host.key", sequence: 1, isRemoved: false, file: "author")
        let store = RestrictionStore(directory: path + "/restrictions", system: path + "/none")
        try SecureFile.makeFolder(path + "/restrictions")
        let removed = (0..<11_000).map {
            #"{"id":"r\#($0)","key":"MCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAA","sequence":1,"removed":true}"#
        }
        let index = Array(
            #"{"escrow-restrictions":1,"restrictions":[\#(removed.joined(separator: ","))]}"#.utf8)
        try #require(index.count < 1 << 20)
        try SecureFile.replace(path + "/restrictions/index.json", with: index)
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) { try store.add(signed, file: "signed") }
        #expect(try store.list().isEmpty)
        let long = String(repeating: "漢", count: 300_000)
        #expect(throws: Diagnostic.self) {
            try Restriction.sign(
                Array(author.replacing("\"ACME\"", with: "\"\(long)\"").utf8), with: home.path + "/host.key",
                sequence: 1, isRemoved: false, file: "author")
        }
    }

    @Test func whatIsSentTodayIsKnownStillWhereNoMoreFits() throws {
        let usage = EgressUsage(directory: path)
        let budget = EgressBudget(bitsPerDay: 8, bytesPerDay: 1_000)
        #expect(try usage.take(bits: 8, bytes: 1, of: budget, grant: "g-0", day: "2026-11-20"))
        #expect(throws: Diagnostic(.fileWouldNotBeReadable, "")) {
            try usage.useUp((0..<20_000).map { "g-\(1_000_000 + $0)" }, day: "2026-11-20")
        }
        #expect(try !usage.take(bits: 1, bytes: 1, of: budget, grant: "g-0", day: "2026-11-20"))
    }
}
