import EscrowDiagnostics
import EscrowJSON
import Foundation
import Glibc
import Testing

@testable import EscrowLedger

/// A disk that is full or fails at any call: what was acknowledged is there, and nothing else is claimed.
@Suite(.serialized) struct FaultTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    /// Runs the writer under strace, which lets one call of a kind fail. Returns what the writer acknowledged.
    private func write(failing call: String, _ error: String, at turn: Int) throws -> [UInt64: String]? {
        guard let writer = KillTests.writer else {
            print("SKIP: the program LedgerWriter is not built")
            return nil
        }
        let text = try VectorTests.run(
            ["/usr/bin/strace"],
            [
                "/usr/bin/strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
                "inject=\(call):error=\(error):when=\(turn)", writer, scratch.ledger, "w\(turn)", "12",
            ])
        guard let text else { return nil }
        var acknowledged: [UInt64: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            if parts.count == 2, let number = UInt64(parts[0]) { acknowledged[number] = String(parts[1]) }
        }
        return acknowledged
    }

    @Test(arguments: [
        ("pwrite64", "ENOSPC"), ("pwrite64", "EIO"), ("fdatasync", "EIO"), ("flock", "ENOLCK"),
    ])
    func aCallThatFailsAnywhereLosesNothingThatWasAcknowledged(call: String, error: String) throws {
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        var stopped = 0
        for turn in [1, 2, 5, 9, 16] {
            guard let acknowledged = try write(failing: call, error, at: turn) else { return }
            if acknowledged.count < 12 { stopped += 1 }
            // What the writer left is no damage: it can be gone on from, and every acknowledged record is there.
            _ = try Ledger.open(directory: scratch.ledger, signer: key)
            #expect(try !reader.verify().hasUnfinishedWrite, "\(call) \(turn)")
            let entries = try reader.entries(limit: 100_000)
            for (number, commitment) in acknowledged {
                #expect(entries[Int(number) - 1].commitment == commitment, "\(call) \(turn)")
            }
        }
        #expect(stopped > 0, "no fault reached the writer")
    }

    @Test func aFullDiskStopsTheWriterAndTheLedgerGoesOnOnceThereIsRoom() throws {
        guard geteuid() == 0 else { return print("SKIP: a disk of one's own needs root") }
        let disk = scratch.path + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        guard mount("tmpfs", disk, "tmpfs", 0, "size=128k") == 0 else {
            return print("SKIP: no tmpfs can be mounted here")
        }
        defer { umount2(disk, Int32(MNT_DETACH)) }
        let ledger = try Ledger.create(directory: disk + "/ledger", copies: [disk + "/heads"], signer: key)
        let reader = LedgerReader(directory: disk + "/ledger", copies: [disk + "/heads"], verifier: key)
        let text = JSONValue.string(String(repeating: "x", count: 3000))
        var written: UInt64 = 1
        var refusal: Diagnostic?
        while refusal == nil, written < 1000 {
            do throws(Diagnostic) {
                written = try ledger.append(.decision, fields: ["text": text]).sequence
            } catch { refusal = error }
        }
        #expect(refusal?.code == .fileOperation)
        #expect(refusal?.message.contains("No space left on device") == true)
        #expect(written > 10)
        #expect(throws: Diagnostic(.fileOperation, "")) {
            try ledger.append(.runIntent, run: "r-1", fields: ["text": text])
        }
        let report = try reader.verify()
        #expect(report.count == written)
        #expect(report.unfinishedRuns.isEmpty)
        #expect(!report.hasUnfinishedWrite)
        // Erasing needs room for a second log: it is refused as well, and leaves the first one whole.
        #expect(throws: Diagnostic(.fileOperation, "")) { try ledger.erase(SequenceSet([2])) }
        #expect(try reader.verify().count == written)
        try #require(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=1m") == 0)
        try ledger.erase(SequenceSet(2...written))
        try ledger.append(.decision, fields: ["text": text])
        #expect(try reader.verify().count == written + 2)
    }
}
