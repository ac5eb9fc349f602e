import Foundation
import Testing

/// `escrow plugin test --trace` as authors read it.
@Suite struct TraceTests {
    private func copy(_ name: String, to escrow: Escrow) throws -> String {
        let folder = escrow.folder.appending(path: name)
        try FileManager.default.copyItem(
            at: Escrow.root.appending(path: "Tests/EndToEndTests/\(name)"), to: folder)
        return folder.path
    }

    #if arch(x86_64)
    @Test func everyCallIsListedInOneGoAndTheRefusedOnesFirst() throws {
        let escrow = try Escrow(trusting: false)
        let folder = try copy("Traced", to: escrow)
        let outcome = try escrow.run("plugin", "test", folder, "--trace")
        #expect(outcome.status == 14)
        let lines = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
        let table = lines.drop { !$0.hasPrefix("system call") }.joined(separator: "\n")
        #expect(
            table == """
                system call                    times  in a run
                mprotect(PROT_READ|PROT_EXEC)  1      refused: a run ends here
                open(O_RDONLY)                 1      refused: a run ends here
                socket(AF_INET, SOCK_STREAM)   2      refused: a run ends here
                ioctl(TCGETS)                  1      answered with ENOTTY, not run
                exit_group                     1      allowed
                getpid                         1      allowed
                read                           1      allowed
                write                          1      allowed

                """)
        #expect(lines.contains { $0.hasPrefix("case    one row  ok  ") })
        #expect(
            outcome.words.hasSuffix(
                """
                1 passed, 0 failed; nothing here was signed or granted, and the data was mock
                error[E0511]: org.escrow.tests.traced makes 3 kinds of system calls that the profile strict refuses; a run ends at the first
                note: in this test each was answered with EPERM instead; what came after may be different in a run
                help: remove them; `escrow doctor --filter strict` lists what is allowed, and why

                """), "\(outcome.words)")
        // Neither a path nor a row is shown.
        #expect(!outcome.everything.contains("canary"))
    }

    @Test func withoutATraceTheFirstRefusedCallEndsTheCase() throws {
        let escrow = try Escrow(trusting: false)
        let outcome = try escrow.run("plugin", "test", try copy("Traced", to: escrow))
        #expect(outcome.status == 16)
        #expect(outcome.everything.contains("it called socket(AF_INET, SOCK_STREAM)"))
        #expect(!outcome.output.contains("system call "))
        #expect(
            outcome.words.contains(
                "\nto see every system call that the plugin makes: escrow plugin test --trace\n"))
    }
    #endif

    @Test func aPluginThatKeepsToTheProfilePassesAndShowsItsCalls() throws {
        let escrow = try Escrow(trusting: false)
        let outcome = try escrow.run(
            "plugin", "test", Escrow.root.appending(path: "Plugins/places-summary").path, "--trace")
        #expect(outcome.status == 0, "\(outcome.everything)")
        let table = outcome.output.split(separator: "\n").drop { !$0.hasPrefix("system call") }
        #expect(table.count > 10)
        #expect(!table.contains { $0.hasSuffix("refused: a run ends here") })
        #expect(table.contains { $0.hasPrefix("execve") } == false)
    }

    @Test func aHostUnderAListenerOfAnotherSaysThatItCannotTrace() throws {
        guard FakeKernel.program != nil else { return }
        let escrow = try Escrow(trusting: false)
        let outcome = try FakeKernel(faults: ["seccomp:1&8=EBUSY"]).start(
            ["plugin", "test", Escrow.root.appending(path: "Plugins/places-summary").path, "--trace"],
            home: escrow.home)
        #expect(outcome.status == 64)
        #expect(
            outcome.words.hasSuffix(
                """
                error[E1019]: the system calls cannot be traced here: this host is itself watched by a seccomp listener
                help: run `escrow plugin test --trace` outside the container; without --trace the cases run here

                """), "\(outcome.words)")
    }

    @Test func theFilterIsPrintedAsTheReviewedFileHasIt() throws {
        let escrow = try Escrow(trusting: false)
        let printed = try escrow.run("doctor", "--filter", "strict", "--arch", "arm64").output
        let file = Escrow.root.appending(path: "Tests/Vectors/filters/strict.arm64.txt")
        let golden = try String(contentsOf: file, encoding: .utf8)
        let rows = { (text: String) in
            text.split(separator: "\n").filter { !$0.contains(" instructions by libseccomp") }
        }
        #expect(rows(printed) == rows(golden))
        let report = try escrow.run("doctor", "--filter", "runtime", "--format", "json").json()
        let calls = try #require(report["calls"] as? [[String: Any]])
        #expect(calls.contains { $0["call"] as? String == "clone" })
        let usage = try escrow.run("doctor", "--bpf")
        #expect(usage.status == 64)
        #expect(usage.words.hasPrefix("error[E1015]: --arch and --bpf need --filter\n"))
    }
}
