import EscrowJSON
import Testing

@testable import EscrowLedger

/// Every state of the files that a crash can leave, made byte by byte.
@Suite struct RecoveryTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    struct Files {
        var log: [UInt8]
        var heads: [UInt8]
        var copy: [UInt8]
    }

    func files() throws -> Files {
        Files(
            log: try scratch.bytes(scratch.log), heads: try scratch.bytes("heads"),
            copy: try scratch.copyBytes())
    }

    func put(_ files: Files) throws {
        try scratch.write(files.log, to: scratch.log)
        try scratch.write(files.heads, to: "heads")
        try scratch.write(copy: files.copy)
    }

    func create() throws -> Ledger {
        try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    func reopen() throws -> [LedgerEntry] {
        _ = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        let reader = LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
        #expect(try !reader.verify().hasUnfinishedWrite)
        return try reader.entries()
    }

    @Test func aWriteToTheLogCutOffAnywhereLosesOnlyWhatWasNotAcknowledged() throws {
        let ledger = try create()
        try ledger.append(.decision, fields: ["answer": "once"])
        let before = try files()
        try ledger.append(.decision, fields: ["answer": "never"])
        let after = try files()
        for length in stride(from: before.log.count + 1, to: after.log.count, by: 7) {
            // The write had come so far; or the file had grown without its content, as after a power cut.
            for tail in [[], [UInt8](repeating: 0, count: after.log.count - length)] {
                var torn = before
                torn.log = Array(after.log.prefix(length)) + tail
                try put(torn)
                let found = try LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
                    .verify()
                #expect(found.count == 2)
                #expect(found.hasUnfinishedWrite)
                let entries = try reopen()
                #expect(entries.map(\.kind) == [.hostCreated, .decision, .repaired], "length \(length)")
                #expect(entries[1].fields["answer"]?.string == "once")
            }
        }
    }

    @Test func aRecordThatIsInTheLogCountsWhateverBecameOfTheHeads() throws {
        let ledger = try create()
        try ledger.append(.decision, fields: ["answer": "once"])
        let before = try files()
        try ledger.append(.decision, fields: ["answer": "never"])
        let after = try files()
        var behind = before
        behind.log = after.log
        for heads in [before.heads, after.heads] {
            var some = behind
            some.heads = heads
            try put(some)
            let entries = try reopen()
            #expect(entries.map(\.kind) == [.hostCreated, .decision, .decision])
            #expect(try files().copy == files().heads)
        }
    }

    @Test func aHeadCutOffAnywhereIsWrittenAgainAndThatIsRecorded() throws {
        let ledger = try create()
        try ledger.append(.decision, fields: ["answer": "once"])
        let before = try files()
        try ledger.append(.decision, fields: ["answer": "never"])
        let after = try files()
        let page = before.heads.indices.first { before.heads[$0] != after.heads[$0] }.map {
            $0 / HeadPage.size * HeadPage.size
        }
        let start = try #require(page)
        for length in stride(from: 1, to: HeadPage.size, by: 61) {
            var torn = before
            torn.log = after.log
            torn.heads.replaceSubrange(
                start..<start + length, with: after.heads[start..<start + length])
            guard torn.heads != before.heads, torn.heads != after.heads else { continue }
            try put(torn)
            let entries = try reopen()
            #expect(
                entries.map(\.kind) == [.hostCreated, .decision, .decision, .repaired], "length \(length)")
            #expect(entries[2].fields["answer"]?.string == "never")
        }
    }

    @Test func aWriterThatWasOpenPutsInOrderWhatAnotherLeft() throws {
        let ledger = try create()
        let other = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        try other.append(.decision, fields: [:])
        try scratch.write(try scratch.bytes(scratch.log) + [0x7B, 0x22], to: scratch.log)
        try ledger.append(.decision, fields: [:])
        let entries = try LedgerReader(directory: scratch.ledger, verifier: key).entries()
        #expect(entries.map(\.kind) == [.hostCreated, .decision, .repaired, .decision])
    }

    @Test func aRunWhoseProcessIsGoneIsInterrupted() throws {
        let ledger = try create()
        let known = try ledger.exclusively { $0 }
        // The record of a process whose file nobody holds.
        var batch = Batch(after: known.head)
        let entry = try batch.add(.runIntent, run: "r-gone", fields: [:], now: .now())
        let nobody = "holder." + String(repeating: "0", count: 32)
        let gone = OpenRun(run: "r-gone", sequence: entry.sequence, holder: nobody)
        batch.open = [gone]
        try scratch.write(try scratch.bytes(scratch.log) + (try batch.seal(key).bytes), to: scratch.log)
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
