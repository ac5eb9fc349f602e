import Crypto
import EscrowDiagnostics
import EscrowJSON
import FaultyDisk
import Foundation
import Testing

@testable import EscrowLedger

/// Every call of every way of writing a ledger fails once, or is the last before the power goes. Whatever was acknowledged
/// is there afterwards, whatever was erased is not, and `verify` either is content or says what is wrong.
@Suite struct WriteFaultTests {
    private let key = QuickKey()

    /// A way of writing.
    enum Way: String, CaseIterable, CustomTestStringConvertible {
        case create, append, openAfterACrash, erase, decay, compact, repairOfALog, repairOfHeads, lostCopy

        var testDescription: String { rawValue }
    }

    @Test(arguments: Way.allCases, FaultyDisk.Fault.allCases)
    func nothingAcknowledgedIsLostAndNothingElseIsClaimed(way: Way, fault: FaultyDisk.Fault) throws {
        let start = try FaultyLedger(key)
        try start.prepare(way)
        let calls = try count(way, start)
        #expect(calls > 5)
        var struck = 0
        // Each kind of fault begins at another call, so that together they reach many.
        let first = Self.isThorough ? 1 : 1 + 2 * (FaultyDisk.Fault.allCases.firstIndex(of: fault) ?? 0)
        for turn in stride(from: first, through: calls, by: Self.isThorough ? 1 : 9) {
            let trial = try FaultyLedger(key, like: start)
            let disk = try FaultyDisk(trial.scratch.path)
            let place = "\(way) with \(fault) at call \(turn)"
            try disk.run(fault, at: turn) { try trial.act(way) }
            if disk.hasStruck { struck += 1 }
            #expect(disk.hasStruck || trial.refusals.isEmpty, "\(place): \(trial.refusals)")
            // What the disk holds if the power goes now, then what the program left.
            for loss in losses(fault, turn) {
                let after = try FaultyLedger(key, promisedBy: trial)
                try FileManager.default.removeItem(atPath: after.scratch.path)
                try disk.restore(loss, to: after.scratch.path)
                try after.judge(way, "\(place), \(loss)")
            }
            if fault != .powerCut { try trial.judge(way, place) }
        }
        #expect(struck > 0 || !Self.isThorough, "no call failed")
    }

    /// Every call, and every loss with each: minutes. Otherwise a part of them, the same each time.
    private static let isThorough = ProcessInfo.processInfo.environment["ESCROW_FAULTS"] == "all"

    /// How many calls a way takes where nothing fails.
    private func count(_ way: Way, _ start: FaultyLedger) throws -> Int {
        let trial = try FaultyLedger(key, like: start)
        let disk = try FaultyDisk(trial.scratch.path)
        try disk.run(nil, at: 0) { try trial.act(way) }
        #expect(trial.refusals.isEmpty)
        try trial.judge(way, "\(way) without a fault")
        return disk.calls
    }

    private func losses(_ fault: FaultyDisk.Fault, _ turn: Int) -> [PowerLoss] {
        guard fault == .powerCut else { return [.everything] }
        let all: [PowerLoss] =
            [.nothing, .everything, .bytes, .halfTheLastWrite] + (1...3).map { .some(UInt64(turn * 16 + $0)) }
        return Self.isThorough ? all : [all[turn / 9 % all.count]]
    }
}

/// A key that signs with a digest, so that thousands of ledgers are signed in seconds. TEST ONLY.
private struct QuickKey: HeadSigner {
    let keyID = "SHA256:TEST-ONLY-QUICK"
    let publicKey = [UInt8](repeating: 9, count: 32)

    func sign(_ message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        Array(SHA512.hash(data: publicKey + message))
    }

    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool {
        signature == Array(SHA512.hash(data: publicKey + message))
    }
}

/// A ledger on a disk that may fail, and what it promised.
private final class FaultyLedger {
    let scratch = Scratch()
    private let key: QuickKey
    /// What was acknowledged: the number of a record and its commitment.
    private var promised: [UInt64: String] = [:]
    /// Whose content is gone for good: erased.
    private var erased = SequenceSet()
    /// Up to where entries may be gone.
    private var compacted: UInt64 = 0
    /// What was refused on the way.
    private(set) var refusals: [Diagnostic] = []

    init(_ key: QuickKey) throws { self.key = key }

    /// Takes over a copy of the files, and the promises.
    init(_ key: QuickKey, like other: FaultyLedger) throws {
        self.key = key
        try FileManager.default.removeItem(atPath: scratch.path)
        try FileManager.default.copyItem(atPath: other.scratch.path, toPath: scratch.path)
        take(other)
    }

    /// Takes over the promises.
    init(_ key: QuickKey, promisedBy other: FaultyLedger) throws {
        self.key = key
        take(other)
    }

    private func take(_ other: FaultyLedger) {
        promised = other.promised
        erased = other.erased
        compacted = other.compacted
    }

    private var reader: LedgerReader {
        LedgerReader(directory: scratch.ledger, copies: [scratch.copy], verifier: key)
    }

