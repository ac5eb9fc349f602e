import Foundation
import Testing

/// A host that stays keeps its connection to a server from one run to the next: one `escrow-remote` for many runs, and nothing
/// that a new connection would have found out is missed by it.
@Suite struct KeptConnectionTests {
    @Test func oneConnectionServesRunsUntilSomethingChanges() throws {
        let server = try OffloadServer()
        try server.start()
        let escrow = try Escrow.offloading(to: try server.enrol())
        let host = try WarmTests.Server(escrow)
        try expect("\"result\"", of: host)
        // The host waits a moment only for the last word of the run before, and connects anew where a starved machine says
        // it later: three runs in a row are served by one connection, whichever it is.
        var (kept, served) = (Self.remotes(host), 0)
        for _ in 0..<60 where served < 3 {
            try expect("\"result\"", of: host)
            let now = Self.remotes(host)
            served = now == kept ? served + 1 : 0
            kept = now
        }
        #expect(served == 3 && kept.count == 1, "\(kept)")

        // What holds is looked up for each run: a publisher that is not trusted any more is refused.
        let signers = URL(filePath: server.folder + "/trust.signers")
        let trusted = try Data(contentsOf: signers)
        try Data().write(to: signers)
        try expectFailure("E1214", of: host, in: escrow)
        try trusted.write(to: signers)
        try expect("\"result\"", of: host)

        // A server that was started anew meanwhile is reached anew: nobody notices.
        server.stop()
        try server.start()
        try expect("\"result\"", of: host)
        #expect(WarmTests.eventually { Self.remotes(host).count == 1 })

        // One that is gone is said to be.
        server.stop()
        try expectFailure("E1203", of: host, in: escrow)
        #expect(WarmTests.eventually { Self.remotes(host).isEmpty })
        try server.start()
        try server.command(["device", "revoke", "laptop"])
        try expectFailure("E1207", of: host, in: escrow)
    }

    private func expect(_ text: String, of host: WarmTests.Server) throws {
        let answer = try host.run(at: "home")
        #expect(answer.contains(text), "\(answer)")
    }

    /// The app is told that there is no result; why, the individual sees.
    private func expectFailure(_ code: String, of host: WarmTests.Server, in escrow: Escrow) throws {
        try expect("E0543", of: host)
        let failures = try escrow.run("app", "failures", "--format", "json").output
        #expect(failures.contains(code), "\(failures)")
    }

    /// The pids of a host's `escrow-remote`s.
    private static func remotes(_ host: WarmTests.Server) -> Set<Int32> {
        host.children.filter {
            let name = try? String(contentsOfFile: "/proc/\($0)/comm", encoding: .utf8)
            return name == "escrow-remote\n"
        }
    }
}
