import Foundation
import Testing

/// Each of the three programs of a run is killed while the plugin computes on the server: nothing is returned, the ledger says so,
/// and what is left goes on.
@Suite struct OffloadFaultTests {
    enum Victim: String, CaseIterable {
        case server
        case remote
        case host
    }

    @Test(arguments: Victim.allCases) func whoeverIsKilledNothingIsReturned(victim: Victim) throws {
        let server = try OffloadServer()
        // Its only child is then the run's plugin.
        try server.start(more: ["--ready", "0"])
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 60_000)
        let run = Process()
        run.executableURL = Escrow.program
        run.arguments = [
            "run", "phone-check", "--app", "org.example.test", "--format", "json", "--server", "home",
        ]
        run.environment = ["ESCROW_HOME": escrow.home.path, "PATH": "/usr/bin:/bin"]
        run.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let words = Pipe()
        run.standardOutput = output
        run.standardError = words
        try run.run()
        let plugin = try Self.child(of: server.pid, named: nil)
        switch victim {
        case .server: server.stop()
        case .remote: kill(try Self.child(of: run.processIdentifier, named: "escrow-remote"), SIGKILL)
        case .host: kill(run.processIdentifier, SIGKILL)
        }
        let returned = try output.fileHandleForReading.readToEnd() ?? Data()
        let said = String(decoding: try words.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        run.waitUntilExit()
        #expect(returned.isEmpty)
        // The next that opens the home to write says what became of a run without an end.
        if victim == .host { try escrow.run("grant", "reset", "--plugin", "org.example.other") }
        let ledger = try escrow.run("ledger", "list", "--format", "json").output
        if victim == .host {
            #expect(ledger.contains("run-interrupted"))
        } else {
            #expect(run.terminationStatus == 19, "\(said)")
            // A server that is killed before it said that it began does not answer.
            #expect(said.contains("[E1208]") || victim == .server && said.contains("[E1203]"), "\(said)")
            #expect(ledger.contains("nothing returned"))
        }
        #expect(!ledger.contains("\"returned\""))
        // The plugin goes with whom it computed for.
        try Self.wait("the plugin is still there") { kill(plugin, 0) != 0 || Self.isZombie(plugin) }
        if victim != .server {
            #expect(try escrow.offload().status == 0)
        }
    }

    @Test func aServerWithoutRoomSaysSo() throws {
        let server = try OffloadServer(runs: 1)
        try server.start(more: ["--ready", "0"])
        // Enough that its plugin is caught, and few enough that it comes to its end within its time once it goes on.
        let escrow = try Escrow.offloading(to: try server.enrol(), contacts: 20_000)
        let other = try Escrow.offloading(to: try server.enrol("phone"), contacts: 10)
        let run = Process()
        run.executableURL = Escrow.program
        run.arguments = ["run", "phone-check", "--app", "org.example.test", "--server", "home"]
        run.environment = ["ESCROW_HOME": escrow.home.path, "PATH": "/usr/bin:/bin"]
        run.standardInput = FileHandle.nullDevice
        run.standardOutput = FileHandle.nullDevice
        run.standardError = FileHandle.nullDevice
        try run.run()
        let plugin = try Self.child(of: server.pid, named: nil)
        // Held, so that it is there for as long as this asks.
        kill(plugin, SIGSTOP)
        let refused = try other.offload()
        #expect(refused.words.contains("[E1215]"), "\(refused.words)")
        #expect(refused.status == 19)
        kill(plugin, SIGCONT)
        run.waitUntilExit()
        #expect(run.terminationStatus == 0)
        #expect(try other.offload().status == 0)
    }

    /// A child of a process, once it has one.
    private static func child(of pid: Int32, named name: String?) throws -> Int32 {
        var found: Int32 = 0
        try wait("\(pid) has no child") {
            let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
            for task in tasks {
                let list =
                    (try? String(contentsOfFile: "/proc/\(pid)/task/\(task)/children", encoding: .utf8)) ?? ""
                for child in list.split(separator: " ").compactMap({ Int32($0) }) {
                    let called = try? String(contentsOfFile: "/proc/\(child)/comm", encoding: .utf8)
                    if name == nil || called?.hasPrefix(name ?? "") == true { found = child }
                }
            }
            return found != 0
        }
        return found
    }

    private static func isZombie(_ pid: Int32) -> Bool {
        (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.contains(") Z ") ?? true
    }

    /// Looks again until something is so, for two minutes at most.
    private static func wait(_ words: String, until isSo: () -> Bool) throws {
        let end = Date().addingTimeInterval(120)
        while !isSo() {
            try #require(Date() < end, "\(words)")
            usleep(2_000)
        }
    }
}
