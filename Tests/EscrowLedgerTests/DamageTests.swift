import EscrowDiagnostics
import EscrowJSON
import Testing

@testable import EscrowLedger

/// What others do to the files of a ledger, and what is said about it.
@Suite struct DamageTests {
    let scratch = Scratch()
    let key: TestKey
    let lines: [[UInt8]]
    let log: [UInt8]

    init() throws {
        key = try TestKey()
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        for run in ["r-1", "r-2"] {
            try ledger.append(.runIntent, run: run, fields: ["app": "org.example.notes"])
            try ledger.append(.runEnd, run: run, fields: ["rows": 3])
        }
        log = try scratch.bytes("log")
        lines = log.split(separator: 0x0A).map { Array($0) + [0x0A] }
        try #require(lines.count == 5)
    }

    func verify() throws -> LedgerReport {
        try LedgerReader(directory: scratch.ledger, verifier: key).verify()
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

    func write(_ lines: [[UInt8]]) throws { try scratch.write(Array(lines.joined()), to: "log") }

    @Test func everyFlippedBitOfTheLogIsDetected() throws {
        for offset in log.indices {
            var flipped = log
            flipped[offset] ^= 1 << (offset % 8)
            try scratch.write(flipped, to: "log")
            let verdict = verdict()
            #expect(verdict != "whole", "offset \(offset)")
        }
    }

    @Test(arguments: ["head.0", "head.1"])
    func everyFlippedBitOfAHeadIsDetected(name: String) throws {
        let head = try scratch.bytes(name)
        for offset in head.indices where offset % 31 == 0 || offset < 1000 || offset > head.count - 20 {
            var flipped = head
            flipped[offset] ^= 1 << (offset % 8)
            try scratch.write(flipped, to: name)
            // The older head cannot be told from a write that a crash cut off: then that is what is reported.
            let isSeen = (try? verify().hasUnfinishedWrite) ?? true
            #expect(isSeen, "offset \(offset)")
        }
    }

    @Test func aRemovedRecordIsNamed() throws {
        try write([lines[0], lines[1], lines[3], lines[4]])
        #expect(verdict() == "E0024:3")
        try write(Array(lines.dropFirst()))
        #expect(verdict() == "E0024:1")
    }

    @Test func exchangedRecordsAreNamed() throws {
        try write([lines[0], lines[2], lines[1], lines[3], lines[4]])
        #expect(verdict() == "E0024:2")
    }

    @Test func aRepeatedRecordIsNoticed() throws {
        try write([lines[0], lines[1], lines[1], lines[2], lines[3], lines[4]])
        #expect(verdict() == "E0024:3")
    }

    @Test(arguments: 0..<4)
    func recordsThatAreCutOffAreMissed(kept: Int) throws {
        try write(Array(lines.prefix(kept)))
        #expect(verdict() == (kept == 0 ? "E0025" : "E0025:\(kept)"))
        #expect(throws: Diagnostic("E0025", "")) {
            _ = try Ledger.open(directory: scratch.ledger, signer: key)
        }
        #expect(try scratch.bytes("log") == Array(lines.prefix(kept).joined()))
    }

    @Test func aRecordWithACommitmentOfItsOwnDoesNotPass() throws {
        let entry = try RecordLine(Array(lines[2].dropLast())).entry()
        var text = RecordLine.record(
            sequence: 3, time: entry.time, clock: nil, kind: .runEnd, run: "r-1", fields: ["rows": 4])
        let forged = RecordLine(salt: Hashing.salt(), record: text).bytes + [0x0A]
        try #require(forged.count == lines[2].count)
        try write([lines[0], lines[1], forged, lines[3], lines[4]])
        #expect(verdict() == "E0027")
        text.removeLast()
        let broken = RecordLine(salt: Hashing.salt(), record: text + [0x20]).bytes + [0x0A]
        try write([lines[0], lines[1], broken, lines[3], lines[4]])
        #expect(verdict() == "E0022:3")
    }

    @Test func aRecordAddedByHandIsNotTakenOver() throws {
        let record = RecordLine.record(
            sequence: 6, time: .now(), clock: nil, kind: .decision, run: nil, fields: [:])
        try write(lines + [RecordLine(salt: Hashing.salt(), record: record).bytes + [0x0A]])
        #expect(verdict() == "E0026:5")
        #expect(throws: Diagnostic("E0026", "")) {
            _ = try Ledger.open(directory: scratch.ledger, signer: key)
        }
    }

    @Test func aTimeThatRunsBackwardsIsNamed() throws {
        let files = LedgerFiles(directory: scratch.ledger)
        var heads = try files.heads(verifier: key)
        // A host with a mistake in it could sign such a record; `verify` does not take its word.
        let (slot, _) = try Ledger.next(
            after: Head(
                ledger: heads.newest.head.ledger, frontier: heads.newest.head.frontier,
                last: heads.newest.head.last,
                bytes: heads.newest.head.bytes, time: LedgerTime(milliseconds: 0), open: []),
            .decision, run: nil, fields: [:], now: LedgerTime(milliseconds: 1))
        try files.writeHead(try slot.bytes(signedBy: key), for: slot.head.size)
        try files.writeLog(slot.line.bytes + [0x0A], at: slot.lineStart)
        heads = try files.heads(verifier: key)
        #expect(verdict() == "E0030:6")
    }

    @Test func aHeadOfAnotherKeyIsRefused() throws {
        let other = try TestKey(seed: 8)
        #expect(throws: Diagnostic("E0029", "")) {
            _ = try LedgerReader(directory: scratch.ledger, verifier: other).verify()
        }
        #expect(throws: Diagnostic("E0029", "")) {
            _ = try Ledger.open(directory: scratch.ledger, signer: other)
        }
    }

    @Test func aHeadThatIsGoneOrReplacedIsMissed() throws {
        let older = try scratch.bytes("head.0")
        let newer = try scratch.bytes("head.1")
        try scratch.write([], to: "head.0")
        #expect(verdict() == "E0034")
        try scratch.write(older, to: "head.1")
        try scratch.write(newer, to: "head.0")
        #expect(verdict() == "E0034")
        try scratch.write([], to: "head.0")
        try scratch.write([], to: "head.1")
        #expect(verdict() == "E0028")
    }

    @Test func aFolderWithoutALedgerIsSaidToBeOne() throws {
        #expect(throws: Diagnostic("E0020", "")) {
            _ = try LedgerReader(directory: scratch.path + "/none", verifier: key).verify()
        }
    }

    @Test func damageNamesTheFileAndTheLine() throws {
        var flipped = log
        flipped[lines[0].count + 200] ^= 0x01
        try scratch.write(flipped, to: "log")
        let error = #expect(throws: Diagnostic.self) { try verify() }
        #expect(
            error?.description == """
                error[E0023]: this record of the ledger was altered after it was written
                  --> \(scratch.ledger)/log:2
                help: keep a copy of the folder as it is, restore it from a backup, then run `escrow ledger verify`
                """)
    }
}
