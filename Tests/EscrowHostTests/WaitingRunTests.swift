import EscrowFiles
import Glibc
import TemporaryFolder
import Testing

@testable import EscrowHome
@testable import EscrowHost

/// What waits for something else than the individual, and what that is.
@Suite struct WaitingRunTests {
    let scratch: TemporaryFolder
    let home: Home
    static let now: Int64 = 1_800_000_000

    init() throws {
        scratch = try TemporaryFolder("escrow-waiting")
        home = try Home.create(at: scratch.path + "/home")
    }

    /// A host on a device that tells so much about itself.
    private func host(_ device: String) throws -> EscrowHost.Host {
        let file = scratch.path + "/device.json"
        try SecureFile.replace(file, with: Array(device.utf8))
        try SecureFile.replace(
            home.path + "/config.json", with: Array(#"{"device": {"standIn": "\#(file)"}}"#.utf8))
        return try EscrowHost.Host(home: home)
    }

    @Test(arguments: [
        (#"{"charging": false}"#, "external power"), ("{}", "external power (this device does not tell)"),
        (#"{"charging": true}"#, "the service, which makes such runs"),
    ])
    func aRunThatIsDueSaysWhatKeepsIt(device: String, need: String) throws {
        let host = try host(device)
        let entry = try host.timetable.add(
            app: "org.example.notes", plugin: "weather", arguments: [:], every: .hour, onCharge: true)
        #expect(
            try host.waitingRuns(at: Self.now) == [
                WaitingRun(
                    id: entry.id, since: entry.since, app: "org.example.notes", plugin: "weather",
                    needs: [need], by: .timetable)
            ])
        try host.timetable.note(entry.id, "done", at: Self.now)
        #expect(try host.waitingRuns(at: Self.now + 3_599).isEmpty)
        #expect(try host.waitingRuns(at: Self.now + 3_600).count == 1)
    }

    @Test func whoIsAwayIsWhatTheRunWaitsFor() throws {
        let host = try host(#"{"charging": true}"#)
        _ = try host.timetable.add(
            app: "org.example.notes", plugin: "weather", arguments: [:], every: .day, onCharge: false)
        host.timetable.seeIndividual()
        let later = Int64(time(nil)) + Timetable.longestAbsence + 60
        #expect(try host.waitingRuns(at: later).map(\.needs) == [["you, who were not here for a month"]])
    }

    /// The plugin may be gone since: what was missing is told all the same.
    @Test func whatCannotBePlannedTellsWhatWasMissing() throws {
        let host = try host("{}")
        let request = RunRequest(app: "org.example.notes", plugin: "org.example.gone")
        for isHeld in [false, true] {
            let entry = try host.queue.put(
                request, rules: ["heavy"], missing: ["a network that is not metered"], once: nil,
                isHeld: isHeld)
            #expect(
                try host.waitingRuns(at: Self.now) == [
                    WaitingRun(
                        id: entry.id, since: entry.since, app: request.app, plugin: request.plugin,
                        needs: ["a network that is not metered"], by: isHeld ? .app : .queue)
                ])
        }
    }
}
