import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// When somebody has to look what runs by itself.
@Suite struct TimetablePauseTests {
    @Test func nobodyIsWokenForAnEmptyTimetableAndAtOnceForWhatIsDue() throws {
        let scratch = try TemporaryFolder("escrow-timetable")
        let timetable = Timetable(home: scratch.path)
        let now: Int64 = 1_800_000_000
        #expect(try timetable.pause(at: now) == nil)
        let run = try timetable.add(
            app: "org.example.a", plugin: "echo", arguments: [:], every: .hour, onCharge: true)
        // It never ran, and may wait for power: looked for once a minute.
        #expect(try timetable.pause(at: now) == 60)
        #expect(try timetable.claim(at: now, isCharging: false).isEmpty)
        #expect(try timetable.claim(at: now, isCharging: true).map(\.id) == [run.id])
        #expect(try timetable.pause(at: now) == 3_600)
        #expect(try timetable.pause(at: now + 3_590) == 10)
        #expect(try timetable.pause(at: now + 3_600) == 60)
        // A clock that was set back: it runs at once.
        #expect(try timetable.pause(at: now - 86_400) == 60)
        #expect(try timetable.remove(run.id))
        #expect(try timetable.pause(at: now) == nil)
    }
}
