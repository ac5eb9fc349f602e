import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowLedger
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// No app fills the disk by what is recorded of it, nor washes away what was recorded before.
@Suite struct LedgerRoomTests {
    let scratch: TemporaryFolder
    let home: Home
    static let app = "org.example.notes"

    init() throws {
        stayWithinADay()
        scratch = try TemporaryFolder("escrow-room")
        home = try Home.create(at: scratch.path + "/home")
    }

    private func host(_ ledger: String = "{}") throws -> EscrowHost.Host {
        try Data(#"{"ledger": \#(ledger)}"#.utf8).write(to: URL(filePath: home.path + "/config.json"))
        return try EscrowHost.Host(home: home)
    }

    private func description(_ app: String) -> DataflowDescription {
        DataflowDescription(
            Dataflow(
                app: app,
                plugin: .init(
                    id: "org.example.phone-check", version: "1.2.0", manifestDigest: "sha256:aa",
                    signerKeyID: "SHA256:k1"),
                purpose: .init(code: "data-quality", text: "Find numbers that nobody can call."),
                reads: [TableUse(table: "Contacts", returned: ["id"])],
                resultDigest: "sha256:r1", target: "app:\(app)"),
            publisher: "Example Org", returns: "a number", capacity: "one bit", limits: "10 s")
    }

    @Test func anAppThatUsedUpItsRoomIsRefusedAndTheLedgerSaysSoOnce() throws {
        let host = try host(#"{"appMiBPerDay": 1}"#)
        let long = String(repeating: "\u{1}", count: 40_000)
        var count = 0
        while host.ledgerUse.bytes(of: Self.app) < 1 << 20 {
            try host.checkLedgerRoom(of: description(Self.app))
            count += 1
            try host.record(.runIntent, run: "r-\(count)", of: Self.app, ["sql": .string(long)])
            try host.record(.runEnd, run: "r-\(count)", of: Self.app, [:])
            try #require(count < 10)
        }
        #expect(count == 5)
        for _ in 0..<3 {
            #expect(throws: Diagnostic(.ledgerRoomUsedUp, "")) {
                try host.checkLedgerRoom(of: description(Self.app))
            }
        }
        // Nobody else is out of room, and another host of the same home knows as well.
        try host.checkLedgerRoom(of: description("org.example.other"))
        let other = try EscrowHost.Host(home: home)
        #expect(throws: Diagnostic(.ledgerRoomUsedUp, "")) {
            try other.checkLedgerRoom(of: description(Self.app))
        }
        let told = try host.ledgerReader().entries().filter { $0.kind == .decision }
        #expect(told.count == 1 && told[0].fields["app"]?.string == Self.app)
        #expect(try host.ledgerRoom().contains("used up for today by \(Self.app)"))
        #expect(Diagnostic.Code.ledgerRoomUsedUp.exitStatus == .limit)
    }

    @Test func aRunAsksWhetherThereIsRoom() throws {
        try KeptPlugin.keep(in: home)
        let host = try host()
        let most = host.configuration.ledger.appBytesPerDay
        try host.ledgerUse.change { $0.apps[Self.app] = most }
        let runner = Runner(host: host, decider: KeptPlugin.Yes())
        #expect(throws: Diagnostic(.ledgerRoomUsedUp, "")) {
            try runner.run(RunRequest(app: Self.app, plugin: "data-copy"))
        }
        #expect(try host.ledgerReader().entries().allSatisfy { $0.kind != .runIntent })
    }

    @Test func requestsThatComeToNoRunHaveABoundWhateverTheyCallThemselves() throws {
        let host = try host()
        try host.ledgerUse.change { $0.refusals = EscrowHost.Host.mostRefusalBytes - 5_000 }
        let before = try host.ledgerReader().verify().count
        for index in 0..<20 { try host.recordRefusal(["app": .string("org.example.a\(index)")]) }
        let entries = try host.ledgerReader().entries(from: before + 1)
        #expect(entries.count == 5)
        #expect(entries.last?.fields["app"] == nil)
        #expect(try host.ledgerRoom().contains("refused requests of today are not recorded"))
    }

    @Test func aLongQueryStandsInTheLedgerOnceADay() throws {
        let host = try host()
        let long = "SELECT id FROM Contacts WHERE " + String(repeating: "1 = 1 AND ", count: 500) + "1"
        for index in 1...3 {
            let query = LedgerText.fields("sql", long, in: host.ledgerUse.today())
            let entry = try host.record(.runIntent, run: "r-\(index)", of: Self.app, .object(query.fields))
            if let text = query.new { try host.ledgerUse.change { $0.keep(text, entry: entry) } }
            try host.record(.runEnd, run: "r-\(index)", of: Self.app, [:])
        }
        let reader = host.ledgerReader()
        let intents = try reader.entries().filter { $0.kind == .runIntent }
        #expect(intents.map { $0.fields["sql"] != nil } == [true, false, false])
        for index in 1...3 { #expect(try RunStory("r-\(index)", in: reader).query == long) }
        #expect(try reader.receipt(of: "r-3").contains { $0.contains("1 = 1") })
        // What is erased is gone for all, and told to be.
        _ = try host.erase(SequenceSet([intents[0].sequence]))
        let gone = try #require(try RunStory("r-2", in: reader).query)
        #expect(gone.contains("that of entry \(intents[0].sequence), which is gone; sha256:"))
        // Another day, or a file that is not understood, and it stands there again.
        try SecureFile.replace(home.path + "/ledger/use.cache", with: Array("nonsense".utf8))
        #expect(LedgerText.fields("sql", long, in: host.ledgerUse.today()).new != nil)
        #expect(LedgerText.fields("sql", "SELECT 1", in: host.ledgerUse.today()).new == nil)
        _ = try reader.verify()
    }

    @Test func theUseIsBoundedWhateverTheAppsAreCalled() throws {
        let use = LedgerUse(directory: scratch.path)
        try use.change { day in
            for index in 0..<2_000 {
                day.add([:], of: "org." + String(repeating: "x", count: 119) + ".\(1_000 + index)")
                _ = day.tells("org.\(index)")
                day.keep(String(repeating: "f", count: 60) + "\(index)", entry: UInt64(index))
            }
        }
        let day = use.today()
        #expect(day.apps.count == LedgerUse.apps + 1 && day.texts.count == LedgerUse.texts)
        #expect(day.apps.values.reduce(0, +) == 2_000 * (LedgerUse.overhead + 2))
        #expect(day.told.count == LedgerUse.apps + 1)
    }

    @Test func aLedgerThatNobodySetALimitForHasOne() throws {
        let host = try host()
        #expect(host.configuration.ledger.retention.maximumBytes == 1 << 30)
        #expect(!host.isTidyingDue())
        #expect(try host.tidyLedger().isEmpty)
    }
}
