import EscrowDiagnostics

/// What can be wrong with a ledger, in words.
extension Diagnostic {
    private static let keep =
        "keep a copy of the folder as it is, restore it from a backup, then run `escrow ledger verify`"

    static func ledgerMissing(_ directory: String) -> Diagnostic {
        Diagnostic(
            "E0020", "there is no ledger in \(directory)", help: "an escrow home is made by `escrow init`")
    }
    static func ledgerExists(_ directory: String) -> Diagnostic {
        Diagnostic("E0021", "there is a ledger in \(directory) already; nothing was overwritten")
    }
    static func malformedLine(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged("E0022", "this line of the ledger is not a record", log, line)
    }
    static func alteredRecord(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged("E0023", "this record of the ledger was altered after it was written", log, line)
    }
    static func wrongOrder(_ log: String, _ line: UInt64, found: UInt64) -> Diagnostic {
        damaged(
            "E0024", "record \(found) of the ledger stands where record \(line) belongs", log, line,
            note: found > line
                ? "records were removed, or lines were exchanged" : "lines were exchanged or put in twice")
    }
    static func cutOff(_ log: String, count: UInt64, signed: UInt64) -> Diagnostic {
        damaged(
            "E0025",
            "the ledger was cut off: it ends after record \(count), the signed head vouches for \(signed)",
            log, count == 0 ? nil : count)
    }
    static func unsignedRecords(_ log: String, signed: UInt64) -> Diagnostic {
        damaged(
            "E0026", "the ledger holds more than the \(signed) records that the signed head vouches for", log,
            signed)
    }
    static func wrongRoot(_ log: String, signed: UInt64) -> Diagnostic {
        damaged(
            "E0027", "the \(signed) records of the ledger are not those that the signed head vouches for",
            log, nil,
            note:
                "every record is whole in itself: at least one was replaced by another, with a commitment of its own"
        )
    }
    static func noSoundHead(_ directory: String) -> Diagnostic {
        Diagnostic(
            "E0028", "neither head of the ledger in \(directory) is whole and rightly signed",
            notes: ["a crash leaves at least one of head.0 and head.1 whole"], help: keep)
    }
    static func foreignHead(_ directory: String, _ keyID: String) -> Diagnostic {
        Diagnostic(
            "E0029", "the ledger in \(directory) is signed by another key than this host's, \(keyID)",
            help:
                "it belongs to another escrow home: put the two back together, or name the other home with --home"
        )
    }
    static func backwards(_ log: String, _ line: UInt64) -> Diagnostic {
        damaged("E0030", "this record of the ledger is older than the one before it", log, line)
    }
    static func unwritable(_ what: String) -> Diagnostic {
        Diagnostic(
            "E0031", "the record cannot be written to the ledger: \(what)",
            help: "nothing was recorded or run")
    }
    static func wrongRun(_ what: String) -> Diagnostic {
        Diagnostic("E0032", "the record does not fit the runs of the ledger: \(what)")
    }
    static func unknownRecord(_ log: String, _ line: UInt64) -> Diagnostic {
        Diagnostic(
            "E0033", "this record of the ledger is of a version or kind that this host does not know",
            at: Place(file: log, line: Int(clamping: line)),
            help: "a newer escrow wrote it: use that one, or a newer one still")
    }
    static func headsDisagree(_ directory: String) -> Diagnostic {
        Diagnostic(
            "E0034", "head.0 and head.1 of the ledger in \(directory) do not follow one another",
            notes: ["one of them was removed, or replaced by an older or foreign one"], help: keep)
    }
    static func wrongOpenRuns(_ log: String) -> Diagnostic {
        damaged(
            "E0035", "the runs without an end in the ledger are not those that its signed head names", log,
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
    /// The refusal with its place.
    func diagnostic(_ log: String, _ line: UInt64) -> Diagnostic {
        switch self {
        case .malformed: .malformedLine(log, line)
        case .altered: .alteredRecord(log, line)
        case .unknown: .unknownRecord(log, line)
        }
    }
}
