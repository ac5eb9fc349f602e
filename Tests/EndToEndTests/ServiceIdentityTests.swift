import Foundation
import TemporaryFolder
import Testing

/// How apps are known that prove themselves by what the session says, and how a session starts the service.
@Suite struct ServiceIdentityTests {
    private func escrow() throws -> Escrow {
        let escrow = try Escrow.withPhoneCheck(for: "org.example.other")
        return escrow
    }

    /// A root as Flatpak makes one: the system's programs, the instance's file, which the app cannot write, and the socket.
    private func inFlatpak(
        _ service: RunningService, _ info: String, _ command: [String]
    ) throws -> Escrow.Outcome {
        let file = try service.escrow.write("flatpak-info", info)
        var words = [
            "--unshare-pid", "--unshare-net", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc",
        ]
        for name in ["bin", "lib", "lib64"] { words += ["--symlink", "usr/" + name, "/" + name] }
        words += ["--proc", "/proc", "--dev", "/dev", "--ro-bind", file, "/.flatpak-info"]
        words += ["--bind", service.socket, "/run/user/escrow/service.sock"]
        words += ["--ro-bind", Escrow.root.path, "/source", "--setenv", "XDG_RUNTIME_DIR", "/run/user"]
        words += ["--setenv", "NOTES_LIBRARY", "/source/SDK/python", "--unsetenv", "ESCROW_SOCKET", "--"]
        return try Escrow.start(
            words + command, home: service.escrow.home, program: URL(filePath: "/usr/bin/bwrap"))
    }

    @Test(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
    func anAppOfAFlatpakIsKnownByItsInstanceAndTheSampleRuns() throws {
        let service = try RunningService(try escrow())
        let info =
            "[Application]\nname=org.example.Notes\nruntime=runtime/org.freedesktop.Platform/x86_64/24.08\n"
        let about = ["curl", "-s", "--unix-socket", "/run/user/escrow/service.sock", "http://localhost/v1"]
        let known = try inFlatpak(service, info, about)
        #expect(known.output.contains(#""app":"org.example.notes","known":"flatpak""#), "\(known.everything)")
        // A file of two minds proves nothing.
        let two = try inFlatpak(service, info + "[Application]\nname=org.example.Bank\n", about)
        #expect(two.output.contains(#""known":"claim""#), "\(two.everything)")
        let granted = try service.run(
            "grant", "allow", "--app", "org.example.notes", "--plugin", "phone-check", "--known", "flatpak")
        #expect(granted.status == 0, "\(granted.words)")
        let ran = try inFlatpak(service, info, ["python3", "/source/samples/flatpak/notes"])
        #expect(ran.output == "59 numbers are well-formed, 22 are not\n", "\(ran.everything)")
        // Who only says that id has nothing of what the Flatpak was granted.
        #expect(try service.curl("/v1/runs", body: ServiceTests.ask).status == 409)
    }

    /// The sample lets through the socket for apps and nothing by which it could go around it.
    @Test func theFlatpakSampleReachesNoDataAndOnlyTheSocketForApps() throws {
        let manifest = try JSONSerialization.jsonObject(
            with: Data(contentsOf: Escrow.root.appending(path: "samples/flatpak/org.example.Notes.json")))
        let arguments = try #require((manifest as? [String: Any])?["finish-args"] as? [String])
        #expect(
            arguments.filter { $0.hasPrefix("--filesystem=") } == ["--filesystem=xdg-run/escrow/service.sock"]
        )
        #expect(!arguments.contains { $0.contains("bus") || $0.contains("share=") || $0.contains("device") })
    }

    @Test func theSessionListensFirstAndTheFirstProgramStartsTheService() throws {
        let escrow = try escrow()
        let script = try ListeningScript(
            "activate.py", [Escrow.program.path, "serve", "--home", escrow.home.path])
        defer { withExtendedLifetime(script) {} }
        let asked = try Escrow.start(
            [
                "-s", "--max-time", "600", "--unix-socket", script.runtime.path + "/service.sock", "-H",
                "Content-Type: application/json", "-d",
                #"{"app":"org.example.other","compute":"phone-check"}"#, "http://localhost/v1/runs",
            ], home: escrow.home, program: URL(filePath: "/usr/bin/curl"))
        #expect(asked.output.contains(#""contacts":41"#), "\(asked.everything)")
        // The other socket is for the individual's own programs.
        let confined = try Escrow.start(
            ["app", "check", "org.example.other", "--runtime", script.runtime.path], home: escrow.home,
            with: ["XDG_STATE_HOME": escrow.folder.path + "/state"])
        #expect(confined.status == 0 || !Confinement.works, "\(confined.everything)")
    }
}
