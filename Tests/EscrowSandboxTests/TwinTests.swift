import EscrowSandbox
import Testing

/// Honest programs must run to a clean end: a wall that stops them would be lowered.
@Suite struct TwinTests {
    private let input = Array("1 ada\n2 bert\n".utf8)

    @Test func aStaticProgramCopiesItsInput() throws {
        guard let ran = try Sandbox().probe("echo", input: input) else { return }
        #expect(ran.outcome.status == .exited(0))
        #expect(ran.outcome.isClean)
        #expect(ran.output == "1 ada\n2 bert\n")
        #expect(ran.outcome.diagnostic(plugin: "echo", version: "1.0.0") == nil)
    }

    @Test func aStaticProgramCopiesMoreThanAPipeHolds() throws {
        guard let program = try Probes.program("echo") else { return }
        let process = try Sandbox().launch(.executable(fd: program.fd), name: "echo")
        let bytes = [UInt8](repeating: 7, count: 3 << 20)
        let writer = Writer(process: process, bytes: bytes)
        writer.start()
        var total = 0
        while true {
            let read = try process.read(max: 1 << 18)
            if read.isEmpty { break }
            #expect(read.allSatisfy { $0 == 7 })
            total += read.count
        }
        #expect(total == bytes.count)
        #expect(process.finish(graceSeconds: 60).isClean)
    }

    @Test func aPythonScriptRuns() throws {
        let script = """
            import sys, json, threading, math, re, datetime
            rows = [line.split() for line in sys.stdin]
            found = []
            thread = threading.Thread(target=lambda: found.append(math.sqrt(16)))
            thread.start(); thread.join()
            print(json.dumps({"rows": len(rows), "root": found[0]}))
            """
        guard let ran = try Sandbox().script("python3", script, input: input) else { return }
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome) \(ran.log)")
        #expect(ran.output == "{\"rows\": 2, \"root\": 4.0}\n")
    }

    @Test func anAwkProgramRuns() throws {
        guard let ran = try Sandbox().script("awk", "{ n += $1 } END { print n }", input: input) else {
            return
        }
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome) \(ran.log)")
        #expect(ran.output == "3\n")
    }

    @Test func aJqProgramRunsWithOptions() throws {
        let rows = Array("{\"n\":1}\n{\"n\":4}\n".utf8)
        guard
            let ran = try Sandbox().script(
                "jq", "[inputs.n] | add + $n", arguments: ["--argjson", "n", "0"], input: rows)
        else { return }
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome) \(ran.log)")
        #expect(ran.output == "5\n")
    }

    @Test func aShellScriptOfBuiltinsRuns() throws {
        let script = "n=0; while read -r a b; do n=$((n + a)); done; echo $n"
        guard let ran = try Sandbox().script("sh", script, input: input) else { return }
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome) \(ran.log)")
        #expect(ran.output == "3\n")
    }

    @Test func aScriptReadsItsOwnFilesAndSeesThemReadOnly() throws {
        let main = try SealedFile(
            Array(
                "import sys; sys.path.insert(0, '/plugin'); import part; print(part.word, len(open('/plugin/table.txt').read()))"
                    .utf8))
        let part = try SealedFile(Array("word = 'hello'".utf8))
        let table = try SealedFile([UInt8](repeating: 65, count: 70_000))
        let ran = try Sandbox().run(
            .script(
                interpreter: "python3", main: "main.py",
                files: [("main.py", main.fd), ("part.py", part.fd), ("table.txt", table.fd)]))
        #expect(ran.outcome.status == .exited(0), "\(ran.outcome) \(ran.log)")
        #expect(ran.output == "hello 70000\n")
    }
}
