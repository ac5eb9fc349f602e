import EscrowDiagnostics
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

/// Content that is gone, and what still holds.
@Suite struct EraseTests {
    let scratch = Scratch()
    let key: TestKey
    let ledger: Ledger
    let reader: LedgerReader

    init() throws {
        key = try TestKey()
        ledger = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        reader = LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
        for run in ["r-1", "r-2", "r-3"] {
            try ledger.append(.runIntent, run: run, fields: ["sql": "SELECT secretword FROM Contacts"])
            try ledger.append(.runEnd, run: run, fields: ["rows": 3])
        }
    }

    /// Every byte of every file of the ledger.
    func allBytes() throws -> [UInt8] {
        var all = try scratch.copyBytes()
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.ledger) {
            all += try scratch.bytes(name)
        }
        return all
    }

    func holds(_ text: String) throws -> Bool {
        String(decoding: try allBytes(), as: UTF8.self).contains(text)
    }

    @Test func erasedContentIsInNoFileAndEverythingStillVerifies() throws {
        let before = try reader.entries()
        let old = try reader.verify()
        let entry = try ledger.erase(SequenceSet([2, 4, 6]))
        #expect(entry.kind == .erased)
        #expect(entry.fields["entries"] == [[2, 2], [4, 4], [6, 6]])
        #expect(try !holds("secretword"))
        for salt in before.map(\.commitment) { #expect(try holds(salt)) }
        let report = try reader.verify()
        #expect(report.count == 8)
        #expect(report.missing == .init(erased: 3, decayed: 0, compacted: 0, lost: 0))
        #expect(report.unfinishedRuns.isEmpty)
        let after = try reader.entries()
        #expect(after.map(\.commitment).prefix(7) == before.map(\.commitment)[...])
        #expect(after.map(\.kind).prefix(7) == before.map(\.kind)[...])
        #expect(after.map(\.time).prefix(7) == before.map(\.time)[...])
        #expect(after[1].fields == .object([]))
        #expect(after[1].reduced == .init(way: .erased, by: 8))
        #expect(after[2] == before[2])
        // What was told before still fits.
        let proof = try reader.proveConsistency(from: old.count)
        #expect(proof.claim == .consistency(old: 7, oldRoot: old.root))
        _ = try proof.verify(key)
        for sequence in 1...8 { _ = try reader.prove(UInt64(sequence)).verify(key) }
    }

    @Test func theLedgerGoesOnAfterAnErasure() throws {
        try ledger.erase(SequenceSet([2]))
        try ledger.append(.decision, fields: [:])
        let other = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        try other.append(.decision, fields: [:])
        try ledger.append(.decision, fields: [:])
        try other.erase(SequenceSet([4]))
        try ledger.append(.decision, fields: [:])
        #expect(try reader.verify().count == 13)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.ledger)
                .filter { !$0.hasPrefix("holder.") }.sorted() == ["heads", "lock", "log.3"])
    }

    @Test func theLedgersOwnRecordsAndRunsThatGoOnAreKept() throws {
        try ledger.append(.runIntent, run: "r-4", fields: [:])
        try ledger.erase(SequenceSet([2]))
        for sequence in [1, 8, 9] as [UInt64] {
            #expect(throws: Diagnostic(.entryNotErasable, "")) { try ledger.erase(SequenceSet([sequence])) }
        }
        for sequence in [2, 99] as [UInt64] {
            #expect(throws: Diagnostic(.entryNotErasable, "")) { try ledger.erase(SequenceSet([sequence])) }
        }
        #expect(try reader.count() == 9)
    }

    @Test func anErasureThatACrashCutOffIsDoneOrNotDone() throws {
        let old = (try scratch.bytes("log.1"), try scratch.bytes("heads"), try scratch.copyBytes())
        try ledger.erase(SequenceSet([2, 4, 6]))
        let new = (try scratch.bytes("log.2"), try scratch.bytes("heads"), try scratch.copyBytes())
        // Before the heads name the new log, it counts for nothing, however much of it is there.
        for length in stride(from: 0, through: new.0.count, by: 97) {
            try scratch.write(old.0, to: "log.1")
            try scratch.write(old.1, to: "heads")
            try scratch.write(copy: old.2)
            try scratch.write(Array(new.0.prefix(length)), to: "log.2")
            _ = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
            #expect(try reader.verify().count == 7)
            #expect(!FileManager.default.fileExists(atPath: scratch.ledger + "/log.2"))
        }
        // Afterwards, the old one.
        for copy in [old.2, new.2] {
            try scratch.write(old.0, to: "log.1")
            try scratch.write(new.0, to: "log.2")
            try scratch.write(new.1, to: "heads")
            try scratch.write(copy: copy)
            _ = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
            #expect(try reader.verify().missing.erased == 3)
            #expect(try !holds("secretword"))
        }
    }

    @Test func whatIsSaidOfMissingContentMustBeSaidByTheLedger() throws {
        try ledger.erase(SequenceSet([2]))
        let known = try ledger.exclusively { $0 }
        // A host with a mistake in it could leave out the content of an entry without a word.
        var batch = Batch(
            newFile: 2, ledger: known.head.checkpoint.ledger, frontier: known.head.frontier,
            time: known.head.time)
        try ledger.forEachItem(known.head) { (item, entry) throws(Diagnostic) in
            switch item.line {
            case .header, .checkpoint: return
            default: break
            }
            if let entry, entry.sequence == 4 {
                batch.copy(.reduced(entry.reduced(to: [:], .init(way: .erased, by: 8), time: entry.time)))
            } else {
                batch.copy(item.line)
            }
        }
        let (bytes, head) = try batch.seal(key)
        try scratch.write(bytes, to: "log.2")
        try scratch.write(head.page.bytes + head.page.bytes, to: "heads")
        #expect(throws: Diagnostic(.contentMissing, "")) {
            _ = try LedgerReader(directory: scratch.ledger, verifier: key).verify()
        }
    }

    @Test func compactionDropsTheOldestAndKeepsTheProofs() throws {
        let before = try reader.verify()
        let old = try (1...7).map { try reader.prove(UInt64($0)) }
        for last in [3, 5] as [UInt64] {
            let entry = try ledger.compact(through: last)
            #expect(entry.kind == .compacted)
            let report = try reader.verify()
            #expect(report.missing.compacted == last)
            #expect(try reader.entries().first?.sequence == last + 1)
            for sequence in last + 1...report.count {
                #expect(try reader.prove(sequence).verify(key)?.sequence == sequence)
            }
            #expect(throws: Diagnostic(.notProvable, "")) { try reader.prove(last) }
            // The ledger of before the compaction is still shown to be its beginning.
            let proof = try reader.proveConsistency(from: before.count)
            #expect(proof.claim == .consistency(old: before.count, oldRoot: before.root))
            _ = try proof.verify(key)
        }
        for proof in old { _ = try proof.verify(key) }
        #expect(throws: Diagnostic(.notProvable, "")) { try reader.proveConsistency(from: 3) }
        try ledger.append(.decision, fields: [:])
        #expect(try reader.verify().count == 10)
    }

    @Test func aCompactionStopsBeforeARunWithoutAnEnd() throws {
        try ledger.append(.runIntent, run: "r-4", fields: [:])
        try ledger.append(.decision, fields: [:])
        try ledger.compact(through: 9)
        #expect(try reader.entries().map(\.sequence) == [8, 9, 10])
        try ledger.append(.runEnd, run: "r-4", fields: [:])
        #expect(try reader.verify().unfinishedRuns.isEmpty)
    }
}
