import EscrowDiagnostics
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

/// What others do to the files of a ledger, and what is said about it.
@Suite struct DamageTests {
    let scratch = Scratch()
    let key: TestKey
    /// Each record with the checkpoint after it; the first with the line before it.
    let parts: [[UInt8]]
    let log: [UInt8]

    init() throws {
        key = try TestKey()
        let ledger = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        for run in ["r-1", "r-2"] {
            try ledger.append(.runIntent, run: run, fields: ["app": "org.example.notes"])
            try ledger.append(.runEnd, run: run, fields: ["rows": 3])
        }
        log = try scratch.bytes(scratch.log)
        var parts: [[UInt8]] = [[]]
        for line in log.split(separator: 0x0A) {
            parts[parts.count - 1] += line + [0x0A]
            if line.starts(with: CheckpointLine.opening) { parts.append([]) }
        }
        self.parts = parts.dropLast()
        try #require(self.parts.count == 5)
    }

    func verify() throws -> LedgerReport {
        try LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key).verify()
    }

    func open() throws -> Ledger {
        try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    /// What `verify` says: the code and the line.
    func verdict() -> String {
        do {
            _ = try verify()
            return "whole"
        } catch let error as Diagnostic {
            return error.code.rawValue + (error.place?.line.map { ":\($0)" } ?? "")
        } catch { return "\(error)" }
    }

    /// Whether the ledger can be opened for writing, and what is said otherwise.
    func opening() -> String {
        do {
            _ = try open()
            return "opens"
        } catch let error as Diagnostic { return error.code.rawValue } catch { return "\(error)" }
    }

    func write(_ parts: [[UInt8]]) throws { try scratch.write(Array(parts.joined()), to: scratch.log) }

    @Test func aFlippedBitAnywhereInTheLogIsDetected() throws {
        for offset in stride(from: 0, to: log.count, by: 5) {
            var flipped = log
            flipped[offset] ^= 1 << (offset / 5 % 8)
            try scratch.write(flipped, to: scratch.log)
            let verdict = verdict()
            #expect(verdict != "whole", "offset \(offset)")
        }
    }

    @Test func everyFlippedBitOfAHeadIsDetected() throws {
        let heads = try scratch.bytes("heads")
        var damaged = 0
        for offset in heads.indices
        where offset % 61 == 0 || (offset % HeadPage.size < 700 && offset % 3 == 0) {
            var flipped = heads
            flipped[offset] ^= 1 << (offset % 8)
            try scratch.write(flipped, to: "heads")
            // The newest head cannot be told from a write that a crash cut off, since the log holds all that it vouched
            // for: then that is what is reported.
            if verdict() == "whole" {
                #expect(try verify().hasUnfinishedWrite, "offset \(offset)")
                #expect(try verify().count == 5, "offset \(offset)")
            } else {
                #expect(verdict() == "E0034", "offset \(offset)")
                #expect(opening() == "E0034", "offset \(offset)")
                damaged += 1
            }
        }
        #expect(damaged > 200)
    }

    @Test func aRecordCutOffTogetherWithItsHeadIsDamageAndNoCrash() throws {
        try write(Array(parts.prefix(4)))
        var heads = try scratch.bytes("heads")
        let older = try HeadPage(Array(heads[HeadPage.size...]), verifier: key).checkpoint.size == 4
        heads[(older ? 0 : HeadPage.size) + 100] ^= 1
        try scratch.write(heads, to: "heads")
        #expect(verdict() == "E0034")
        #expect(opening() == "E0034")
    }

    @Test func aRemovedRecordIsNamed() throws {
        try write([parts[0], parts[1], parts[3], parts[4]])
        #expect(verdict() == "E0024:6")
        try write(Array(parts.dropFirst()))
        #expect(verdict() == "E0024:1")
    }

    @Test func exchangedRecordsAreNamed() throws {
        try write([parts[0], parts[2], parts[1], parts[3], parts[4]])
        #expect(verdict() == "E0024:4")
    }

    @Test func aRepeatedRecordIsNoticed() throws {
        try write([parts[0], parts[1], parts[1], parts[2], parts[3], parts[4]])
        #expect(verdict() == "E0024:6")
    }

    @Test func aRecordMovedPastItsCheckpointIsNoticed() throws {
        var lines = log.split(separator: 0x0A).map { Array($0) + [0x0A] }
        lines.swapAt(3, 4)
        try write(lines)
        #expect(verdict() == "E0026:4")
    }

    @Test(arguments: 0..<5)
    func recordsThatAreCutOffAreMissedByEveryWriter(kept: Int) throws {
        try write(Array(parts.prefix(kept)))
        #expect(verdict() == "E0025")
        #expect(opening() == "E0025")
        #expect(try scratch.bytes(scratch.log) == Array(parts.prefix(kept).joined()))
    }

    @Test func aLogThatIsGoneIsMissed() throws {
        try FileManager.default.removeItem(atPath: "\(scratch.ledger)/log.1")
        #expect(verdict() == "E0025")
        #expect(opening() == "E0025")
    }

    @Test func aRecordWithACommitmentOfItsOwnDoesNotPass() throws {
        let lines = log.split(separator: 0x0A).map { Array($0) }
        let entry = try RecordLine(lines[5]).entry()
        var text = RecordLine.record(
            sequence: 3, time: entry.time, clock: nil, kind: .runEnd, run: "r-1", fields: ["rows": 4])
        func put(_ record: [UInt8]) throws {
            var all = lines
            all[5] = RecordLine(salt: Hashing.salt(), record: record).bytes
            try #require(all[5].count == lines[5].count)
            try write(all.map { $0 + [0x0A] })
        }
        try put(text)
        #expect(verdict() == "E0026:7")
        text.removeLast()
        try put(text + [0x20])
        #expect(verdict() == "E0022:6")
    }

    @Test func aRecordAddedByHandIsNeverTakenOver() throws {
        let record = RecordLine.record(
            sequence: 6, time: .now(), clock: nil, kind: .decision, run: nil, fields: [:])
        let line = RecordLine(salt: Hashing.salt(), record: record).bytes + [0x0A]
        try write(parts + [line])
        #expect(try verify().hasUnfinishedWrite)
        #expect(try verify().count == 5)
        _ = try open()
        // It looks like a write that did not finish; that it was dropped is recorded.
        let last = try #require(try LedgerReader(directory: scratch.ledger, verifier: key).latest(1).first)
        #expect(last.kind == .repaired)
        #expect(
            last.fields["what"]?.string
                == "a write that had not been acknowledged was cut off and was dropped, \(line.count) bytes")
        #expect(verdict() == "whole")
    }

    @Test func aCheckpointOfAnotherKeyIsNotTakenOver() throws {
        let known = try open().exclusively { $0 }
        let other = try TestKey(seed: 8)
        var batch = Batch(after: known.head)
        _ = try batch.add(.decision, run: nil, fields: [:], now: .now())
        try write(parts + [try batch.seal(other).bytes])
        #expect(try verify().count == 5)
        #expect(try verify().hasUnfinishedWrite)
    }

    @Test func aTimeThatRunsBackwardsIsNamed() throws {
        let known = try open().exclusively { $0 }
        // A host with a mistake in it could sign such a record; `verify` does not take its word.
        var batch = Batch(after: known.head)
        let text = RecordLine.record(
            sequence: 6, time: LedgerTime(milliseconds: 1), clock: nil, kind: .decision, run: nil, fields: [:]
        )
        batch.copy(.record(RecordLine(salt: Hashing.salt(), record: text)))
        try write(parts + [batch.take()])
        let reader = LogFile.self
        let file = try #require(try reader.init("\(scratch.ledger)/log.1"))
        var scan = LogScan(file, to: try file.length())
        let error = #expect(throws: Diagnostic.self) { while try scan.next() != nil {} }
        #expect(error?.code == .recordOlderThanThePrevious)
        #expect(error?.place?.line == 12)
    }

    @Test func aHeadOfAnotherKeyIsRefused() throws {
        let other = try TestKey(seed: 8)
        #expect(throws: Diagnostic(.ledgerOfAnotherKey, "")) {
            _ = try LedgerReader(directory: scratch.ledger, verifier: other).verify()
        }
        #expect(throws: Diagnostic(.ledgerOfAnotherKey, "")) {
            _ = try Ledger.open(directory: scratch.ledger, signer: other)
        }
    }

    @Test func headsThatAreGoneAreMissed() throws {
        let copy = try scratch.copyBytes()
        try FileManager.default.removeItem(atPath: scratch.copy)
        #expect(verdict() == "E0037")
        #expect(opening() == "E0037")
        try scratch.write(copy: copy)
        try FileManager.default.removeItem(atPath: "\(scratch.ledger)/heads")
        #expect(verdict() == "E0037")
        #expect(opening() == "E0037")
        try scratch.write([], to: "heads")
        #expect(verdict() == "E0028")
        try scratch.write(copy: [])
        #expect(verdict() == "E0028")
    }

    @Test func aFolderPutBackToAnEarlierStateIsMissedByTheCopyOfItsHead() throws {
        let old = (try scratch.bytes(scratch.log), try scratch.bytes("heads"))
        let ledger = try open()
        for _ in 0..<3 { try ledger.append(.decision, fields: [:]) }
        try scratch.write(old.0, to: scratch.log)
        try scratch.write(old.1, to: "heads")
        #expect(verdict() == "E0038")
        #expect(opening() == "E0038")
        // Without the copy, nothing on this machine can tell.
        let alone = LedgerReader(directory: scratch.ledger, verifier: key)
        #expect(try alone.verify().count == 5)
    }

    @Test func aWriterThatIsOpenNoticesThatTheFolderWasPutBack() throws {
        let ledger = try open()
        try ledger.append(.decision, fields: [:])
        let old = (try scratch.bytes(scratch.log), try scratch.bytes("heads"))
        try ledger.append(.decision, fields: [:])
        try scratch.write(old.0, to: scratch.log)
        try scratch.write(old.1, to: "heads")
        #expect(throws: Diagnostic(.ledgerRolledBack, "")) { try ledger.append(.decision, fields: [:]) }
    }

    @Test func aSecondHistoryIsToldFromTheFirst() throws {
        let old = (try scratch.bytes(scratch.log), try scratch.bytes("heads"), try scratch.copyBytes())
        try open().append(.decision, fields: ["history": 1])
        let told = try scratch.copyBytes()
        try scratch.write(old.0, to: scratch.log)
        try scratch.write(old.1, to: "heads")
        try scratch.write(copy: old.2)
        let ledger = try open()
        for _ in 0..<3 { try ledger.append(.decision, fields: ["history": 2]) }
        #expect(verdict() == "whole")
        try scratch.write(copy: told)
        #expect(verdict() == "E0039")
        #expect(opening() == "E0039")
    }

    @Test func aFolderWithoutALedgerIsSaidToBeOne() throws {
        #expect(throws: Diagnostic(.noLedger, "")) {
            _ = try LedgerReader(directory: scratch.path + "/none", verifier: key).verify()
        }
    }

    @Test func damageNamesTheFileAndTheLine() throws {
        var flipped = log
        flipped[parts[0].count + 200] ^= 0x01
        try scratch.write(flipped, to: scratch.log)
        let error = #expect(throws: Diagnostic.self) { try verify() }
        #expect(
            error?.description == """
                error[E0023]: this record of the ledger was altered after it was written
                  --> \(scratch.ledger)/log.1:4
                help: keep a copy of the folder as it is; restore it from a backup, or go on without what is lost: escrow ledger repair
                """)
    }
}
