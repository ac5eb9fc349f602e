import Foundation
import TemporaryFolder
import Testing

/// Programs that would read a person's contacts without asking: outside the walls of `escrow app run` they can, inside they cannot.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinementTests {
    static let app = "org.example.hostile"
    static let marker = "MARKER-\(UUID().uuidString)"

    /// A service with one source, and the folder that the source lies in.
    func service() throws -> (service: RunningService, file: String) {
        let escrow = try Escrow()
        let folder = escrow.folder.appending(path: "data")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appending(path: "contacts.vcf").path
        let card =
            "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:\(Self.marker)\r\nN:M;A;;;\r\nTEL:+12025550101\r\nEND:VCARD\r\n"
        try Data(card.utf8).write(to: URL(filePath: file))
        #expect(try escrow.run("source", "add", "contacts", file).status == 0)
        try escrow.allow("phone-check", app: "org.example.other")
        return (try RunningService(escrow), file)
    }

    func appHome(_ service: RunningService) throws -> URL {
        let home = service.escrow.folder.appending(path: "state/escrow-apps/\(Self.app)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        return home
    }

    func confined(
        _ service: RunningService, _ command: String..., with more: [String: String] = [:]
    ) throws -> Escrow.Outcome {
        try Escrow.start(
            ["app", "run", Self.app, "--runtime", service.runtime.url.path, "--"] + command,
            home: service.escrow.home,
            with: more.merging(["XDG_STATE_HOME": service.escrow.folder.path + "/state"]) { $1 })
    }

    private func ways(_ service: RunningService, _ file: String) -> [String] {
        [file, service.escrow.home.path, service.runtime.url.path, Self.marker]
    }

    @Test func fortyWaysWorkOutsideAndNoneInside() throws {
        let (service, file) = try service()
        let program = Escrow.root.appending(path: "Tests/Hostile/ways.py")
        let outside = try Escrow.start(
            [program.path] + ways(service, file), home: service.escrow.home,
            program: URL(filePath: "/usr/bin/python3"),
            with: ["HOME": service.escrow.folder.path])
        // The control: a program that cannot do it at all proves nothing.
        let worked = outside.output.split(separator: "\n").count { $0.hasPrefix("worked: ") }
        #expect(worked >= 15, "\(outside.everything)")
        try FileManager.default.copyItem(at: program, to: try appHome(service).appending(path: "ways.py"))
        let words = ways(service, file)
        let inside = try confined(
            service, "/usr/bin/python3", "/home/app/ways.py", words[0], words[1], words[2], words[3])
        #expect(inside.output.hasSuffix("tried 40, worked 0\n"), "\(inside.everything)")
    }

    @Test func whoIsConfinedStillGetsAnAnswerAfterAYes() throws {
        let (service, _) = try service()
        let kit = Escrow.root.appending(path: "SDK/python/escrow")
        try FileManager.default.copyItem(at: kit, to: try appHome(service).appending(path: "escrow"))
        let script = """
            import escrow, json
            app = escrow.Escrow()
            try:
                app.run("phone-check")
            except escrow.EscrowError as error:
                print(error.code, flush=True)
            print(json.dumps(app.run("phone-check", wait=300)))
            """
        try Data(script.utf8).write(to: try appHome(service).appending(path: "app.py"))
        nonisolated(unsafe) var outcome: Escrow.Outcome?
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            outcome = try? confined(service, "/usr/bin/python3", "/home/app/app.py")
            done.signal()
        }
        var entry: [String: Any] = [:]
        try RunningService.eventually("the question stands in the list") {
            let pending = try service.run("pending", "--format", "json").json()
            entry = (pending["pending"] as? [[String: Any]])?.first ?? [:]
            return !entry.isEmpty
        }
        #expect(entry["app"] as? String == Self.app && entry["known"] as? String == "socket")
        #expect(try service.run("answer", try #require(entry["id"] as? String), "always").status == 0)
        #expect(done.wait(timeout: .now() + 330) == .success)
        let lines = outcome?.output.split(separator: "\n").map(String.init) ?? []
        #expect(
            lines.first == "E0702" && lines.last?.contains("\"contacts\": 1") == true,
            "\(outcome?.everything ?? "")")
        // The yes was for the app with its own socket: a program that only says so gets nothing of it.
        let claim = #"{"app":"\#(Self.app)","compute":"phone-check"}"#
        #expect(try service.curl("/v1/runs", body: claim).status == 409)
    }

    @Test func aProgramSeesItsOwnSocketAndItsExitStatusIsHandedOn() throws {
        let (service, _) = try service()
        let about = try confined(
            service, "/usr/bin/curl", "-s", "--unix-socket", "/run/escrow/service.sock", "http://localhost/v1"
        )
        #expect(
            about.output.contains(#""app":"org.example.hostile","known":"socket""#), "\(about.everything)")
        #expect(try confined(service, "/bin/sh", "-c", "exit 7").status == 7)
        #expect(try confined(service, "/bin/sh", "-c", "ls /run/escrow").output == "escrow\nservice.sock\n")
        // Its socket goes with it.
        let left = try? FileManager.default.contentsOfDirectory(atPath: service.runtime.url.path + "/apps")
        #expect(left == [])
    }

    @Test func aSecondNameOfASourceIsFoundByTheCheck() throws {
        let (service, file) = try service()
        let notes = service.escrow.folder.appending(path: "notes")
        try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
        #expect(try service.run("app", "add", Self.app, "--folder", notes.path).status == 0)
        func check() throws -> Escrow.Outcome {
            try service.run("app", "check", Self.app, "--runtime", service.runtime.url.path)
        }
        #expect(try check().status == 0)
        try FileManager.default.linkItem(atPath: file, toPath: notes.path + "/link.vcf")
        let found = try check()
        #expect(
            found.status == 20 && found.output.contains("reached: \(notes.path)/link.vcf"),
            "\(found.everything)")
    }

    @Test func withoutAServiceNothingIsStarted() throws {
        let escrow = try Escrow()
        let refused = try escrow.run(
            "app", "run", Self.app, "--runtime", escrow.folder.path + "/none", "--", "/bin/echo", "started")
        #expect(refused.words.contains("E1251") && !refused.output.contains("started"))
    }
}

/// Whether programs can be confined here.
enum Confinement {
    static let works: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/bwrap")
        process.arguments = ["--unshare-all", "--ro-bind", "/", "/", "/bin/true"]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()
}
