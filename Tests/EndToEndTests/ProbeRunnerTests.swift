import Foundation
import Testing

/// The runner of the probes can itself be wrong: what it must notice, it notices.
@Suite struct ProbeRunnerTests {
    /// A folder with probes of this test's own; removed at the end.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "escrow-test-\(UUID().uuidString)")

        init(_ name: String, _ text: String) throws {
            let family = url.appending(path: "kernel")
            try FileManager.default.createDirectory(at: family, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: family.appending(path: name))
        }

        deinit { try? FileManager.default.removeItem(at: url) }

        /// Starts a run that is left to itself.
        func start() throws -> Process {
            let process = Process()
            process.executableURL = Bundle.main.bundleURL.appending(path: "probes")
            process.arguments = ["--in", url.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return process
        }

        func run() throws -> (status: Int32, lines: [String], words: String) {
            let process = Process()
            process.executableURL = Bundle.main.bundleURL.appending(path: "probes")
            process.arguments = ["--in", url.path]
            let output = Pipe()
            let words = Pipe()
            process.standardOutput = output
            process.standardError = words
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let table = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            let said = String(decoding: try words.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, table.split(separator: "\n").map(String.init), said)
        }
    }

    private static let hasCompiler = {
        let found = access("/usr/bin/gcc", X_OK) == 0
        if !found { print("SKIP: gcc is missing, so no probe can be compiled") }
        return found
    }()

    /// A C program that prints a line, with this first comment.
    private func printing(_ words: String, _ comment: String, before: String = "") -> String {
        comment + "PROBE { \(before)puts(\"\(words)\"); return 0; }\n"
    }

    @Test func aProbeThatEndsOtherwiseThanWrittenFails() throws {
        guard Self.hasCompiler else { return }
        let folder = try Folder("a.c", printing("DID IT", "// Prints.\n// strict: refused EPERM\n"))
        let run = try folder.run()
        #expect(run.status == 1)
        #expect(run.lines[1] == "FAIL  kernel/a  refused EPERM  prints DID IT")
        #expect(run.lines.last == "0 passed, 1 failed")
    }

    @Test func aProbeWhoseMisdeedFailsByItselfIsVoid() throws {
        guard Self.hasCompiler else { return }
        let folder = try Folder("a.c", printing("REFUSED EACCES", "// Prints.\n// strict: refused EACCES\n"))
        let run = try folder.run()
        #expect(run.status == 1)
        let void = "VOID: the control outside must end `prints DID IT`, and ended `refused EACCES`"
        #expect(run.lines[1] == "FAIL  kernel/a  refused EACCES  \(void)")
    }

    @Test func aControlThatThisMachineCannotRunIsSkippedAndSaidSo() throws {
        guard Self.hasCompiler else { return }
        let comment = "// Prints.\n// strict: refused EACCES\n// needs: a kernel with wings, else EACCES\n"
        let run = try Folder("a.c", printing("REFUSED EACCES", comment)).run()
        #expect(run.status == 0)
        #expect(run.lines.contains { $0.hasPrefix("      kernel/a  ") && $0.contains("with wings") })
        #expect(run.lines.last == "1 passed, 0 failed, 1 controls skipped")
    }

    @Test func whoeverIsStoppedAfterTheMisdeedIsNotTakenForStoppedBefore() throws {
        guard Self.hasCompiler else { return }
        let text = """
            // Says that it did it, then opens a socket.
            // strict: violation socket(AF_INET, SOCK_STREAM)
            PROBE { puts("DID IT"); fflush(stdout); return socket(AF_INET, SOCK_STREAM, 0) < 0; }

            """
        let run = try Folder("a.c", text).run()
        #expect(run.status == 1)
        let end = "violation socket(AF_INET, SOCK_STREAM)"
        #expect(run.lines[1] == "FAIL  kernel/a  \(end)  \(end) after DID IT")
    }

