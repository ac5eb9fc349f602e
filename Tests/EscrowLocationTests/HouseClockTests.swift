import EscrowLocationPrivacy
import Foundation
import TemporaryFolder
import Testing

@testable import EscrowLocation

/// Hours of rules and days of budgets are not those of whoever starts the program.
@Suite struct HouseClockTests {
    /// `date` of coreutils is the oracle; it reads the same files with glibc.
    @Test(arguments: [
        "Europe/Berlin", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "Africa/Casablanca",
        "Etc/UTC",
        "America/Sao_Paulo", "Pacific/Chatham",
    ])
    func offsetsAreThoseOfTheZoneFile(zone: String) throws {
        let path = "/usr/share/zoneinfo/\(zone)"
        guard let data = FileManager.default.contents(atPath: path) else {
            return print("SKIP: no time zones are installed")
        }
        let file = try #require(ZoneFile([UInt8](data)))
        let known = try #require(TimeZone(identifier: zone))
        for day in stride(from: 0, to: 25_000, by: 3) {
            let seconds = Int64(day) * 86_400 + Int64(day % 24) * 3_600
            let offset = known.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
            #expect(file.offset(at: seconds) == offset, "\(zone) at \(seconds)")
        }
    }

    @Test func rulesOfPOSIXAreRead() throws {
        let berlin = try #require(ZoneRule("CET-1CEST,M3.5.0,M10.5.0/3".utf8))
        // 29 March and 25 October 2026, 01:00 UTC.
        #expect(berlin.offset(at: 1_774_745_999) == 3_600 && berlin.offset(at: 1_774_746_000) == 7_200)
        #expect(berlin.offset(at: 1_792_889_999) == 7_200 && berlin.offset(at: 1_792_890_000) == 3_600)
        #expect(try #require(ZoneRule("<+0545>-5:45".utf8)).offset(at: 0) == 20_700)
        for text in ["", "C", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0"] {
            #expect(ZoneRule(text.utf8) == nil, "\(text)")
        }
    }

    @Test func whatIsNoZoneFileIsUTCAndTheEnvironmentIsNotAsked() {
        #expect(HouseClock.minute(of: 3_661, in: "/nonexistent") == 61)
        #expect(HouseClock.minute(of: -60, in: "/nonexistent") == 1_439)
        #expect(ZoneFile([]) == nil && ZoneFile(Array("TZif2".utf8)) == nil)
        setenv("TZ", "Pacific/Chatham", 1)
        defer { unsetenv("TZ") }
        #expect(HouseClock.minute(of: 3_661, in: "/nonexistent") == 61)
    }

    @Test func theFileThatIsNamedIsRead() {
        let path = "/usr/share/zoneinfo/Asia/Kolkata"
        guard FileManager.default.fileExists(atPath: path) else { return }
        #expect(HouseClock.minute(of: 0, in: path) == 330)
    }

    /// An app has one account, and masks that spent nothing are forgotten first.
    @Test func whatOtherMasksOfAnAppSpentIsCounted() throws {
        let folder = try TemporaryFolder("location-account")
        let memory = LocationMemory(directory: folder.url.path)
        for (app, mask, spent) in [("a", "m1", 0.25), ("a", "m2", 0.5), ("b", "m1", 4)] {
            try memory.using(app: app, mask: mask) {
                var trace = PredictiveTrace.State()
                (trace.day, trace.spent) = (20_000, spent)
                $0.trace = trace
            }
        }
        #expect(try memory.using(app: "a", mask: "m1", on: 20_000) { $1 } == 0.5)
        #expect(try memory.using(app: "a", mask: "m3", on: 20_000) { $1 } == 0.75)
        #expect(
            try memory.using(app: "a", mask: "m3", on: 19_999) { $1 } == 0.75, "a clock that was set back")
        #expect(try memory.using(app: "a", mask: "m3", on: 20_001) { $1 } == 0)
    }
}
