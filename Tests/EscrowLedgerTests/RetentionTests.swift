import EscrowJSON
import Testing

@testable import EscrowLedger

/// What goes with age or for room.
@Suite struct RetentionTests {
    let scratch = Scratch()
    let key: TestKey
    let ledger: Ledger
    let reader: LedgerReader

    init() throws {
        key = try TestKey()
        ledger = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        reader = LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
        for run in ["r-1", "r-2"] {
            try ledger.append(
                .runIntent, run: run,
                fields: [
                    "app": "org.example.notes", "sql": "SELECT 1", "signers": ["k"], "tables": ["Contacts"],
                ])
            try ledger.append(
                .runEnd, run: run, fields: ["rows": 3, "outcome": "returned", "used": ["cpuMs": 5]])
        }
    }

    /// A moment so many days from now.
    func later(_ days: Int64) -> LedgerTime {
        LedgerTime(milliseconds: LedgerTime.now().milliseconds + days * 86_400_000)
    }

    @Test func detailIsLostStepByStepAndEverythingStillVerifies() throws {
        var retention = LedgerRetention()
        retention.decay = [.hour: 30, .day: 365]
        let before = try reader.entries()
        #expect(try ledger.tidy(retention, now: later(29)).isEmpty)
        let first = try ledger.tidy(retention, now: later(31))
        #expect(first.map(\.kind) == [.decayed])
        #expect(first.first?.fields["entries"] == [[2, 5]])
        let hour = try reader.entries()
        #expect(hour[1].fields == ["app": "org.example.notes", "signers": ["k"], "tables": ["Contacts"]])
        #expect(hour[2].fields == ["rows": 3, "outcome": "returned"])
        #expect(hour[1].time.milliseconds % 3_600_000 == 0)
        #expect(hour[1].run == "r-1")
        #expect(hour.prefix(5).map(\.commitment) == before.prefix(5).map(\.commitment))
        // Nothing is left to lose.
        #expect(try ledger.tidy(retention, now: later(31)).isEmpty)
        let second = try ledger.tidy(retention, now: later(366))
        #expect(second.map { $0.fields["detail"]?.string } == ["day"])
        let day = try reader.entries()
        #expect(day[1].fields == ["app": "org.example.notes", "tables": ["Contacts"]])
        #expect(day[1].time.milliseconds % 86_400_000 == 0)
        let report = try reader.verify()
        #expect(report.missing == .init(erased: 0, decayed: 4, compacted: 0, lost: 0))
        try ledger.erase(SequenceSet([2]))
        #expect(try reader.verify().missing == .init(erased: 1, decayed: 3, compacted: 0, lost: 0))
        for sequence in 1...report.count { _ = try reader.prove(sequence).verify(key) }
    }

    @Test func whatIsTooOldIsDropped() throws {
        var retention = LedgerRetention()
        retention.keepDays = 10
        #expect(try ledger.tidy(retention, now: later(9)).isEmpty)
        try ledger.append(.runIntent, run: "r-3", fields: [:])
        let said = try ledger.tidy(retention, now: later(11))
        #expect(said.map(\.kind) == [.compacted])
        #expect(said.first?.fields["through"]?.integer == 5)
        // The run that goes on is still there.
        #expect(try reader.entries().map(\.sequence) == [6, 7])
        #expect(try reader.verify().missing.compacted == 5)
    }

    @Test func aLogThatIsTooLongLosesItsOldestHalf() throws {
        for index in 0..<200 { try ledger.append(.decision, fields: ["index": .integer(Int64(index))]) }
        var retention = LedgerRetention()
        let length = try scratch.bytes(scratch.log).count
        retention.maximumBytes = Int64(length + 1)
        #expect(try ledger.tidy(retention).isEmpty)
        retention.maximumBytes = Int64(length - 1)
        #expect(try ledger.tidy(retention).map(\.kind) == [.compacted])
        let after = try scratch.bytes("log.2").count
        #expect(after < length / 2)
        #expect(try reader.entries().last { $0.kind == .decision }?.fields["index"]?.integer == 199)
        _ = try reader.verify()
    }

    @Test func aLogOfNothingButWhatIsKeptIsLeftAlone() throws {
        var retention = LedgerRetention()
        retention.decay = [.hour: 1, .day: 2]
        retention.keepDays = 3
        let empty = Scratch()
        let fresh = try Ledger.create(directory: empty.ledger, signer: key)
        try fresh.append(.runIntent, run: "r-1", fields: ["sql": "SELECT 1"])
        _ = try fresh.tidy(retention, now: later(2))
        #expect(
            try LedgerReader(directory: empty.ledger, verifier: key).entries().last?.fields["sql"]
                == "SELECT 1")
    }
}
