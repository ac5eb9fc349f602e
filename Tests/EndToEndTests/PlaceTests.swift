import Foundation
import Glibc
import Testing

/// A run that waits for its place begins by what is decided then, not by what was decided when it asked.
@Suite(.timeLimit(.minutes(60))) struct PlaceTests {
    @Test func aGrantThatIsTakenBackWhileARunWaitsIsHeeded() throws {
        let lifetime = try Lifetime()
        let home = lifetime.escrow.home
        try Data(#"{ "runs": { "app": 1 } }"#.utf8).write(to: home.appending(path: "config.json"))
        func waitForPlaces(_ count: Int, _ process: Process) throws {
            let open = home.appending(path: "runs/open").path
            while process.isRunning, try FileManager.default.contentsOfDirectory(atPath: open).count < count {
                poll(nil, 0, 1)
            }
        }
        let (first, _) = try lifetime.start("spin")
        try waitForPlaces(1, first)
        let (second, output) = try lifetime.start("honest")
        try waitForPlaces(2, second)
        let grants = try #require(
            try lifetime.escrow.run("grant", "list", "--format", "json").json()["grants"] as? [[String: Any]])
        let id = try #require(grants.first?["id"] as? String)
        #expect(try lifetime.escrow.run("grant", "revoke", id).status == 0)
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        #expect(try output.fileHandleForReading.readToEnd() ?? Data() == Data())
        second.waitUntilExit()
        #expect(second.terminationStatus == 10)
        // The second has read nothing: it did not come to the record of an intent.
        #expect(try lifetime.escrow.entries("run-intent").count == 1)
    }
}
