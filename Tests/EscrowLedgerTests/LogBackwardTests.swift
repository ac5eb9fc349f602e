import EscrowDiagnostics
import EscrowJSON
import Foundation
import Testing

@testable import EscrowLedger

/// What is read from the end, or from the middle on, is what reading all gives.
@Suite struct LogBackwardTests {
    let scratch = Scratch()
    let key: TestKey

    init() throws { key = try TestKey() }

    private var reader: LedgerReader {
        LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
    }

    private func create() throws -> Ledger {
        try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    enum Shape: CaseIterable {
        case empty, plain, long, erased, decayed, compacted, lost, cutOff
    }

    /// A ledger of that shape.
    private func make(_ shape: Shape) throws {
        let ledger = try create()
        guard shape != .empty else { return }
        for index in 0..<12 {
            let length = shape == .long ? [3, 70_000, 261_900, 65_536][index % 4] : index
            let text = JSONValue.string(String(repeating: "x", count: length))
            try ledger.append(.runIntent, run: "r-\(index)", fields: ["sql": text])
            try ledger.append(.runEnd, run: "r-\(index)", fields: ["rows": 3, "used": ["cpuMs": 5]])
        }
        switch shape {
        case .empty, .plain, .long: break
        case .erased: try ledger.erase(SequenceSet([2, 4, 5, 6, 25]))
        case .decayed:
            var retention = LedgerRetention()
            retention.decay = [.hour: 30]
            let later = LedgerTime(milliseconds: LedgerTime.now().milliseconds + 31 * 86_400_000)
            _ = try ledger.tidy(retention, now: later)
        case .compacted: try ledger.compact(through: 9)
        case .lost: try damage { lines in lines[5][lines[5].count - 20] ^= 1 }
        case .cutOff: try damage { lines in lines.replaceSubrange(41..., with: [[]]) }
        }
        guard shape != .lost, shape != .cutOff else { return }
        try ledger.append(.decision, fields: ["answer": "no"])
    }

    private func damage(_ change: (inout [[UInt8]]) -> Void) throws {
        var lines = try scratch.bytes(scratch.log).split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { Array($0) }
        change(&lines)
        try scratch.write(Array(lines.joined(separator: [0x0A])), to: scratch.log)
        _ = try Ledger.repair(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        let ledger = try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        for _ in 0..<3 { try ledger.append(.decision, fields: [:]) }
    }

    private func backward(before number: UInt64 = .max) throws -> [LedgerEntry] {
        var found: [LedgerEntry] = []
        try reader.forEachBackward(before: number) { (entry) throws(Diagnostic) in
            found.append(entry)
            return true
        }
        return found.reversed()
    }

    @Test(arguments: Shape.allCases)
    func readingBackwardGivesWhatReadingForwardGives(_ shape: Shape) throws {
        try make(shape)
        _ = try reader.verify()
        // Read by the walk that verify and rewriting use.
        let found = try reader.examine()
        var walk = LogWalk(found.log, to: found.head.end)
        var all: [LedgerEntry] = []
        while let item = try walk.next() { if let entry = try walk.entry(item) { all.append(entry) } }
        #expect(try reader.entries() == all)
        #expect(try backward() == all)
        #expect(try reader.latest(4) == all.suffix(4))
        #expect(try reader.latest(1_000) == all)
        let count = try reader.count()
        for number in 0...count + 2 {
            #expect(try backward(before: number) == all.filter { $0.sequence < number }, "before \(number)")
            let after = all.filter { $0.sequence >= number }
            #expect(try reader.entries(from: number) == after, "from \(number)")
            let part = reader.part(number...number + 3)
            let some = all.filter { (number...number + 3).contains($0.sequence) }
            #expect(try part.entries() == some && part.latest(9) == some, "part from \(number)")
            #expect(try reader.entry(number) == all.first { $0.sequence == number }, "\(number)")
        }
    }

    @Test(arguments: Shape.allCases, [1, 500, 4_096] as [Int64])
    func aPlaceFoundByHalvingIsTheOneThatCountingFinds(_ shape: Shape, _ window: Int64) throws {
        try make(shape)
        let found = try reader.examine()
        for number in 0...found.head.size + 1 {
            let place = try found.log.place(of: number, to: found.head.end, window: window)
            var walk = LogWalk(found.log, to: found.head.end)
            var before: UInt64 = 0
            while let item = try walk.next(), item.offset < place.offset { before = item.sequence }
            #expect(place.number == before, "\(number)")
            #expect(place.number < max(number, 1), "\(number)")
            // Nothing that was asked for lies before it, and the next record is asked for.
            var next = LogWalk(found.log, from: place, to: found.head.end)
            while let item = try next.next() {
                guard let entry = try next.entry(item) else { continue }
                #expect(entry.sequence >= number)
                break
            }
        }
    }

    @Test(arguments: [1, 2, 7, 64, 1_000, 1 << 20])
    func theLinesAreTheSameInPiecesOfAnySize(_ piece: Int) throws {
        try scratch.makeLedgerFolder()
        for text in ["", "\n", "a\n", "a", "\n\n", "ab\n\ncdefghi\nj", "one\ntwo\nthree\n"] {
            try scratch.write(Array(text.utf8), to: "lines")
            let file = try #require(try LogFile(scratch.ledger + "/lines"))
            var forward: [String] = []
            var lines = LogLines(file)
            while let line = try lines.next() { forward.append(Self.word(line)) }
            var backward: [String] = []
            var back = LogLinesBackward(file, before: try file.length(), piece: piece)
            while let line = try back.next() { backward.append(Self.word(line)) }
            #expect(backward.reversed() == forward, "\(text.debugDescription)")
            #expect(back.position == 0)
        }
    }

    @Test(arguments: [0, 1, -1]) func aLineLongerThanAnyIsNone(_ more: Int) throws {
        try scratch.makeLedgerFolder()
        let long = [UInt8](repeating: 0x78, count: RecordLine.maximumLine + more) + [0x0A]
        try scratch.write(Array("a\n".utf8) + long, to: "lines")
        let file = try #require(try LogFile(scratch.ledger + "/lines"))
        for piece in [4_096, 1 << 20] {
            var back = LogLinesBackward(file, before: try file.length(), piece: piece)
            switch try back.next() {
            case .whole(let line): #expect(more <= 0 && line == Array(long.dropLast()))
            case .broken: #expect(more > 0)
            case nil: Issue.record("there is a line")
            }
        }
    }

    @Test func whatIsNoLineIsRefusedWithItsNumber() throws {
        try make(.plain)
        var lines = try scratch.bytes(scratch.log).split(separator: 0x0A).map { Array($0) }
        // The head's line is the last one: what stands before is not looked at until it is read.
        lines[20][0] = UInt8(ascii: "x")
        try scratch.write(Array(lines.joined(separator: [0x0A])) + [0x0A], to: scratch.log)
        #expect(try reader.latest(3).count == 3)
        do {
            _ = try backward()
            Issue.record("the line was taken")
        } catch let error as Diagnostic {
            #expect(error == Diagnostic(.ledgerLineNotARecord, "") && error.place?.line == 21)
        }
    }

    @Test func aRecordThatIsNotOfItsPlaceIsRefused() throws {
        try make(.plain)
        let log = try scratch.bytes(scratch.log)
        let lines = log.split(separator: 0x0A).map { Array($0) }
        // The same length, so that the end stays where the head says that it is.
        var exchanged = lines
        exchanged.swapAt(19, 21)
        try scratch.write(Array(exchanged.joined(separator: [0x0A])) + [0x0A], to: scratch.log)
        #expect(throws: Diagnostic(.recordMisplaced, "")) { try backward() }
        #expect(throws: Diagnostic(.recordMisplaced, "")) { try reader.entries() }
    }

    @Test func aRunIsUnderWayOnlyWhileItsProcessIsThere() throws {
        let ledger = try create()
        try ledger.append(.runIntent, run: "r-1", fields: [:])
        #expect(try reader.runsUnderWay().map(\.run) == ["r-1"])
        #expect(try reader.runsUnderWay().map(\.began) == [2])
        // As a killed process leaves it: the run has no end, and nobody holds the file.
        let name = try #require(try reader.examine().head.line.open.first?.holder)
        try FileManager.default.removeItem(atPath: "\(scratch.ledger)/\(name)")
        try scratch.write([], to: name)
        #expect(try reader.runsUnderWay().isEmpty)
        #expect(try reader.oldestOpenRun() == 2)
        try FileManager.default.removeItem(atPath: "\(scratch.ledger)/\(name)")
        #expect(try reader.runsUnderWay().isEmpty)
    }

    private static func word(_ line: LogLines.Line) -> String {
        switch line {
        case .whole(let bytes): "whole " + String(decoding: bytes, as: UTF8.self)
        case .broken(let bytes): "broken " + String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension Scratch {
    fileprivate func makeLedgerFolder() throws {
        try FileManager.default.createDirectory(atPath: ledger, withIntermediateDirectories: true)
    }
}
