import EscrowDiagnostics
import EscrowJSON
import Testing

@testable import EscrowLedger

@Suite struct LedgerTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    var reader: LedgerReader { LedgerReader(directory: scratch.ledger, verifier: key) }

    @Test func aNewLedgerSaysThatTheHostWasCreated() throws {
        _ = try Ledger.create(directory: scratch.ledger, signer: key, fields: ["host": "test"])
        let entries = try reader.entries()
        #expect(entries.map(\.kind) == [.hostCreated])
        #expect(entries.first?.sequence == 1)
        #expect(entries.first?.fields["host"]?.string == "test")
        #expect(try reader.verify().count == 1)
    }

    @Test func nothingIsOverwritten() throws {
        _ = try Ledger.create(directory: scratch.ledger, signer: key)
        let before = try scratch.bytes(scratch.log)
        #expect(throws: Diagnostic(.ledgerExists, "")) {
            _ = try Ledger.create(directory: scratch.ledger, signer: key)
        }
        #expect(try scratch.bytes(scratch.log) == before)
    }

    @Test func appendedEntriesComeBackInOrderAndVerify() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        for index in 1...40 {
            let entry = try ledger.append(.sourceAdded, fields: ["index": .integer(Int64(index))])
            #expect(entry.sequence == UInt64(index + 1))
        }
        let entries = try reader.entries()
        #expect(entries.count == 41)
        #expect(entries.dropFirst().map { $0.fields["index"]?.integer } == (1...40).map { Int64($0) })
        #expect(try reader.entries(from: 39, limit: 2).map(\.sequence) == [39, 40])
        #expect(try reader.latest(3).map(\.sequence) == [39, 40, 41])
        #expect(try reader.latest(100) == entries)
        let report = try reader.verify()
        #expect(report.count == 41)
        #expect(report.signedAt == entries.last?.time)
        #expect(report.keyID == key.keyID)
        #expect(!report.hasUnfinishedWrite)
    }

    @Test func theLatestEntriesAreFoundAcrossLongRecords() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        for length in [10, 70_000, 200_000, 3, 65_536, 64_000] {
            try ledger.append(.decision, fields: ["text": .string(String(repeating: "x", count: length))])
        }
        #expect(try reader.latest(6) == reader.entries(from: 2))
        #expect(try reader.latest(99).count == 7)
    }

    @Test func twoWritersSeeEachOther() throws {
        let first = try Ledger.create(directory: scratch.ledger, signer: key)
        let second = try Ledger.open(directory: scratch.ledger, signer: key)
        for _ in 0..<5 {
            try first.append(.decision, fields: [:])
            try second.append(.decision, fields: [:])
            try second.append(.decision, fields: [:])
        }
        #expect(try reader.verify().count == 16)
    }

    @Test func manyThreadsAppendOneAfterTheOther() async throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        let other = try Ledger.open(directory: scratch.ledger, signer: key)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<24 {
                group.addTask { try (index % 2 == 0 ? ledger : other).append(.decision, fields: [:]) }
            }
            try await group.waitForAll()
        }
        #expect(try reader.verify().count == 25)
    }

    @Test func aRunWithoutAnEndIsReportedUntilItEnds() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        try ledger.append(.runIntent, run: "r-1", fields: [:])
        try ledger.append(.runIntent, run: "r-2", fields: [:])
        try ledger.append(.runEnd, run: "r-1", fields: [:])
        #expect(try reader.verify().unfinishedRuns == [.init(run: "r-2", sequence: 3)])
        // This process lives: its run is not interrupted.
        let again = try Ledger.open(directory: scratch.ledger, signer: key)
        #expect(try reader.count() == 4)
        try again.append(.runEnd, run: "r-2", fields: [:])
        #expect(try reader.verify().unfinishedRuns.isEmpty)
    }

    @Test func aRunBeginsOnceAndEndsOnce() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        #expect(throws: Diagnostic(.recordDoesNotFitTheRuns, "")) {
            try ledger.append(.runEnd, run: "r-1", fields: [:])
        }
        #expect(throws: Diagnostic(.recordDoesNotFitTheRuns, "")) {
            try ledger.append(.runIntent, fields: [:])
        }
        try ledger.append(.runIntent, run: "r-1", fields: [:])
        #expect(throws: Diagnostic(.recordDoesNotFitTheRuns, "")) {
            try ledger.append(.runIntent, run: "r-1", fields: [:])
        }
        try ledger.append(.runEnd, run: "r-1", fields: [:])
        #expect(throws: Diagnostic(.recordDoesNotFitTheRuns, "")) {
            try ledger.append(.runEnd, run: "r-1", fields: [:])
        }
        #expect(try reader.verify().count == 3)
    }

    @Test(arguments: [
        JSONValue.string("not an object"), ["nul": "a\u{0}b"], .object([("a", 1), ("a", 2)]),
    ])
    func whatCouldNotBeReadBackIsNotWritten(fields: JSONValue) throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        #expect(throws: Diagnostic(.recordNotWritten, "")) { try ledger.append(.decision, fields: fields) }
        #expect(try reader.verify().count == 1)
    }

    @Test func aRecordThatIsTooLongIsNotWritten() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        let text = String(repeating: "x", count: RecordLine.maximumRecord)
        #expect(throws: Diagnostic(.recordNotWritten, "")) {
            try ledger.append(.decision, fields: ["long": .string(text)])
        }
        #expect(try reader.verify().count == 1)
    }

    @Test func aClockThatWasSetBackDoesNotTurnBackTheLedger() throws {
        var batch = Batch(newFile: 1, ledger: "x", time: LedgerTime(milliseconds: 5000))
        let behind = LedgerTime(milliseconds: 4000)
        let entry = try batch.add(.decision, run: nil, fields: [:], now: behind)
        #expect(entry.time == LedgerTime(milliseconds: 5000))
        #expect(entry.clock == behind)
        let ahead = LedgerTime(milliseconds: 6000)
        let next = try batch.add(.decision, run: nil, fields: [:], now: ahead)
        #expect(next.time == ahead)
        #expect(next.clock == nil)
    }

    @Test func whatDoesNotFitIsRefusedAndTheRestOfItsBatchIsWritten() throws {
        let ledger = try Ledger.create(directory: scratch.ledger, signer: key)
        let outcomes = try ledger.exclusively { (known) throws(Diagnostic) in
            try ledger.write(
                [
                    Append(kind: .runIntent, run: "r-1", fields: [:]),
                    Append(kind: .runIntent, run: "r-1", fields: [:]),
                    Append(kind: .decision, run: nil, fields: "no object"),
                    Append(kind: .runEnd, run: "r-1", fields: [:]),
                ], &known)
        }
        let codes = outcomes.map { outcome -> String in
            switch outcome {
            case .written(let entry): String(entry.sequence)
            case .refused(let diagnostic): diagnostic.code.rawValue
            }
        }
        #expect(codes == ["2", "E0032", "E0031", "3"])
        #expect(try reader.verify().count == 3)
        // One checkpoint for both: they became durable together.
        let lines = try scratch.bytes(scratch.log).split(separator: 0x0A)
        #expect(lines.count { $0.starts(with: CheckpointLine.opening) } == 2)
    }
}
