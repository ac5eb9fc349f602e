import Foundation
import Glibc
import Testing

/// A run begins from fixed values, whatever started the host: the rows of docs/spec/sandbox.md, "What a run begins from".
@Suite(.timeLimit(.minutes(60))) struct BeginningTests {
    /// A plugin's process, as others see it.
    private struct Seen {
        let pid: Int32
        /// Of `/proc/PID/stat`, from the third on. proc_pid_stat(5)
        let numbers: [String]
        let status: [String: String]
        var directory: String { "/proc/\(pid)" }

        init?(_ pid: Int32) {
            self.pid = pid
            guard let text = Self.read("/proc/\(pid)/stat"), let name = text.lastIndex(of: ")"),
                let lines = Self.read("/proc/\(pid)/status")
            else { return nil }
            numbers = text[text.index(after: name)...].split(whereSeparator: \.isWhitespace).map(String.init)
            var status: [String: String] = [:]
            for line in lines.split(separator: "\n") {
                let parts = line.split(separator: ":", maxSplits: 1)
                if parts.count == 2 {
                    status[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
                }
            }
            self.status = status
        }

        /// Field n of proc_pid_stat(5).
        func number(_ field: Int) -> String { field - 3 < numbers.count ? numbers[field - 3] : "" }

        /// A file of it; nil where only root may look.
        func file(_ name: String) -> String? {
            Self.read("\(directory)/\(name)")?.trimmingCharacters(in: .whitespacesAndNewlines)
        }

        static func read(_ path: String) -> String? {
            guard let file = fopen(path, "re") else { return nil }
            defer { fclose(file) }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = fread(&bytes, 1, bytes.count, file)
            return ferror(file) != 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
        }
    }

    /// The host's child that computes: the canary, which runs before it, uses no processor.
    private static func plugin(of host: Int32) -> Seen? {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
            guard let pid = Int32(name), let seen = Seen(pid), seen.number(4) == "\(host)",
                let ticks = Int(seen.number(14)), ticks >= 5
            else { continue }
            return seen
        }
        return nil
    }

    @Test func whateverStartedTheHost() throws {
        guard access("/usr/bin/python3", X_OK) == 0 else {
            print("SKIP: no python3, so no hostile start")
            return
        }
        let lifetime = try Lifetime()
        let (process, _) = try lifetime.start("spin", by: "Tests/Support/hostile_start.py")
        let host = process.processIdentifier
        var found: Seen?
        while process.isRunning, found == nil {
            found = Self.plugin(of: host)
            if found == nil { poll(nil, 0, 20) }
        }
        let seen = try #require(found, "the run ended before it was seen computing")
        func expect(_ row: String, _ value: String?, _ expected: String) {
            guard let value else { return print("SKIP: \(row): only root may look") }
            #expect(value == expected, "\(row)")
        }
        let mayReturn = geteuid() == 0
        expect("nice", seen.number(19), mayReturn ? "0" : "19")
        expect("real-time priority", seen.number(40), "0")
        expect("scheduling policy", seen.number(41), "\(SCHED_OTHER)")
        expect("personality", seen.file("personality"), "00000000")
        expect("timer slack", seen.file("timerslack_ns"), "50000")
        expect("oom_score_adj", seen.file("oom_score_adj"), "1000")
        expect("core filter", seen.file("coredump_filter"), "00000000")
        if let merging = seen.file("ksm_stat"), merging.contains("ksm_merge_any") {
            #expect(merging.contains("ksm_merge_any: no"), "merging of memory")
        }
        if let large = seen.status["THP_enabled"] { expect("large pages", large, "1") }
        expect("umask", seen.status["Umask"], "0077")
        for mask in ["SigBlk", "SigIgn", "SigCgt"] {
            expect(mask, seen.status[mask], String(repeating: "0", count: 16))
        }
        expect(
            "processors", seen.status["Cpus_allowed_list"], Seen(getpid())?.status["Cpus_allowed_list"] ?? "")
        let ionice = URL(filePath: "/usr/bin/ionice")
        if mayReturn, access(ionice.path, X_OK) == 0 {
            let access = try Escrow.start(["-p", "\(seen.pid)"], home: lifetime.escrow.home, program: ionice)
            #expect(!access.output.contains("prio 7"), "class of disk access")
        }
        if let environment = seen.file("environ") {
            #expect(!environment.contains("evil.example") && !environment.contains("MALLOC"))
            #expect(environment.contains("TZ=UTC"))
        }
        let limits = try #require(seen.file("limits")).split(separator: "\n")
        let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
        #expect(core.split(whereSeparator: \.isWhitespace)[4...5] == ["0", "0"])
        // A blocked SIGTERM would leave the host deaf.
        kill(host, SIGTERM)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGTERM)
        lifetime.expectNoProcess("after the hostile start")
        let ends = try lifetime.expectTrueLedger("after the hostile start")
        #expect(ends.map { $0["code"] as? String } == ["E0542"])
    }

    /// With SIGCHLD ignored the kernel keeps no dead child, and no end of a plugin could be told from a failure.
    @Test func aRunEndsWellWhateverStartedTheHost() throws {
        guard access("/usr/bin/python3", X_OK) == 0 else {
            print("SKIP: no python3, so no hostile start")
            return
        }
        let lifetime = try Lifetime()
        let (process, output) = try lifetime.start("honest", by: "Tests/Support/hostile_start.py")
        let result = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(String(decoding: result, as: UTF8.self).contains("1"))
    }
}