    @Test func nothingOfAControlOutlivesTheRun() throws {
        guard Self.hasCompiler else { return }
        // It leaves its group and its session, and its parent ends.
        let text = """
            // Leaves a process behind.
            // strict: violation clone(0)
            PROBE {
                int ends[2];
                char byte;
                if (!getenv("ESCROW_PLUGIN") && pipe(ends) < 0) return 1;
                if (fork() == 0) {
                    setsid();
                    if (fork() != 0) _exit(0);
                    FILE *file = fopen("PLACE", "w");
                    fprintf(file, "%d\\n", getpid());
                    fclose(file);
                    puts("DID IT");
                    fflush(stdout);
                    for (int i = 0; i < 16; i++) close(i);
                    for (;;) pause();
                }
                // Until it has said so, and closed its end.
                close(ends[1]);
                return read(ends[0], &byte, 1) < 0;
            }

            """
        let place = FileManager.default.temporaryDirectory.appending(path: "escrow-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: place) }
        let folder = try Folder("a.c", text.replacingOccurrences(of: "PLACE", with: place.path))
        let run = try folder.run()
        #expect(run.status == 0, "\(run.lines)")
        let pid = try #require(pid_t(try String(contentsOf: place, encoding: .utf8).dropLast()))
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
    }

    @Test func anInterruptedRunLeavesNothingBehind() throws {
        guard Self.hasCompiler else { return }
        let place = FileManager.default.temporaryDirectory.appending(path: "escrow-test-\(UUID().uuidString)")
        try #require(mkfifo(place.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: place) }
        let folder = try Folder(
            "a.c",
            """
            // Waits.
            // strict: limit wall
            PROBE {
                char here[256];
                FILE *file = fopen("\(place.path)", "w");
                fprintf(file, "%d %s", getpid(), getcwd(here, sizeof here));
                fclose(file);
                for (;;) pause();
            }

            """)
        let process = try folder.start()
        // Reading waits until the control writes.
        let said = try FileHandle(forReadingFrom: place).readToEnd() ?? Data()
        let words = String(decoding: said, as: UTF8.self).split(separator: " ")
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 128 + SIGTERM)
        let pid = try #require(words.first.flatMap { pid_t($0) })
        #expect(kill(pid, 0) == -1 && errno == ESRCH)
        let scratch = try #require(words.last.map(String.init))
        #expect(scratch.hasPrefix("/tmp/escrow-probes."))
        #expect(!FileManager.default.fileExists(atPath: scratch))
    }

    @Test(arguments: [
        ("// Prints.\n", "kernel/a.c: it says nowhere how it must end"),
        ("// strict: exit 1\n", "kernel/a.c: its first line must say what it tries"),
        ("// Prints.\n// strikt: exit 1\n", "kernel/a.c:2: there is no key `strikt`"),
        (
            "// Prints.\n// strict: exit 1\n// More.\n",
            "kernel/a.c:3: words belong above the first `key:` line"
        ),
        ("// Prints.\n// strict: exit 1\n// strict: exit 2\n", "kernel/a.c:3: a second expected end"),
        ("// Prints.\n// strict: dies\n", "kernel/a.c:2: no run ends like this: `dies`"),
        ("// Prints.\n// strict: limit patience\n", "kernel/a.c:2: no run ends like this: `limit patience`"),
        (
            "// Prints.\n// runtime: exit 1\n",
            "kernel/a.c: a .c probe says `strict:`, how it ends there"
        ),
        (
            "// Prints.\n// strict: exit 1\n// needs: CAP_FLY\n",
            "kernel/a.c:3: there is no capability `CAP_FLY`"
        ),
    ])
    func aCommentThatIsNotUnderstoodIsAnError(_ comment: String, _ error: String) throws {
        let run = try Folder("a.c", printing("DID IT", comment)).run()
        #expect(run.status == 64)
        #expect(run.words == "probes: \(error)\n")
        #expect(run.lines.isEmpty)
    }
}
