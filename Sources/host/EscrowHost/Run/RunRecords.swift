import EscrowConsent
import EscrowDiagnostics
public import EscrowHome
import EscrowJSON
import EscrowLedger

/// What a run writes into the ledger, and the room that apps have there.
protocol RunRecords {
    var configuration: HostConfiguration { get }
    /// The time, never earlier than the last record.
    func ledgerTime() throws(Diagnostic) -> LedgerTime
    /// Writes a record, durably; returns its sequence number.
    @discardableResult
    func append(_ kind: LedgerEntry.Kind, run: String?, _ fields: JSONValue) throws(Diagnostic) -> UInt64
    /// What apps made the ledger grow by today.
    var day: any LedgerDay { get }
    /// Requests that come to no run, counted.
    var undecided: UndecidedTally { get }
}

/// What apps made the ledger grow by today. `LedgerUse` keeps it in a file.
protocol LedgerDay {
    func today() -> LedgerUse.Day
    func change(_ body: (inout LedgerUse.Day) -> Void) throws(Diagnostic)
}

extension LedgerUse: LedgerDay {}

extension RunRecords {
    /// The most bytes of requests that came to no run, of all apps in a day.
    static var mostRefusalBytes: Int { 4 << 20 }

    /// Refuses a run of an app that used up its room of today; the ledger tells that once. E1128.
    func checkLedgerRoom(of description: DataflowDescription) throws(Diagnostic) {
        let app = description.app
        let most = configuration.ledger.appBytesPerDay
        guard day.today().bytes(of: app) >= most else { return }
        var tells = false
        try day.change { tells = $0.tells(app) }
        if tells {
            try append(
                .decision, run: nil,
                [
                    "app": .string(app), "plugin": .string(description.plugin.id),
                    "answer": "its room in the ledger is used up for today",
                    "words": .string(description.wordsDigest),
                ])
        }
        throw Diagnostic(
            .ledgerRoomUsedUp, "\(app) used up its room of today in the ledger, \(most >> 20) MiB",
            notes: [
                "what is not recorded is not run: nothing was read or sent", "a new day begins at 00:00 UTC",
            ],
            help: "see what it did: escrow ledger list; or give apps more: ledger.appMiBPerDay in config.json"
        )
    }

    /// Records something of an app's run, and counts it.
    @discardableResult
    func record(
        _ kind: LedgerEntry.Kind, run: String, of app: String, _ fields: JSONValue
    ) throws(Diagnostic) -> UInt64 {
        // Counted first: a host that is killed in between has counted too much. What a run that is under way leaves is recorded also
        // where it cannot be counted.
        do { try day.change { $0.add(fields, of: app) } } catch {
            if kind == .runIntent { throw error }
        }
        return try append(kind, run: run, fields)
    }

    /// Records a request that led to no run. Anyone can send such requests, under any name, so each day has room for only so many.
    func recordRefusal(_ fields: JSONValue) throws(Diagnostic) {
        var isFull = false
        var tells = false
        try day.change { day in
            let size = JSONWriter.line(fields).count + LedgerUse.overhead
            isFull = day.refusals + size > Self.mostRefusalBytes
            if isFull { tells = day.tells("") } else { day.refusals += size }
        }
        guard isFull else {
            try append(.decision, run: nil, fields)
            return
        }
        if tells {
            try append(
                .decision, run: nil,
                ["answer": "further requests of today that come to no run are not recorded"])
        }
    }

    /// Counts a request that nobody decides about, and records it where its number calls for it.
    func recordUndecided(_ description: DataflowDescription) throws(Diagnostic) {
        if let fields = undecided.note(description) { try recordRefusal(fields) }
    }

    /// Counts a request that a decision of before refuses, and records it where its number calls for it.
    func recordRefused(_ description: DataflowDescription, by grant: Grant) throws(Diagnostic) {
        guard var fields = undecided.note(description, answer: "denied before")?.members else { return }
        fields.append(("grant", .string(grant.id)))
        try recordRefusal(.object(fields))
    }

    /// Records what rules decided. An app can ask as often as it likes, so refusals are counted as requests are that nobody
    /// decides about.
    func recordRules(
        _ answer: String, _ description: DataflowDescription, _ grounds: Grounds,
        more rules: [String]? = nil
    ) throws(Diagnostic) {
        guard var fields = undecided.note(description, answer: answer)?.members else { return }
        fields.append(("purpose", .string(description.purpose.code)))
        fields += grounds.members.filter { rules == nil || $0.name != "rules" }
        if let rules { fields.append(("rules", .array(rules.map(JSONValue.string)))) }
        try recordRefusal(.object(fields))
    }
}
