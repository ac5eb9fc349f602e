import EscrowDiagnostics

extension Diagnostic {
    private static let keep =
        "keep a copy of the folder as it is; restore it from a backup, or go on without what is lost: escrow ledger repair"

    static func ledgerMissing(_ directory: String) -> Diagnostic {
        Diagnostic(
            .noLedger, "there is no ledger in \(directory)", help: "an escrow home is made by `escrow init`")
    }
    static func ledgerExists(_ directory: String) -> Diagnostic {
        Diagnostic(.ledgerExists, "there is a ledger in \(directory) already; nothing was overwritten")
    }
    static func malformedLine(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged(.ledgerLineNotARecord, "this line of the ledger is not a record", log, line)
    }
    static func alteredRecord(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged(.recordAltered, "this record of the ledger was altered after it was written", log, line)
    }
    static func wrongOrder(_ log: String, _ line: UInt64, expected: UInt64, found: UInt64) -> Diagnostic {
        damaged(
            .recordMisplaced, "record \(found) of the ledger stands where record \(expected) belongs", log,
            line,
            note: found > expected
                ? "records were removed, or lines were exchanged" : "lines were exchanged or put in twice")
    }
    static func cutOff(_ log: String, count: UInt64, signed: UInt64) -> Diagnostic {
        damaged(
            .ledgerCutOff,
            "the ledger was cut off: it ends after record \(count), the signed head vouches for \(signed)",
            log, nil)
    }
    static func wrongCheckpoint(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged(
            .checkpointMismatch, "this checkpoint does not vouch for what stands before it in the ledger",
            log, line,
            note: "the lines before it were altered, removed, added or exchanged")
    }
    static func wrongEnd(_ log: String, signed: UInt64) -> Diagnostic {
        damaged(
            .ledgerEndAltered,
            "the end of the ledger is not what its signed head vouches for, \(signed) records", log,
            nil)
    }
    static func noSoundHead(_ directory: String) -> Diagnostic {
        Diagnostic(
            .noWholeHead, "no head of the ledger in \(directory) is whole and rightly signed",
            notes: ["a crash leaves at least one of the two in each file whole"], help: keep)
    }
    static func foreignHead(_ directory: String, _ keyID: String) -> Diagnostic {
        Diagnostic(
            .ledgerOfAnotherKey,
            "the ledger in \(directory) is signed by another key than this host's, \(keyID)",
            help:
                "it belongs to another escrow home: put the two back together, or name the other home with --home"
        )
    }
    static func backwards(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged(
            .recordOlderThanThePrevious, "this record of the ledger is older than the one before it", log,
            line)
    }
    static func unwritable(_ what: String) -> Diagnostic {
        Diagnostic(
            .recordNotWritten, "the record cannot be written to the ledger: \(what)",
            help: "nothing was recorded or run")
    }
    static func wrongRun(_ what: String) -> Diagnostic {
        Diagnostic(.recordDoesNotFitTheRuns, "the record does not fit the runs of the ledger: \(what)")
    }
    static func unknownRecord(_ log: String, _ line: UInt64) -> Diagnostic {
        Diagnostic(
            .recordOfNewerKind,
            "this record of the ledger is of a version or kind that this host does not know",
            at: Place(file: log, line: Int(clamping: line)),
            help: "a newer escrow wrote it: use that one, or a newer one still")
    }
    static func headDamaged(_ path: String) -> Diagnostic {
        Diagnostic(
            .headDamaged, "one of the two heads in \(path) is damaged",
            notes: [
                "no crash does this: the log would hold what that head vouched for",
                "the other head and the log agree; records after them, if there were any, are lost",
            ], help: keep)
    }
    static func headMissing(_ path: String) -> Diagnostic {
        Diagnostic(
            .headFileMissing, "the file of the ledger's heads is missing: \(path)",
            notes: ["it is what shows that a ledger was put back to an earlier state"], help: keep)
    }
    static func putBack(_ log: String, count: UInt64, copy: String, vouched: UInt64) -> Diagnostic {
        damaged(
            .ledgerRolledBack,
            "the ledger was put back to an earlier state: it ends after record \(count), and there were \(vouched)",
            log, nil, note: "this is what the copy of its head says: \(copy)")
    }
    static func fork(_ path: String) -> Diagnostic {
        Diagnostic(
            .twoHistories, "the ledger and the head in \(path) are of two histories",
            notes: ["both are signed by this host: one of them is not what it told others"], help: keep)
    }
    static func wronglyReduced(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged(
            .contentMissing,
            "what became of this entry of the ledger is not what the ledger says became of it", log,
            line)
    }
    static func notErasable(_ sequence: UInt64, _ why: String) -> Diagnostic {
        Diagnostic(
            .entryNotErasable, "entry \(sequence) of the ledger is kept: \(why)", help: "nothing was erased")
    }
    static var nothingToErase: Diagnostic {
        Diagnostic(
            .entryNotErasable, "there is nothing to erase there",
            notes: ["such entries are gone, or never were"],
            help: "escrow ledger list")
    }
    static func beyondRepair(_ directory: String) -> Diagnostic {
        Diagnostic(
            .ledgerBeyondRepair,
            "nothing in \(directory) is signed by this host, so nothing can be gone on from",
            help: "restore the folder and ledger.heads from a backup")
    }
    static func earlierFormat(_ directory: String) -> Diagnostic {
        Diagnostic(
            .ledgerOfEarlierFormat,
            "the ledger in \(directory) is of an earlier format, which this escrow does not read",
            notes: ["nothing was changed"],
            help: "use the version of escrow that made it, or make a new home: escrow init --home DIR")
    }
    static func noSuchProof(_ why: String) -> Diagnostic {
        Diagnostic(
            .notProvable, "this cannot be proved: \(why)", help: "escrow ledger verify tells what is there")
    }
    static var noProof: Diagnostic {
        Diagnostic(
            .proofInvalid, "this is no proof about a ledger",
            help: "make one: escrow ledger prove ENTRY, or escrow ledger prove --consistency SIZE")
    }
    static func falseProof(_ why: String) -> Diagnostic {
        Diagnostic(
            .proofInvalid, "the proof does not hold: \(why)",
            help: "ask whoever made it for a new one, and for the host's public key")
    }
    static func wrongOpenRuns(_ log: String) -> Diagnostic {
        damaged(
            .otherOpenRuns, "the runs without an end in the ledger are not those that its signed head names",
            log,
            nil)
    }

    private static func damaged(
        _ code: Code, _ message: String, _ log: String, _ line: UInt64?, note: String? = nil
    ) -> Diagnostic {
        Diagnostic(
            code, message, at: Place(file: log, line: line.map { Int(clamping: $0) }),
            notes: note.map { [$0] } ?? [], help: keep)
    }
}

extension RecordLine.Refusal {
    func diagnostic(_ log: String, _ line: UInt64) -> Diagnostic {
        switch self {
        case .malformed: .malformedLine(log, line)
        case .altered: .alteredRecord(log, line)
        case .unknown: .unknownRecord(log, line)
        }
    }
}
