import EscrowDiagnostics
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

/// Going on after damage: what is lost is said, and no more is lost.
@Suite struct RepairTests {
    let scratch = Scratch()
    let key: TestKey
    let reader: LedgerReader
    let log: [UInt8]

    init() throws {
        key = try TestKey()
        let ledger = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        for run in ["r-1", "r-2"] {
            try ledger.append(.runIntent, run: run, fields: ["app": "org.example.notes"])
            try ledger.append(.runEnd, run: run, fields: ["rows": 3])
        }
        reader = LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
        log = try scratch.bytes(scratch.log)
    }

    func repair() throws -> LedgerRepair {
        try Ledger.repair(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    /// After any repair the ledger is whole, goes on, and fits what it told before.
    func checkThatItGoesOn(from before: LedgerReport) throws {
        let report = try reader.verify()
        #expect(report.count == before.count + 1)
        let ledger = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        try ledger.append(.decision, fields: [:])
        #expect(try reader.verify().count == before.count + 2)
        let proof = try reader.proveConsistency(from: before.count)
        #expect(proof.claim == .consistency(old: before.count, oldRoot: before.root))
        _ = try proof.verify(key)
    }

    @Test func nothingIsRepairedWhereNothingIsWrong() throws {
        #expect(try repair() == LedgerRepair())
        #expect(try scratch.bytes(scratch.log) == log)
    }

    @Test func aDamagedRecordLosesItsContentAndNothingElse() throws {
        let before = try reader.verify()
        var lines = log.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
        lines[5][lines[5].count - 20] ^= 1
        try scratch.write(Array(lines.joined(separator: [0x0A])), to: scratch.log)
        #expect(throws: Diagnostic(.recordAltered, "")) { try reader.verify() }
        let repair = try repair()
        #expect(repair.contentLost == SequenceSet([3]))
        #expect(repair.recordsLost == nil)
        #expect(
            repair.entry?.fields["what"]?.string
                == "the content of 1 entries was damaged and is lost; their places remain")
        #expect(try reader.entries().map(\.sequence) == [1, 2, 4, 5, 6])
        #expect(repair.kept.map { FileManager.default.fileExists(atPath: $0) } == true)
        try checkThatItGoesOn(from: before)
        #expect(try reader.verify().missing.lost == 1)
    }

    @Test(arguments: 1..<5)
    func whatWasCutOffBecomesAGap(kept: Int) throws {
        let before = try reader.verify()
        var position = 0
        var checkpoints = 0
        for line in log.split(separator: 0x0A) {
            position += line.count + 1
            if line.starts(with: CheckpointLine.opening) { checkpoints += 1 }
            if checkpoints == kept { break }
        }
        // Within the next record, to be nasty.
        try scratch.write(Array(log.prefix(position + 20)), to: scratch.log)
        let repair = try repair()
        #expect(repair.recordsLost == UInt64(kept + 1)...5)
        #expect(
            repair.entry?.fields["what"]?.string
                == "entries \(kept + 1) to 5 are lost; a signed head vouches that they were there")
        #expect(try reader.entries().map(\.sequence) == (1...UInt64(kept)).map { $0 } + [6])
        try checkThatItGoesOn(from: before)
        #expect(try reader.verify().missing.lost == UInt64(5 - kept))
    }

    @Test func aFolderPutBackLosesWhatItsCopiedHeadKnowsOf() throws {
        let old = (try scratch.bytes(scratch.log), try scratch.bytes("heads"))
        let ledger = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        for _ in 0..<3 { try ledger.append(.decision, fields: [:]) }
        let before = try reader.verify()
        try scratch.write(old.0, to: scratch.log)
        try scratch.write(old.1, to: "heads")
        let repair = try repair()
        #expect(repair.recordsLost == 6...8)
        try checkThatItGoesOn(from: before)
    }

    @Test(arguments: ["heads", "copy", "both", "missing"])
    func damagedHeadsAreWrittenAnewFromTheLog(which: String) throws {
        let before = try reader.verify()
        let broken = [UInt8](repeating: 0x41, count: 8192)
        if which != "copy" { try scratch.write(broken, to: "heads") }
        if which == "copy" || which == "both" { try scratch.write(copy: broken) }
        if which == "missing" { try FileManager.default.removeItem(atPath: scratch.copy) }
        #expect(throws: Diagnostic.self) {
            _ = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        }
        let repair = try repair()
        #expect(repair.recordsLost == nil)
        #expect(repair.contentLost.isEmpty)
        #expect(repair.headsRewritten.count == (which == "heads" || which == "copy" ? 1 : 2))
        #expect(repair.kept == nil)
        try checkThatItGoesOn(from: before)
    }

    @Test func everythingIsLostButTheRootsWhereTheLogIsGone() throws {
        let before = try reader.verify()
        try FileManager.default.removeItem(atPath: "\(scratch.ledger)/log.1")
        #expect(try repair().recordsLost == 1...5)
        try checkThatItGoesOn(from: before)
    }

    @Test func aLedgerOfWhichNothingIsSignedIsBeyondRepair() throws {
        #expect(throws: Diagnostic(.ledgerBeyondRepair, "")) {
            _ = try Ledger.repair(directory: scratch.ledger, copies: [scratch.copy], signer: TestKey(seed: 8))
        }
    }

    @Test func aFlippedBitAnywhereIsRepairedAndLosesAtMostOneRecord() throws {
        let heads = (try scratch.bytes("heads"), try scratch.copyBytes())
        let before = try reader.verify()
        for offset in stride(from: 0, to: log.count, by: 41) {
            var flipped = log
            flipped[offset] ^= 1 << (offset % 8)
            try FileManager.default.removeItem(atPath: scratch.ledger)
            try FileManager.default.createDirectory(
                atPath: scratch.ledger, withIntermediateDirectories: false)
            try scratch.write(flipped, to: scratch.log)
            try scratch.write(heads.0, to: "heads")
            try scratch.write(copy: heads.1)
            let repair = try repair()
            #expect(repair.entry != nil, "offset \(offset)")
            #expect(try reader.verify().count == before.count + 1, "offset \(offset)")
            #expect(repair.contentLost.count <= 1, "offset \(offset)")
        }
    }
}