    private func open() throws(Diagnostic) -> Ledger {
        try Ledger.open(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    private func repair() throws(Diagnostic) -> LedgerRepair {
        try Ledger.repair(directory: scratch.ledger, copies: [scratch.copy], signer: key)
    }

    /// The state before the faults.
    func prepare(_ way: WriteFaultTests.Way) throws {
        guard way != .create else { return }
        let ledger = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        for entry in try reader.entries() { promised[entry.sequence] = entry.commitment }
        for index in 0..<4 {
            let kind: LedgerEntry.Kind = index % 2 == 0 ? .runIntent : .runEnd
            keep(
                try ledger.append(
                    kind, run: "r-\(index / 2)", fields: ["app": "org.example", "sql": "SELECT"]))
        }
        switch way {
        case .create, .append, .erase, .decay, .compact: break
        case .openAfterACrash:
            // A line that is not whole, a page that is not, and a run whose process is gone.
            var log = try scratch.bytes(scratch.log)
            let end = log.count
            keep(try ledger.append(.decision, fields: [:]))
            log = try scratch.bytes(scratch.log)
            try scratch.write(log + log[end..<end + 100], to: scratch.log)
            var heads = try scratch.bytes("heads")
            let page = try #require((0..<2).first { heads[$0 * HeadPage.size] != 0 })
            heads[page * HeadPage.size + 200] ^= 1
            try scratch.write(heads, to: "heads")
            guard (try? reader.verify()) == nil else { return }
            // The page that was hit was the newest: it is the other one that a crash may have hit.
            heads[page * HeadPage.size + 200] ^= 1
            heads[(1 - page) * HeadPage.size + 200] ^= 1
            try scratch.write(heads, to: "heads")
        case .repairOfALog:
            var log = try scratch.bytes(scratch.log)
            let line = try #require(log.firstRange(of: Array("SELECT".utf8)))
            log[line.lowerBound] ^= 1
            try scratch.write(log, to: scratch.log)
            promised[2] = nil
        case .repairOfHeads:
            try scratch.write([UInt8](repeating: 7, count: 2 * HeadPage.size), to: "heads")
        case .lostCopy: try FileManager.default.removeItem(atPath: scratch.copy)
        }
    }

    private func keep(_ entry: LedgerEntry) { promised[entry.sequence] = entry.commitment }

    /// Something that may fail, and then says why in a sentence about the disk.
    private func attempt(_ body: () throws(Diagnostic) -> Void) {
        do throws(Diagnostic) { try body() } catch { refusals.append(error) }
    }

    /// Writes, while the disk fails once.
    func act(_ way: WriteFaultTests.Way) throws {
        if way == .create {
            attempt { () throws(Diagnostic) in
                _ = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
                promised[1] = ""
            }
        }
        if [.repairOfALog, .repairOfHeads, .lostCopy].contains(way) {
            attempt { () throws(Diagnostic) in
                if let entry = try repair().entry { keep(entry) }
            }
        }
        var ledger: Ledger?
        attempt { () throws(Diagnostic) in ledger = try open() }
        switch way {
        case .erase:
            attempt { () throws(Diagnostic) in
                guard let entry = try ledger?.erase(SequenceSet([2, 3])) else { return }
                keep(entry)
                erased = SequenceSet([2, 3])
            }
        case .decay:
            var retention = LedgerRetention()
            retention.decay = [.day: 1]
            let later = LedgerTime(milliseconds: LedgerTime.now().milliseconds + 100 * 86_400_000)
            attempt { () throws(Diagnostic) in
                try ledger?.tidy(retention, now: later).forEach(keep)
            }
        case .compact:
            // What may be gone may be gone from the moment on that somebody asks for it.
            compacted = 3
            attempt { () throws(Diagnostic) in
                if let entry = try ledger?.compact(through: 3) { keep(entry) }
            }
        default: break
        }
        for _ in 0..<2 {
            attempt { () throws(Diagnostic) in
                if let entry = try ledger?.append(.decision, fields: ["word": "later"]) { keep(entry) }
            }
        }
    }

    /// Looks at what is left, goes on with it, and looks again.
    func judge(_ way: WriteFaultTests.Way, _ place: String) throws {
        if way == .create, access(scratch.ledger, F_OK) != 0 {
            #expect(promised.isEmpty, "\(place): a ledger that was made is gone")
            _ = try Ledger.create(directory: scratch.ledger, copies: [scratch.copy], signer: key)
        }
        let isDamagedFromTheStart = [.repairOfALog, .repairOfHeads, .lostCopy].contains(way)
        do throws(Diagnostic) {
            _ = try reader.verify()
            try checkPromises(place)
        } catch {
            #expect(isDamagedFromTheStart, "\(place): \(error)")
            let repair = try repair()
            #expect(repair.recordsLost == nil, "\(place): \(error)")
            if way == .repairOfALog { promised[2] = nil }
        }
        let ledger = try open()
        keep(try ledger.append(.decision, fields: ["word": "after"]))
        let report = try reader.verify()
        #expect(!report.hasUnfinishedWrite, "\(place)")
        #expect(report.unfinishedRuns.isEmpty, "\(place)")
        try checkPromises(place)
        if isDamagedFromTheStart { #expect(try repair() == LedgerRepair(), "\(place)") }
    }

    private func checkPromises(_ place: String) throws(Diagnostic) {
        var found: [UInt64: LedgerEntry] = [:]
        for entry in try reader.entries(limit: 1000) { found[entry.sequence] = entry }
        for (number, commitment) in promised where number > compacted {
            let isKept = found[number].map { commitment.isEmpty || $0.commitment == commitment } ?? false
            #expect(isKept, "\(place): record \(number) is lost")
        }
        for (number, entry) in found where erased.contains(number) {
            #expect(entry.reduced?.way == .erased, "\(place): record \(number) came back")
        }
        guard !erased.isEmpty else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: scratch.ledger)) ?? []
        #expect(names.count { $0.hasPrefix("log.") } == 1, "\(place): an erased log is still there")
    }
}
