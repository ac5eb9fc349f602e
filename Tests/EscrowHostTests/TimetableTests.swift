import EscrowConsent
import EscrowDiagnostics
import Foundation
import Glibc
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// What runs by itself, by a clock that the test sets.
@Suite("The timetable runs what is due, and only that") struct TimetableTests {
    private let folder: TemporaryFolder
    private let timetable: Timetable

    init() throws {
        folder = try TemporaryFolder("timetable")
        timetable = Timetable(home: folder.path)
    }

    /// 2026-11-25 00:00 UTC.
    static let midnight: Int64 = 1_795_564_800

    private func add(_ every: PeriodicRun.Every, onCharge: Bool = false) throws -> PeriodicRun {
        try timetable.add(
            app: "org.example.notes", plugin: "count", arguments: ["day": "1"], every: every,
            onCharge: onCharge)
    }

    /// Looks every five minutes, and gives when something ran.
    private func runs(
        from start: Int64, days: Int, isCharging: (Int64) -> Bool? = { _ in true }
    ) throws -> [Int64] {
        var times: [Int64] = []
        for now in stride(from: start, to: start + Int64(days) * 86_400, by: 300)
        where !timetable.isIndividualAway(at: now) {
            for entry in try timetable.claim(at: now, isCharging: isCharging(now)) {
                times.append(now)
                try timetable.note(entry.id, "done", at: now)
            }
        }
        return times
    }

    @Test(arguments: [(PeriodicRun.Every.hour, 72), (.day, 3), (.week, 1)])
    func asOftenAsItSays(every: PeriodicRun.Every, count: Int) throws {
        _ = try add(every)
        let times = try runs(from: Self.midnight, days: 3)
        #expect(times.count == count && times.first == Self.midnight)
        for (first, second) in zip(times, times.dropFirst()) { #expect(second - first == every.seconds) }
    }

    /// Hours are counted, and not what clocks on the wall show: where a day has 23 hours or 25 there is none too many or too few.
    @Test(arguments: [("2026-03-29", 23), ("2026-10-25", 25)]) func summerTimeMovesNoRun(
        day: String, hours: Int
    ) throws {
        let format = DateFormatter()
        format.dateFormat = "yyyy-MM-dd"
        format.timeZone = try #require(TimeZone(identifier: "Europe/Oslo"))
        let midnight = Int64(try #require(format.date(from: day)).timeIntervalSince1970)
        _ = try add(.hour)
        let hourly = try runs(from: midnight - 86_400, days: 3)
        #expect(hourly.count == 72)
        #expect(hourly.count { format.string(from: Date(timeIntervalSince1970: Double($0))) == day } == hours)
    }

    @Test func onChargeIsOnlyThen() throws {
        _ = try add(.hour, onCharge: true)
        // Charged from six to eight in the evening; before, the machine does not say.
        let times = try runs(from: Self.midnight, days: 1) { now in
            let hour = (now - Self.midnight) / 3_600
            return hour < 3 ? nil : (18..<20).contains(hour)
        }
        #expect(times.map { ($0 - Self.midnight) / 3_600 } == [18, 19])
    }

    @Test func afterAMonthAwayNothingRunsUntilTheyAreBack() throws {
        _ = try add(.day)
        #expect(!timetable.isIndividualAway(at: Self.midnight), "nobody looked yet")
        func seen(at moment: Int64) {
            timetable.seeIndividual()
            var times = [
                timespec(tv_sec: Int(moment), tv_nsec: 0), timespec(tv_sec: Int(moment), tv_nsec: 0),
            ]
            #expect(utimensat(AT_FDCWD, folder.path + "/present", &times, 0) == 0)
        }
        seen(at: Self.midnight)
        let times = try runs(from: Self.midnight, days: 40)
        #expect(times.count == 31 && times.last == Self.midnight + 30 * 86_400)
        seen(at: Self.midnight + 40 * 86_400)
        // What was left out is not made up for.
        #expect(try runs(from: Self.midnight + 40 * 86_400, days: 2).count == 2)
    }

    @Test func aClockThatWasSetBackKeepsNothingFromRunning() throws {
        _ = try add(.day)
        #expect(try timetable.claim(at: Self.midnight + 400 * 86_400, isCharging: nil).count == 1)
        #expect(try timetable.claim(at: Self.midnight, isCharging: nil).count == 1)
        #expect(try timetable.claim(at: Self.midnight + 60, isCharging: nil).isEmpty)
    }

    @Test func ofManyProcessesOneRunsIt() async throws {
        _ = try add(.hour)
        let timetable = timetable
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { try timetable.claim(at: Self.midnight, isCharging: nil).count }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 1)
    }

    @Test func aDayHasOneLineWithItsCounts() throws {
        let entry = try add(.hour)
        for hour in 0..<30 as Range<Int64> {
            try timetable.note(
                entry.id, hour % 2 == 0 ? "done" : "E0701", at: Self.midnight + hour * 3_600)
        }
        let listed = try #require(try timetable.list().first)
        #expect((listed.day, listed.runs, listed.done, listed.end) == ("2026-11-26", 6, 3, "E0701"))
        #expect(listed.arguments == ["day": "1"])
        #expect(try timetable.remove(entry.id) && timetable.list().isEmpty)
        #expect(try !timetable.remove(entry.id))
    }

    @Test func thereIsAMost() throws {
        for _ in 0..<Timetable.most { _ = try add(.day) }
        let refused = #expect(throws: Diagnostic.self) { try add(.day) }
        #expect(refused?.code == .fileWouldNotBeReadable)
    }

    /// The host: nobody is there to be asked, so a run that nobody allowed ends undecided, and says so in the list.
    @Test func nothingRunsThatNobodyAllowed() throws {
        let home = try Home.create(at: folder.path + "/home")
        try KeptPlugin.keep(in: home)
        let host = try Host(home: home)
        _ = try host.timetable.add(
            app: "org.example.notes", plugin: "data-copy", arguments: [:], every: .hour, onCharge: false)
        let ends = try host.runDue(at: Self.midnight)
        #expect(ends.map { $0.failure?.code } == [.undecided])
        #expect(try host.runDue(at: Self.midnight + 3_599).isEmpty)
        #expect(try host.runDue(at: Self.midnight + 3_600).count == 1)
        let listed = try #require(try host.timetable.list().first)
        #expect((listed.runs, listed.done, listed.end) == (2, 0, Diagnostic.Code.undecided.rawValue))
    }
}
