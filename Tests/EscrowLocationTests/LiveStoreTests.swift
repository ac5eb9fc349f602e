import EscrowDiagnostics
import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLocation

/// Who may follow, who does, and what is kept.
@Suite struct LiveStoreTests {
    let folder: TemporaryFolder
    var store: LiveStore { LiveStore(directory: folder.url.path) }

    init() throws { folder = try TemporaryFolder("live-store") }

    private func follow(began: Int64) -> LiveFollow {
        LiveFollow(
            app: "org.example.map", plugin: "weather", provider: "gpsd", mode: .standard, desired: .street,
            began: began)
    }

    @Test func whoIsNotDecidedAboutIsNotToldAndNeverIsNever() throws {
        let undecided = #expect(throws: Diagnostic.self) { try store.check("org.example.map") }
        #expect(undecided?.code == .liveUndecided && undecided?.exitStatus == .undecided)
        try store.allow("org.example.map", .always)
        #expect(try store.check("org.example.map") == .always)
        try store.allow("org.example.map", .never)
        let never = #expect(throws: Diagnostic.self) { try store.check("org.example.map") }
        #expect(never?.code == .liveForbidden && never?.exitStatus == .denied)
        #expect(try store.permissions().count == 1)
    }

    @Test func itIsShownWhileItRunsAndForADayAfter() throws {
        do {
            let running = try store.begin(follow(began: 1_000))
            #expect(running.id == 1)
            try store.note(running.id, updates: 3, at: 2_000)
            let shown = try store.follows(now: 1_000_000)
            #expect(shown.count == 1 && shown[0].isRunning && shown[0].updates == 3, "however long it takes")
        }
        let after = try store.follows(now: 2_000 + LiveStore.shownSeconds)
        #expect(after.count == 1 && !after[0].isRunning)
        #expect(try store.follows(now: 2_001 + LiveStore.shownSeconds).isEmpty)
        let next = try store.begin(follow(began: 2_001 + LiveStore.shownSeconds))
        #expect(next.id == 1, "what ended more than a day ago is forgotten")
    }

    @Test(arguments: ["", "{}", #"{"escrow-live":1,"apps":[{"app":"a","when":"sometimes"}],"follows":[]}"#])
    func aDamagedFileLetsNobodyFollow(text: String) throws {
        let file = folder.url.appending(path: "live.json")
        try Data(text.utf8).write(to: file)
        #expect(throws: Diagnostic.self) { try store.check("a") }
        let error = #expect(throws: Diagnostic.self) { try store.allow("a", .always) }
        #expect(error?.code == .liveUnreadable)
        #expect(try Data(contentsOf: file) == Data(text.utf8))
    }

    @Test func theNewestPlaceAloneIsKeptUnlessHoursAreWanted() throws {
        let track = LiveTrack(directory: folder.url.path)
        func fix(_ seconds: Int64) throws -> LiveFix {
            try #require(
                LiveFix(latitude: 60.123456, longitude: 5.123456, accuracy: 4, altitude: 20, seconds: seconds)
            )
        }
        try track.add(fix(10_000), desired: .exact, keepingHours: 0)
        try track.add(fix(10_001), desired: .exact, keepingHours: 0)
        #expect(try track.count() == 1)
        for seconds: Int64 in [10_002, 12_000, 13_602] {
            try track.add(fix(seconds), desired: .street, keepingHours: 1)
        }
        #expect(try track.count() == 3, "what is older than an hour is gone")
        let text = try String(
            contentsOf: folder.url.appending(path: "live/places.json"), encoding: .utf8)
        // What was kept before for somebody else is not made coarser; what is wanted coarsely is kept coarsely.
        let last = try #require(text.split(separator: "\n").last)
        #expect(last.contains("60.1235") && !last.contains("60.12345") && !last.contains("alt"), "\(last)")
    }

    @Test func aProgramThatEndedIsNotUsedAnyMore() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/cat")
        process.standardInput = Pipe()
        try process.run()
        let program = try #require(ProgramInUse(process.processIdentifier))
        #expect(program.isThere)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(!program.isThere)
        #expect(ProgramInUse(process.processIdentifier) == nil)
    }
}
