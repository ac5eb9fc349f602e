import EscrowDiagnostics
import EscrowJSON
import Testing

@testable import EscrowLedger

/// Every state of the files that a crash can leave, made byte by byte.
@Suite struct RecoveryTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    func reopen() throws -> [LedgerEntry] {
        _ = try Ledger.open(directory: scratch.ledger, signer: key)
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try !reader.verify().hasUnfinishedWrite)
        return try reader.entries()
    }

    @Test func aLogCutOffAnywhereInItsLastRecordIsCompleted() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        try ledger.append(.decision, fields: ["answer": "once"])
        let log = try scratch.bytes("log")
        let heads = [try scratch.bytes("head.0"), try scratch.bytes("head.1")]
        let start = (log.firstIndex(of: 0x0A) ?? 0) + 1
        for length in Array(stride(from: start, to: log.count, by: 7)) + [log.count - 1] {
            for tail in [[], [UInt8](repeating: 0, count: log.count - length)] {
                try scratch.write(Array(log.prefix(length)) + tail, to: "log")
                try scratch.write(heads[0], to: "head.0")
                try scratch.write(heads[1], to: "head.1")
                let before = try LedgerReader(directory: scratch.ledger, verifier: key).verify()
                #expect(before.count == 2)
                #expect(before.hasUnfinishedWrite)
                let entries = try reopen()
                #expect(entries.map(\.kind) == [.hostCreated, .decision, .repaired])
                #expect(Array(try scratch.bytes("log").prefix(log.count)) == log)
            }
        }
    }

    @Test func aHeadCutOffAnywhereLosesOnlyWhatWasNotAcknowledged() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        try ledger.append(.decision, fields: ["answer": "once"])
        let log = try scratch.bytes("log")
        let older = try scratch.bytes("head.1")
        let newer = try scratch.bytes("head.0")
        try ledger.append(.decision, fields: ["answer": "never"])
        let next = try scratch.bytes("head.1")
        for length in stride(from: 1, to: next.count, by: 61) {
            // The write had come so far; beyond it stands what stood there before.
            for torn in [Array(next.prefix(length)) + older.dropFirst(length), Array(next.prefix(length))]
            where torn != older && torn != next {
                try scratch.write(log, to: "log")
                try scratch.write(newer, to: "head.0")
                try scratch.write(torn, to: "head.1")
                let entries = try reopen()
                #expect(entries.map(\.kind) == [.hostCreated, .decision, .repaired], "length \(length)")
                #expect(entries[1].fields["answer"]?.string == "once")
            }
        }
    }

    @Test func aWriterThatWasOpenRepairsWhatAnotherLeft() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        let other = try Ledger.open(directory: scratch.ledger, signer: key)
        try other.append(.decision, fields: [:])
        let log = try scratch.bytes("log")
        try scratch.write(Array(log.dropLast(20)), to: "log")
        try ledger.append(.decision, fields: [:])
        let entries = try LedgerReader(directory: scratch.ledger, verifier: key).entries()
        #expect(entries.map(\.kind) == [.hostCreated, .decision, .repaired, .decision])
    }

    @Test func aRunWhoseProcessIsGoneIsInterrupted() throws {
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        let files = LedgerFiles(directory: scratch.ledger)
        var head = try files.heads(verifier: key).newest.head
        // The entry of a process of an earlier boot.
        let (slot, entry) = try Ledger.next(after: head, .runIntent, run: "r-gone", fields: [:], now: .now())
        head = slot.head
        head.open = [.init(run: "r-gone", sequence: entry.sequence, process: .init(text: "boot:1:2:3"))]
        let signed = HeadSlot(head: head, line: slot.line)
        try files.writeHead(try signed.bytes(signedBy: key), for: head.size)
        try files.writeLog(slot.line.bytes + [0x0A], at: slot.lineStart)
        let reader = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try reader.verify().runsWithoutEnd == ["r-gone"])
        let last = try #require(try reopen().last)
        #expect(last.kind == .runInterrupted)
        #expect(last.run == "r-gone")
        #expect(last.fields["intent"]?.integer == 2)
        #expect(
            last.fields["what"]?.string == "the process ended before the run did; nothing was handed over")
        #expect(try reader.verify().runsWithoutEnd.isEmpty)
    }
}
