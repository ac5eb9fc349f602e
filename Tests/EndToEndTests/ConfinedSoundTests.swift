import Foundation
import TemporaryFolder
import Testing

/// Sound behind the walls of `escrow app run`, with a real sound server that loads libraries for whoever asks it directly.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinedSoundTests {
    private let tests = ConfinementTests()

    /// A sound server of the test's own without a sound card, gone with this value.
    private final class SoundServer {
        private let process = Process()
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder("snd", mode: 0o700)
            // The last two are loaded by default.
            let script = """
                load-module module-native-protocol-unix
                load-module module-null-sink sink_name=nothing
                load-module module-filter-heuristics
                load-module module-filter-apply
                """
            let path = folder.path + "/script.pa"
            try Data(script.utf8).write(to: URL(filePath: path))
            // The server closes what it inherits, by which Foundation learns that a program has ended: it would then wait for this
            // one, and notice the end of no other.
            process.executableURL = URL(filePath: "/usr/bin/timeout")
            process.arguments = [
                "--signal=KILL", "600", "pulseaudio", "-n", "-F", path, "--daemonize=no", "--use-pid-file=no",
                "--exit-idle-time=-1",
            ]
            process.environment = ProcessInfo.processInfo.environment.merging(session) { $1 }
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            try RunningService.eventually("the sound server answers") { try run("info").status == 0 }
        }

        deinit {
            // It inherits the signals that a thread of Dispatch holds back, SIGTERM among them.
            _ = try? run("-KILL", "-f", folder.path + "/script.pa", by: "pkill")
            process.waitUntilExit()
        }

        /// What a program of this session has.
        var session: [String: String] {
            [
                "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
                "PULSE_SERVER": "unix:\(folder.path)/pulse/native", "DISPLAY": "",
            ]
        }

        /// Runs a program outside the walls, to ask the server.
        func run(_ words: String..., by program: String = "pactl") throws -> Escrow.Outcome {
            try Escrow.start(
                words, home: folder.url, program: URL(filePath: "/usr/bin/" + program), with: session)
        }
    }

    private static let has = ["pulseaudio", "pactl", "pacat", "parec"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }

    @Test func anAppPlaysAndRecordsAndLoadsNothing() throws {
        guard Self.has else {
            print("SKIP: pulseaudio or pulseaudio-utils is not installed")
            return
        }
        let (service, _) = try tests.service()
        let server = try SoundServer()
        func inside(_ script: String) throws -> Escrow.Outcome {
            try tests.confined(service, "/bin/sh", "-c", script, with: server.session)
        }
        // Named, so that no server is started inside.
        #expect(try inside("PULSE_SERVER=unix:$XDG_RUNTIME_DIR/pulse/native pactl info").status != 0)
        #expect(try service.run("app", "add", ConfinementTests.app, "--sound").status == 0)

        let info = try inside("pactl info")
        #expect(info.status == 0 && info.output.contains("Default Sink: nothing"), "\(info.everything)")
        // A second, of silence.
        let played = try inside("head -c 176400 /dev/zero | pacat --raw && echo played")
        #expect(played.output == "played\n", "\(played.everything)")
        let recorded = try inside(
            "parec --raw --latency-msec=50 -d nothing.monitor | head -c 4096 | wc -c")
        #expect(recorded.output == "4096\n", "\(recorded.everything)")
        #expect(try inside("ls $XDG_RUNTIME_DIR; ls $XDG_RUNTIME_DIR/pulse").output == "pulse\nnative\n")

        let words = ["load-module module-null-sink", "exit", "set-sink-mute nothing 1", "list short clients"]
        for command in words {
            let refused = try inside("pactl \(command)")
            #expect(
                refused.status != 0 && refused.words.contains("Access denied"),
                "\(command): \(refused.everything)")
        }
        // The control.
        #expect(try server.run("load-module", "module-null-sink").status == 0)
        // Its socket goes with it.
        let left = try? FileManager.default.contentsOfDirectory(atPath: service.runtime.url.path + "/apps")
        #expect(left == [])
    }

    /// A stream's properties can name a library of the app's own, which the server then loads.
    @Test func aStreamLoadsNoLibraryIntoTheServer() throws {
        guard Self.has, FileManager.default.isExecutableFile(atPath: "/usr/bin/cc") else {
            print("SKIP: pulseaudio, pulseaudio-utils or a compiler of C is not installed")
            return
        }
        let (service, _) = try tests.service()
        let server = try SoundServer()
        #expect(try service.run("app", "add", ConfinementTests.app, "--sound").status == 0)
        let home = try tests.appHome(service).path
        let loaded = service.escrow.folder.path + "/loaded"
        let source = """
            #include <stdio.h>
            __attribute__((constructor)) static void load(void) { fclose(fopen("\(loaded)", "w")); }
            """
        let file = try service.escrow.write("library.c", source)
        let library = home + "/library.so"
        let compiled = try Escrow.start(
            ["-shared", "-fPIC", "-o", library, file], home: service.escrow.home,
            program: URL(filePath: "/usr/bin/cc"))
        #expect(compiled.status == 0, "\(compiled.everything)")
        let apply = "filter.apply=ladspa-sink"
        let parameters = "filter.apply.ladspa-sink.parameters='plugin=\(library) label=x'"
        let silence = home + "/silence"
        try Data(count: 17_640).write(to: URL(filePath: silence))

        let inside = try tests.confined(
            service, "/usr/bin/env", "PULSE_PROP=\(apply) \(parameters)", "/usr/bin/pacat", "--raw",
            "/home/app/silence", with: server.session)
        #expect(inside.status == 0, "\(inside.everything)")
        #expect(!FileManager.default.fileExists(atPath: loaded))
        // The control.
        let outside = try Escrow.start(
            ["--raw", silence], home: service.escrow.home, program: URL(filePath: "/usr/bin/pacat"),
            with: server.session.merging(["PULSE_PROP": "\(apply) \(parameters)"]) { $1 })
        #expect(outside.status == 0, "\(outside.everything)")
        #expect(FileManager.default.fileExists(atPath: loaded))
    }

    @Test func withoutASoundServerAProgramRunsAndIsToldSo() throws {
        let (service, _) = try tests.service()
        #expect(try service.run("app", "add", ConfinementTests.app, "--sound").status == 0)
        let session = ["XDG_RUNTIME_DIR": service.escrow.folder.path, "PULSE_SERVER": ""]
        let outcome = try tests.confined(service, "/bin/sh", "-c", "ls $XDG_RUNTIME_DIR", with: session)
        #expect(
            outcome.status == 0 && outcome.output.isEmpty && outcome.words.contains("runs without sound"),
            "\(outcome.everything)")
    }
}
