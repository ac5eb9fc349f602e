import EscrowConsent
import EscrowDiagnostics
import EscrowJSON
import EscrowLedger

/// The room that apps have in the ledger.
extension Host {
    /// What apps made the ledger grow by today.
    var ledgerUse: LedgerUse { LedgerUse(directory: home.ledgerPath) }

    /// The most bytes of requests that came to no run, of all apps in a day.
    static let mostRefusalBytes = 4 << 20

    /// Refuses a run of an app that used up its room of today; the ledger tells that once. E1128.
    func checkLedgerRoom(of description: DataflowDescription) throws(Diagnostic) {
        let app = description.app
        let most = configuration.ledger.appBytesPerDay
        guard ledgerUse.bytes(of: app) >= most else { return }
        var tells = false
        try ledgerUse.change { tells = $0.tells(app) }
        if tells {
            try ledger.append(
                .decision,
                fields: [
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
    ) throws(Diagnostic) -> LedgerEntry {
        // Counted first: a host that is killed in between has counted too much. What a run that is under way leaves is recorded also
        // where it cannot be counted.
        do { try ledgerUse.change { $0.add(fields, of: app) } } catch {
            if kind == .runIntent { throw error }
        }
        return try ledger.append(kind, run: run, fields: fields)
    }

    /// Records a request that comes to no run, as long as there is room for such: whoever asks may go by any name.
    func recordRefusal(_ fields: JSONValue) throws(Diagnostic) {
        var isFull = false
        var tells = false
        try ledgerUse.change { day in
            let size = JSONWriter.line(fields).count + LedgerUse.overhead
            isFull = day.refusals + size > Self.mostRefusalBytes
            if isFull { tells = day.tells("") } else { day.refusals += size }
        }
        guard isFull else {
            try ledger.append(.decision, fields: fields)
            return
        }
        if tells {
            try ledger.append(
                .decision,
                fields: ["answer": "further requests of today that come to no run are not recorded"])
        }
    }

    /// How large the ledger is and may be, and whose room is used up, for `escrow doctor`.
    func ledgerRoom() throws(Diagnostic) -> String {
        let most = configuration.ledger.retention.maximumBytes ?? .max
        let day = ledgerUse.today()
        var parts = [
            "\(((try ledger.size()) + 1_048_575) >> 20) of \(most >> 20) MiB, then the oldest half goes"
        ]
        let full = day.apps.filter { $0.value >= configuration.ledger.appBytesPerDay }.keys.sorted()
        if !full.isEmpty {
            parts.append("used up for today by \(full.joined(separator: ", ")), which cannot run (E1128)")
        }
        if day.told.contains("") { parts.append("further refused requests of today are not recorded") }
        return parts.joined(separator: "; ")
    }
}
