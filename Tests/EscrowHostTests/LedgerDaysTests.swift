import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost
@testable import EscrowLedger

/// The ledger's summary: what runs by itself every hour is one line a day.
@Suite struct LedgerDaysTests {
    /// Says yes for good.
    private struct Always: Decider {
        var canAsk: Bool { true }
        func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply {
            .answer(.allow(.always))
        }
        func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply { .none }
    }

    @Test func whatTheTimetableRanIsOneLineWithWhatWasAskedFor() throws {
        let scratch = try TemporaryFolder("escrow-days")
        let home = try Home.create(at: scratch.path + "/home")
        try KeptPlugin.keep(in: home)
        let host = try Host(home: home)
        #expect(try host.ledgerReader().days(7).isEmpty)
        let app = "org.example.notes"
        _ = try Runner(host: host, decider: Always()).run(
            RunRequest(app: app, plugin: "data-copy"))
        let entry = try host.timetable.add(
            app: app, plugin: "data-copy", arguments: [:], every: .hour, onCharge: false)
        for hour in 0..<3 as Range<Int64> {
            let ends = try host.runDue(at: TimetableTests.midnight + hour * 3_600)
            #expect(ends.map(\.failure) == [nil])
        }
        let lines = try host.ledgerReader().days(7)
        // One line a day: two where midnight came between.
        #expect((1...2).contains(lines.count))
        #expect(
            lines.allSatisfy { $0.app == app && $0.plugin == "org.example.data-copy" && $0.end == "done" })
        #expect(lines.map(\.runs).reduce(0, +) == 4 && lines.map(\.done).reduce(0, +) == 4)
        #expect(lines.map(\.byItself).reduce(0, +) == 3 && lines.allSatisfy { $0.sent == 0 })
        let marked = try host.ledgerReader().entries().compactMap { $0.fields["schedule"]?.string }
        #expect(marked == [entry.id, entry.id, entry.id])
    }

    /// 2026-11-25 00:00 UTC, and so many hours later.
    private func entry(
        _ kind: LedgerEntry.Kind, _ run: String, hour: Int64, _ fields: JSONValue = [:], gone: Bool = false
    ) -> LedgerEntry {
        LedgerEntry(
            sequence: 1, time: LedgerTime(milliseconds: (TimetableTests.midnight + hour * 3_600) * 1_000),
            clock: nil, kind: kind, run: run, fields: fields, commitment: "",
            reduced: gone ? .init(way: .erased, by: 2) : nil)
    }

    @Test func eachDayHasALineForEachAppAndPlugin() {
        var days = DaySummaries()
        let check: JSONValue = ["app": "a", "plugin": "check", "schedule": "t-1"]
        for hour in 0..<30 as Range<Int64> {
            let run = "r-\(hour)"
            days.add(entry(.runIntent, run, hour: hour, check))
            days.add(entry(.egressSent, run, hour: hour, ["bytes": 10]))
            let end: JSONValue =
                hour % 2 == 0 ? ["outcome": "returned"] : ["outcome": "nothing returned", "code": "E0701"]
            days.add(entry(.runEnd, run, hour: hour, end))
            // A request of another run, and one after the end, count for nothing.
            days.add(entry(.egressSent, run, hour: hour, ["bytes": 1_000]))
            days.add(entry(.egressSent, "r-other", hour: hour, ["bytes": 1_000]))
        }
        days.add(entry(.runIntent, "r-b", hour: 31, ["app": "b", "plugin": "check"]))
        days.add(entry(.runIntent, "r-c", hour: 31, ["app": "a", "plugin": "check"]))
        days.add(entry(.runInterrupted, "r-c", hour: 49))
        #expect(days.lines.map(\.day) == ["2026-11-25", "2026-11-26", "2026-11-26"])
        #expect(days.lines.map(\.app) == ["a", "a", "b"])
        #expect(days.lines.map(\.runs) == [24, 7, 1] && days.lines.map(\.byItself) == [24, 6, 0])
        #expect(days.lines.map(\.done) == [12, 3, 0])
        #expect(days.lines.map(\.end) == ["E0701", "interrupted", ""])
        #expect(days.lines.map(\.requests) == [24, 6, 0] && days.lines.map(\.sent) == [240, 60, 0])
    }

    @Test func whatTheLedgerForgotIsNotMadeUp() {
        var days = DaySummaries()
        days.add(entry(.runIntent, "r-1", hour: 1, gone: true))
        days.add(entry(.runEnd, "r-1", hour: 1, gone: true))
        days.add(entry(.runIntent, "r-2", hour: 2, ["app": "a", "plugin": "p"]))
        days.add(entry(.egressSent, "r-2", hour: 2, ["endpoint": "e"]))
        days.add(entry(.egressSent, "r-2", hour: 2, ["bytes": 5]))
        #expect(days.lines.map(\.app) == [nil, "a"] && days.lines.map(\.runs) == [1, 1])
        #expect(days.lines.map(\.done) == [0, 0] && days.lines.map(\.sent) == [0, nil])
        #expect(days.lines.map { $0.json["sent"] } == [0, .null])
    }
}
