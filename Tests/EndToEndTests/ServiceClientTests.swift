import EscrowClient
import Foundation
import TemporaryFolder
import Testing

/// Apps in Swift, and the host process that they start, where the service runs: it does the work, known as it knows them.
@Suite struct ServiceClientTests {
    struct PhoneReport: Decodable, Sendable { let contacts: Int }

    private func escrow() throws -> Escrow {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.notes")
        return escrow
    }

    @Test func anAppInSwiftHasItsFiveCallsOverTheSocket() async throws {
        let service = try RunningService(try escrow())
        let app = try await EscrowClient.Escrow.connect(app: "org.example.notes", socket: service.socket)
        let version = try service.run("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(app.hostVersion == version)
        let report: PhoneReport = try await app.run(compute: "phone-check")
        #expect(report.contacts == 41)
        #expect(try await app.status(compute: "phone-check") == .authorized)
        let flow = try await app.explain(compute: "phone-check")
        #expect(
            flow.plugin == "org.example.phone-check" && flow.purpose.code == "data-quality"
                && flow.sends == [])
        let contacts = try await app.schema().first { $0.name == "Contacts" }
        #expect(contacts?.columns.contains { $0.name == "givenName" } == true)
        #expect(try await app.plugins().map(\.name) == ["phone-check"])
        let stranger = try await EscrowClient.Escrow.connect(app: "org.example.other", socket: service.socket)
        let error = await #expect(throws: EscrowError.self) {
            let _: PhoneReport = try await stranger.run(compute: "phone-check")
        }
        #expect(error?.code == "E0702" && error?.kind == .notDetermined)
        let nobody = await #expect(throws: EscrowError.self) {
            _ = try await EscrowClient.Escrow.connect(app: "a.b", socket: service.runtime.url.path + "/none")
        }
        #expect(nobody?.code == "E1251")
    }

    @Test func aTaskThatIsCancelledWithdrawsItsQuestion() async throws {
        let service = try RunningService(try escrow())
        let app = try await EscrowClient.Escrow.connect(app: "org.example.other", socket: service.socket)
        let task = Task { () -> PhoneReport in
            try await app.run(compute: "phone-check", says: "So that you can mend them.", wait: 120)
        }
        try await RunningService.comes("the question stands in the list") {
            try service.run("pending").output.contains("org.example.other")
        }
        task.cancel()
        let outcome = await task.result
        #expect(throws: CancellationError.self) { try outcome.get() }
    }

    /// The token proves the app, which then names no id.
    @Test func aTokenIsEnough() async throws {
        let service = try RunningService(try escrow())
        let token = try service.run("app", "add", "org.example.tokened").output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let app = try await EscrowClient.Escrow.connect(socket: service.socket, token: token)
        #expect(try await app.status(compute: "phone-check") == .notDetermined)
        #expect(try await app.explain(compute: "phone-check").app == "org.example.tokened")
    }

    /// `escrow host --stdio` is a bridge where the service runs: it needs no home, and holds no data.
    @Test func theHostProcessIsABridgeToTheService() throws {
        let service = try RunningService(try escrow())
        let lines = """
            {"id":1,"run":{"app":"org.example.notes","compute":"phone-check"}}
            {"id":2,"status":{"app":"org.example.other","compute":"phone-check"}}
            {"id":3,"run":{"app":"org.example.other","compute":"phone-check"}}

            """
        let bridge = Process()
        bridge.executableURL = Escrow.program
        bridge.arguments = ["host", "--stdio"]
        // As an app under `escrow app run` has it: no home is named, and none is where one would be.
        bridge.environment = ProcessInfo.processInfo.environment.filter { $0.key != "ESCROW_HOME" }
            .merging(["HOME": "/nonexistent", "ESCROW_SOCKET": service.socket]) { $1 }
            .filter { !$0.key.hasPrefix("XDG_") }
        let input = Pipe()
        let output = Pipe()
        bridge.standardInput = input
        bridge.standardOutput = output
        try bridge.run()
        try input.fileHandleForWriting.write(contentsOf: Data(lines.utf8))
        var said = ""
        while said.split(separator: "\n").count < 4 {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            said += String(decoding: data, as: UTF8.self)
        }
        try input.fileHandleForWriting.close()
        bridge.waitUntilExit()
        #expect(bridge.terminationStatus == 0)
        let told = said.split(separator: "\n").sorted()
        #expect(told.count == 4 && said.hasPrefix(#"{"escrow-host":1"#), "\(said)")
        #expect(told.contains { $0.hasPrefix(#"{"id":1,"result":{"value":{"contacts":41"#) }, "\(said)")
        #expect(told.contains(#"{"id":2,"status":"notDetermined"}"#), "\(said)")
        #expect(told.contains { $0.hasPrefix(#"{"id":3,"error":{"code":"E0702","status":11"#) }, "\(said)")
    }

    /// A command that says nothing of its run has the service run it: only what serves another home is left alone.
    @Test func aQuietRunIsTheServices() throws {
        let escrow = try escrow()
        let service = try RunningService(escrow, inSession: true)
        let session = ["XDG_RUNTIME_DIR": service.runtime.url.path]
        let words = ["run", "phone-check", "--app", "org.example.notes", "--quiet", "--format", "json"]
        let ran = try Escrow.start(words, home: escrow.home, with: session)
        #expect(ran.status == 0 && ran.output.contains(#""contacts":41"#), "\(ran.everything)")
        // Only the service keeps a plugin ready for the next run.
        try RunningService.eventually("the service holds a plugin") {
            try Self.children(of: service.identifier) > 0
        }
        let other = try Escrow()
        #expect(try other.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        try other.allow("phone-check", app: "org.example.notes")
        let own = try Escrow.start(words, home: other.home, with: session)
        #expect(own.status == 0 && own.output.contains(#""contacts":41"#), "\(own.everything)")
    }

    /// Who claims the place of all programs that prove nothing does not keep the individual's own command from its run.
    @Test func aRunForWhichTheServiceHasNoRoomIsTheCommands() throws {
        let escrow = try escrow()
        let full = try ListeningScript("full_service.py", [escrow.home.path])
        defer { withExtendedLifetime(full) {} }
        for more in [["--quiet"], []] {
            let ran = try Escrow.start(
                ["run", "phone-check", "--app", "org.example.notes", "--format", "json"] + more,
                home: escrow.home, with: full.session)
            #expect(ran.status == 0 && ran.output.contains(#""contacts":41"#), "\(ran.everything)")
        }
    }

    /// Asked on the terminal of the command, made by the service; then told why it failed, though apps are not.
    @Test func aRunOnATerminalIsAskedAboutThereAndMadeByTheService() throws {
        let escrow = try Escrow.withContacts()
        let package = Escrow.packages.appending(path: "phone-check.escrow").path
        #expect(try escrow.run("plugin", "install", package, "--yes").status == 0)
        let service = try RunningService(escrow, inSession: true)
        let session = ["XDG_RUNTIME_DIR": service.runtime.url.path]
        let words = ["run", "phone-check", "--app", "org.example.notes", "--format", "json"]
        let terminal = try TypedTerminal(words, home: escrow.home, with: session)
        try terminal.expect("allow? ")
        #expect(try Self.children(of: service.identifier) == 0)
        terminal.type("o")
        let ended = try terminal.end()
        #expect(ended.status == 0 && ended.output.contains(#""contacts":41"#), "\(ended) \(terminal.shown)")
        try RunningService.eventually("the service holds a plugin") {
            try Self.children(of: service.identifier) > 0
        }
        // Once was once; and a no ends it, whoever would have made the run.
        let again = try TypedTerminal(words, home: escrow.home, with: session)
        try again.expect("allow? ")
        again.type("n")
        #expect(try again.end().status == 10, "\(again.shown)")
    }

    private static func children(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { count, task in
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)
            return count + (text ?? "").split(separator: " ").count
        }
    }
}
