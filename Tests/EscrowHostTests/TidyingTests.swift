import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowLedger
import Foundation
import TemporaryFolder
import Testing

/// The ledger forgets by itself, once a day.
@Suite struct TidyingTests {
    let scratch: TemporaryFolder
    let home: Home

    init() throws {
        scratch = try TemporaryFolder("escrow-tidy")
        home = try Home.create(at: scratch.path + "/home")
    }

    /// A host whose ledger has one run in it.
    func host(_ ledger: String) throws -> EscrowHost.Host {
        try Data(#"{"ledger": \#(ledger)}"#.utf8).write(to: URL(filePath: home.path + "/config.json"))
        let host = try EscrowHost.Host(home: home)
        try host.ledger.append(
            .runIntent, run: "r-1", fields: ["app": "org.example.notes", "sql": "SELECT 1"])
        try host.ledger.append(.runEnd, run: "r-1", fields: ["outcome": "returned"])
        return host
    }

    /// A moment so many hours from now.
    func later(hours: Int64) -> LedgerTime {
        LedgerTime(milliseconds: LedgerTime.now().milliseconds + hours * 3_600_000)
    }

    @Test func itIsDoneOnceADayAndTheLedgerSaysSo() throws {
        let host = try host(#"{"hoursAfterDays": 1}"#)
        #expect(try host.tidyLedgerIfDue().isEmpty)
        // Nothing was old enough, and a day has to pass.
        #expect(try host.tidyLedgerIfDue(now: later(hours: 23)).isEmpty)
        #expect(!host.isTidyingDue(now: later(hours: 23)))
        let said = try host.tidyLedgerIfDue(now: later(hours: 25))
        #expect(said.map(\.kind) == [.decayed])
        #expect(said.first?.fields["why"] == "daily")
        #expect(try host.ledgerReader().entries().first { $0.kind == .runIntent }?.fields["sql"] == nil)
        #expect(try host.tidyLedgerIfDue(now: later(hours: 26)).isEmpty)
        #expect(host.isTidyingDue(now: later(hours: 50)))
        _ = try host.ledgerReader().verify()
    }

    @Test func aRunThatIsUnderWayDoesNotWaitForItUntilADayHasPassed() throws {
        let host = try host(#"{"keepDays": 1}"#)
        try host.ledger.append(.runIntent, run: "r-2", fields: [:])
        #expect(try host.tidyLedgerIfDue(now: later(hours: 48)).isEmpty)
        #expect(host.isTidyingDue(now: later(hours: 48)))
        #expect(try host.tidyLedgerIfDue(now: later(hours: 71)).isEmpty)
        #expect(try host.tidyLedgerIfDue(now: later(hours: 73)).map(\.kind) == [.compacted])
        // The run that goes on is still whole.
        #expect(try host.ledgerReader().entries().first?.run == "r-2")
    }

    @Test func aClockThatWasSetBackAndADamagedMarkDoNotKeepItFromBeingDone() throws {
        let host = try host(#"{"keepDays": 30}"#)
        #expect(try host.tidyLedgerIfDue(now: later(hours: 1_000)).map(\.kind) == [.compacted])
        #expect(host.isTidyingDue())
        _ = try host.tidyLedgerIfDue()
        #expect(!host.isTidyingDue())
        try Data("nonsense".utf8).write(to: URL(filePath: home.path + "/ledger.tidied"))
        #expect(host.isTidyingDue())
    }

    @Test(arguments: ["{}", #"{"hoursAfterDays": 1, "daily": false}"#])
    func whereNothingIsToGoOrTheIndividualWantsItNothingIsDone(ledger: String) throws {
        let host = try host(ledger)
        #expect(try host.tidyLedgerIfDue(now: later(hours: 10_000)).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: home.path + "/ledger.tidied"))
    }
}
