import EscrowDiagnostics
import EscrowJSON
import Foundation
import Glibc
import Testing

@testable import EscrowLedger

/// Real processes, really killed.
@Suite(.serialized) struct KillTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    /// The program that appends, which the package builds beside the tests.
    static let writer: String? = {
        let path = Bundle.main.bundleURL.appendingPathComponent("LedgerWriter").path
        return access(path, X_OK) == 0 ? path : nil
    }()

    @Test func nothingAcknowledgedIsLostWhenTheWriterIsKilled() throws {
        guard let writer = Self.writer else {
            print("SKIP: the program LedgerWriter is not built")
            return
        }
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        var acknowledged: [UInt64: String] = [:]
        for round in 0..<40 {
            let child = try Child(writer, [scratch.ledger, "w\(round)", "1000000"])
            let wanted = Int.random(in: 1...12)
            var output = try child.read(lines: wanted)
            // A random moment of the next append.
            var pause = timespec(tv_sec: 0, tv_nsec: Int.random(in: 0...3_000_000))
            nanosleep(&pause, nil)
            child.kill(SIGKILL)
            output += try child.readToEnd()
            for line in output.split(separator: "\n") {
                let parts = line.split(separator: " ")
                guard parts.count == 2, let number = UInt64(parts[0]) else { continue }
                acknowledged[number] = String(parts[1])
            }
            let ledger = try Ledger.open(directory: scratch.ledger, signer: key)
            let report = try LedgerReader(directory: scratch.ledger, verifier: key).verify()
            #expect(!report.hasUnfinishedWrite)
            #expect(report.unfinishedRuns.isEmpty)
            try ledger.append(.decision, fields: ["round": .integer(Int64(round))])
        }
        let entries = try LedgerReader(directory: scratch.ledger, verifier: key).entries(limit: 1_000_000)
        let interrupted = entries.count { $0.kind == .runInterrupted }
        #expect(acknowledged.count >= 40)
        #expect(interrupted > 0)
        for (number, commitment) in acknowledged {
            #expect(entries[Int(number) - 1].commitment == commitment)
        }
    }

    /// A PID namespace of its own, as a container has: nobody outside can tell by a number whether its process lives.
    private func inAnotherNamespace(_ writer: String, _ arguments: [String]) throws -> Child? {
        guard let probe = try? Child("/usr/bin/unshare", ["--fork", "--pid", "/bin/echo", "ready"]),
            try probe.readToEnd().contains("ready")
        else {
            print("SKIP: this user cannot make a PID namespace")
            return nil
        }
        return try Child("/usr/bin/unshare", ["--fork", "--pid", writer] + arguments)
    }

    @Test func aRunOfAProcessThatEndedInAnotherNamespaceIsInterrupted() throws {
        guard let writer = Self.writer else {
            print("SKIP: the program LedgerWriter is not built")
            return
        }
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        // Its one record begins a run; then it ends.
        guard let child = try inAnotherNamespace(writer, [scratch.ledger, "w", "1"]) else { return }
        _ = try child.readToEnd()
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try reader.verify().runsWithoutEnd == ["r-w-0"])
        let repair = try Ledger.repair(directory: scratch.ledger, signer: key)
        #expect(repair.interrupted == 1)
        #expect(repair.entry == nil)
        #expect(try reader.verify().runsWithoutEnd.isEmpty)
    }

    @Test func aRunOfAProcessThatLivesInAnotherNamespaceIsNot() throws {
        guard let writer = Self.writer else {
            print("SKIP: the program LedgerWriter is not built")
            return
        }
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        guard let child = try inAnotherNamespace(writer, [scratch.ledger, "w", "200"]) else { return }
        _ = try child.read(lines: 1)
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        for _ in 0..<10 { _ = try Ledger.open(directory: scratch.ledger, signer: key) }
        _ = try child.readToEnd()
        #expect(try reader.entries(limit: 1_000).allSatisfy { $0.kind != .runInterrupted })
    }

    @Test func aHomeFullOfRunsOfTheDeadTakesNewOnes() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        try ledger.exclusively { (known) throws(Diagnostic) in
            var batch = Batch(after: known.head)
            batch.holder = "holder." + String(repeating: "0", count: 32)
            for number in 0..<OpenRun.maximum {
                _ = try batch.add(.runIntent, run: "r-\(number)", fields: [:], now: .now())
            }
            let (bytes, head) = try batch.seal(key)
            try ledger.files.append(bytes, to: ledger.files.log(1), at: known.head.end)
            known.head = head
            try ledger.writeHeads(&known)
        }
        try ledger.append(.runIntent, run: "r-new", fields: [:])
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try reader.verify().runsWithoutEnd == ["r-new"])
    }

    @Test func processesShareALedgerAndReadersSeeItWholeAtAnyTime() throws {
        guard let writer = Self.writer else {
            print("SKIP: the program LedgerWriter is not built")
            return
        }
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        // What they print must fit into their pipes, since nobody reads it before they are done.
        let first = try Child(writer, [scratch.ledger, "a", "800"])
        let second = try Child(writer, [scratch.ledger, "b", "800"])
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        var last: UInt64 = 0
        while last < 1601 {
            let report = try reader.verify()
            #expect(report.count >= last)
            last = report.count
            #expect(try reader.latest(5).last?.sequence ?? 0 >= last)
            if first.hasEnded, second.hasEnded { break }
        }
        let acknowledged = try first.readToEnd() + second.readToEnd()
        #expect(acknowledged.split(separator: "\n").count == 1600)
        #expect(try reader.verify().count == 1601)
    }
}

/// A child process with its output on a pipe.
final class Child {
    private let pid: pid_t
    private let output: Int32
    private var status: Int32?

    init(_ path: String, _ arguments: [String]) throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var pid: pid_t = 0
        let failure = posix_spawn(&pid, path, &actions, nil, &words, environ)
        posix_spawn_file_actions_destroy(&actions)
        words.forEach { free($0) }
        close(ends[1])
        try #require(failure == 0)
        self.pid = pid
        output = ends[0]
    }

    deinit {
        kill(SIGKILL)
        _ = hasEnded(waiting: true)
        close(output)
    }

    func kill(_ signal: Int32) { if status == nil { Glibc.kill(pid, signal) } }

    var hasEnded: Bool { hasEnded(waiting: false) }

    private func hasEnded(waiting: Bool) -> Bool {
        if status != nil { return true }
        var found: Int32 = 0
        guard waitpid(pid, &found, waiting ? 0 : WNOHANG) == pid else { return false }
        status = found
        return true
    }

    func read(lines: Int) throws -> String {
        var text: [UInt8] = []
        var byte: UInt8 = 0
        var count = 0
        while count < lines, Glibc.read(output, &byte, 1) == 1 {
            text.append(byte)
            if byte == 0x0A { count += 1 }
        }
        try #require(count == lines, "the writer ended early")
        return String(decoding: text, as: UTF8.self)
    }

    func readToEnd() throws -> String {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer.prefix(count)
        }
        _ = hasEnded(waiting: true)
        return String(decoding: text, as: UTF8.self)
    }
}
