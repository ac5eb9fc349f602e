import EscrowDiagnostics
import Glibc
import Testing

@testable import EscrowSandbox

/// What is allowed is needed: honest programs of every kind are traced, and a call that none of them makes is either
/// taken off the list or stands in docs/spec/sandbox.md with its reason.
@Suite struct FilterNeedTests {
    private let input = Array("1 ada\n2 bert\n3 ada\n".utf8)

    @Test func strictAllowsWhatStaticProgramsCall() throws {
        let trace = Trace()
        let sandbox = try Sandbox()
        func run(_ program: borrowing SealedFile, _ arguments: [String], fails: Bool = false) throws {
            let ran = try sandbox.run(
                .executable(fd: program.fd), arguments: arguments,
                input: input + Array((fails ? "4 fail\n" : "").utf8), trace: trace)
            #expect(ran.outcome.isClean == !fails, "\(ran.outcome.status) \(ran.log)")
        }
        guard let echo = try Probes.program("echo"), let twin = try Probes.program("twin"),
            let swift = try SwiftProgram.build(try Probes.text("twin.swift"))
        else { return }
        try run(echo, [])
        try run(twin, [])
        try run(twin, ["abort"], fails: true)
        try run(swift, [])
        try run(swift, [], fails: true)
        if let musl = try Probes.muslTwin() { try run(musl, []) }
        try compare(.strict, trace)
    }

    @Test func runtimeAllowsWhatInterpretersCall() throws {
        let trace = Trace()
        let sandbox = try Sandbox()
        for script in try Self.scripts() {
            guard
                let ran = try sandbox.script(script.interpreter, script.text, input: input, trace: trace)
            else { return }
            #expect(ran.outcome.status == .exited(script.code), "\(script.interpreter): \(ran.log)")
        }
        try compare(.runtime, trace)
    }

    /// Honest, and not for strict: its runtime starts threads, and an event loop.
    @Test func swiftConcurrencyNeedsThreadsAndIsStopped() throws {
        guard let program = try SwiftProgram.build("print(await Task { 1 }.value)") else { return }
        let ran = try Sandbox().run(.executable(fd: program.fd))
        #expect(ran.outcome.status == .violation)
        // Which of the two comes first is up to its threads.
        #expect(["clone", "eventfd2"].contains(ran.outcome.syscall?.name))
        #expect(ran.output == "")
    }

    /// For each interpreter a program that ends well, and one that fails, with its exit code.
    private static func scripts() throws -> [(interpreter: String, text: String, code: Int32)] {
        [
            ("python3", try Probes.text("twin.py"), 0),
            ("python3", "import sys\ndef f(): raise ValueError(len(sys.stdin.read()))\nf()", 1),
            ("jq", "[inputs]? | length", 0),
            ("jq", "error(\"no\")", 5),
            (
                "awk",
                """
                BEGIN { srand(); x = rand() }
                { n[$2] += $1 }
                END { for (k in n) printf "%s %d\\n", k, n[k]; print length(x) > "/dev/stderr" }
                """, 0
            ),
            ("awk", "{ getline line < \"/plugin/none\"; exit 2 }", 2),
            (
                "sh",
                """
                trap 'echo end' EXIT
                f() { printf '%s\\n' "$1" >&2; }
                n=0
                while read -r a b; do n=$((n + a)); done
                f $n; umask
                test -r /plugin/main
                read -r c <<END
                x
                END
                echo $n $c $$
                """, 0
            ),
            ("sh", "set -eu; echo $missing", 2),
        ]
    }

    /// Every call that the profile runs was made by a program of the trace, or the document defends it.
    private func compare(_ profile: SandboxProfile, _ trace: Trace) throws {
        for entry in trace.entries where entry.decision == .refused {
            Issue.record("an honest program is refused \(entry.call)")
        }
        let used = trace.entries.filter { $0.decision == .allowed }.map {
            String($0.call.prefix { $0 != "(" })
        }
        let defended = try Self.defended()
        for call in Self.run(profile).subtracting(used).subtracting(defended).sorted() {
            Issue.record(
                "\(profile.rawValue) allows \(call), and no honest program makes it: take it off, or defend it"
            )
        }
    }

    /// The calls that a profile runs for some arguments, on either processor.
    private static func run(_ profile: SandboxProfile) -> Set<String> {
        let rules = FilterArchitecture.allCases.flatMap { architecture in
            FilterRules.rules(for: profile, .init(architecture: architecture))
        }
        return Set(rules.filter { $0.action == .allow }.map(\.call))
    }

    /// The table in the document: calls between backquotes, then the reason.
    private static func defended() throws -> Set<String> {
        let text = try Probes.text("../../docs/spec/sandbox.md")
        let part =
            text.split(separator: "### Allowed, though no program of ours needs it\n").dropFirst().first ?? ""
        let rows = part.split(separator: "\n#")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        return Set(rows.flatMap { $0.split(separator: "|")[0].split { " `".contains($0) }.map(String.init) })
    }

    @Test func whatIsDefendedIsAllowed() throws {
        let defended = try Self.defended()
        #expect(defended.count > 10)
        let allowed = Self.run(.strict).union(Self.run(.runtime))
        #expect(defended.subtracting(allowed) == [])
    }
}
