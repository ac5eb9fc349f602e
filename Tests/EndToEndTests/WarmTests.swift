import Foundation
import Testing

/// `escrow host` keeps processes ready between runs, and none of them longer than what was verified stands.
@Suite(.serialized, .timeLimit(.minutes(60))) struct WarmTests {
    /// A host that serves an app, and the processes that it has.
    final class Server {
        private let process = Process()
        private let input = Pipe()
        private let output = Pipe()
        private var waiting = Data()
        private var number = 0
        let escrow: Escrow

        convenience init() throws {
            let escrow = try Escrow()
            #expect(
                try escrow.run("source", "add", "contacts", try escrow.write("one.vcf", RogueTests.card))
                    .status == 0)
            try escrow.allow("phone-check")
            try self.init(escrow)
        }

        init(_ escrow: Escrow) throws {
            self.escrow = escrow
            process.executableURL = Escrow.program
            process.arguments = ["host", "--stdio"]
            process.environment = ProcessInfo.processInfo.environment.merging(
                ["ESCROW_HOME": escrow.home.path]) { $1 }
            process.standardInput = input
            process.standardOutput = output
            try process.run()
            #expect(try line().contains("escrow-host"))
        }

        deinit {
            if process.isRunning { process.terminate() }
        }

        private func line() throws -> String {
            while true {
                if let end = waiting.firstIndex(of: 0x0A) {
                    let line = String(decoding: waiting[..<end], as: UTF8.self)
                    waiting = Data(waiting[waiting.index(after: end)...])
                    return line
                }
                let bytes = output.fileHandleForReading.availableData
                try #require(!bytes.isEmpty, "the host closed its side")
                waiting += bytes
            }
        }

        /// One run of phone-check, on this device or at a server: the host's answer.
        func run(at server: String = "device") throws -> String {
            number += 1
            let request = """
                {"id":\(number),"run":{"app":"org.example.test","compute":"phone-check","server":"\(server)"}}

                """
            try input.fileHandleForWriting.write(contentsOf: Data(request.utf8))
            return try line()
        }

        func expectResult() throws {
            let answer = try run()
            #expect(answer.contains("\"result\""), "\(answer)")
        }

        /// The pids of the host's children that live.
        var children: Set<Int32> {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return Set(
                all.compactMap { Int32($0) }.filter { pid in
                    let stat = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
                    // The state and the parent stand after the name in brackets.
                    let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
                    return fields.count > 1 && fields[0] != "Z"
                        && fields[1] == "\(process.processIdentifier)"
                })
        }

        /// The processes that are parked once the pool is full.
        func parked() throws -> Set<Int32> {
            try #require(eventually { children.count >= 2 }, "nothing was parked")
            return children
        }

        func killHost() { kill(process.processIdentifier, SIGKILL) }

        /// The app goes.
        func hangUp() throws {
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
        }
    }

    /// Looks again and again, for two minutes at least.
    static func eventually(_ look: () -> Bool) -> Bool {
        for _ in 0..<12_000 {
            if look() { return true }
            usleep(10_000)
        }
        return false
    }

    private func expectGone(_ pids: Set<Int32>, of server: Server, _ why: Comment) {
        #expect(Self.eventually { server.children.isDisjoint(with: pids) }, why)
    }

    @Test func eachRunUsesUpOneProcess() throws {
        let server = try Server()
        try server.expectResult()
        for _ in 0..<3 {
            let before = try server.parked()
            try server.expectResult()
            #expect(!before.isSubset(of: server.children), "the run used no parked process")
        }
        let last = try server.parked()
        try server.hangUp()
        for pid in last { #expect(Self.eventually { kill(pid, 0) != 0 }, "a process outlived its host") }
        #expect(try server.escrow.run("ledger", "verify").status == 0)
    }

    @Test(arguments: ["trust", "revocation", "removal", "file", "configuration"])
    func whatChangesEndsWhatIsParked(change: String) throws {
        let server = try Server()
        let escrow = server.escrow
        try server.expectResult()
        let parked = try server.parked()
        var runsOn = false
        switch change {
        case "trust":
            let listed = try escrow.run("trust", "list", "--format", "json").output
            let start = try #require(listed.range(of: "SHA256:"))
            let fingerprint = String(listed[start.lowerBound...].prefix(50))
            #expect(try escrow.run("trust", "remove", fingerprint).status == 0)
        case "revocation":
            let revoked = try escrow.run(
                "trust", "revoke", "--plugin", "org.example.phone-check", "--below", "99.0.0")
            #expect(revoked.status == 0, "\(revoked.words)")
        case "removal": #expect(try escrow.run("plugin", "remove", "phone-check").status == 0)
        case "file":
            let file = try #require(
                FileManager.default.enumerator(
                    at: escrow.home.appending(path: "plugins"), includingPropertiesForKeys: nil)?
                    .compactMap { $0 as? URL }.first {
                        $0.lastPathComponent == "phone-check" && !$0.hasDirectoryPath
                    })
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count / 2] ^= 1
            try bytes.write(to: file)
        default:
            runsOn = true
            let path = escrow.home.appending(path: "config.json")
            try Data(#"{"limits": {"wallSeconds": 59}}"#.utf8).write(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
        }
        let answer = try server.run()
        if runsOn {
            #expect(answer.contains("\"result\""), "\(answer)")
        } else {
            #expect(answer.contains("\"error\""), "\(answer)")
            // Before any data is read the app may know why: 12 is refused trust, 64 a plugin that is not there.
            #expect(answer.contains("\"status\":12") || answer.contains("\"code\":\"E0212\""), "\(answer)")
        }
        expectGone(parked, of: server, "parked before the change of \(change), and still there")
        if !runsOn { #expect(Self.eventually { server.children.isEmpty }) }
        try server.hangUp()
    }

    @Test func aParkedProcessThatIsKilledIsNoHarm() throws {
        let server = try Server()
        try server.expectResult()
        let parked = try server.parked()
        for pid in parked { kill(pid, SIGKILL) }
        // Until then they live, and the run that takes one fails with it, as any run does whose process is killed.
        expectGone(parked, of: server, "what was killed lives on")
        try server.expectResult()
        try server.hangUp()
    }

    @Test func aKilledHostTakesItsProcessesAlong() throws {
        let server = try Server()
        try server.expectResult()
        let parked = try server.parked()
        server.killHost()
        for pid in parked {
            #expect(
                Self.eventually {
                    let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
                    // Init reaps it in its own time.
                    return stat == nil || stat?.contains(") Z") == true
                })
        }
    }
}

private func eventually(_ look: () -> Bool) -> Bool { WarmTests.eventually(look) }
