public import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger

/// A run that read a table.
public struct TableReader: Sendable {
    /// What is known of one record of the table.
    public enum Record: Sendable, Equatable {
        /// No record was asked about.
        case unasked
        /// The run read this record.
        case read
        /// The run read all records that there were.
        case all
        /// The run read more records than the ledger tells apart; this may be one of them.
        case oneOfMany(Int)
        /// The ledger does not say: recording is off, the run has no end, or its detail is gone.
        case unknown

        /// In a few words.
        package var words: String {
            switch self {
            case .unasked: ""
            case .read: "read"
            case .all: "read, with all there were"
            case .oneOfMany(let count): "perhaps: one of \(count)"
            case .unknown: "not told"
            }
        }
    }
    package let intent: LedgerEntry
    package let columns: [String]
    package let record: Record

    private func text(_ name: String) -> String { intent.fields[name]?.string ?? "" }

    /// A row of a table for people.
    public var row: [String] {
        [
            String(intent.sequence), "\(intent.time)", intent.run ?? "", text("app"), text("plugin"),
            columns.joined(separator: ", "), record.words,
        ]
    }

    /// The same for `--format json`.
    public var json: JSONValue {
        let state: JSONValue =
            switch record {
            case .unasked: .null
            case .read: "read"
            case .all: "all"
            case .oneOfMany: "perhaps"
            case .unknown: "unknown"
            }
        return [
            "entry": .integer(Int64(clamping: intent.sequence)), "time": .string("\(intent.time)"),
            "run": .string(intent.run ?? ""), "app": .string(text("app")), "plugin": .string(text("plugin")),
            "columns": .array(columns.map(JSONValue.string)), "record": state,
        ]
    }
}

extension LedgerReader {
    /// Every run that read a table, or one record of it, oldest first. A table about the table's records counts too:
    /// `ContactPhoneNumbers` for `Contacts`.
    ///
    /// A run of which the ledger cannot tell whether it read is listed, so that none is left out. `missing` is how many entries
    /// are gone from the ledger; they may have told of further runs.
    public func readers(
        of table: String, record: String?
    ) throws(Diagnostic) -> (found: [TableReader], missing: UInt64) {
        var next: UInt64 = 1
        var missing: UInt64 = 0
        var begun: [String: LedgerEntry] = [:]
        var found: [TableReader] = []
        func note(_ run: String, _ end: LedgerEntry?) {
            guard let intent = begun.removeValue(forKey: run) else { return }
            guard let record else {
                let about = end?.fields["records"]?.array?.filter { $0.isAbout(table) } ?? []
                let names = [table] + about.compactMap { $0["table"]?.string }.filter { !$0.isNamed(table) }
                if let columns = intent.columns(of: names) {
                    found.append(TableReader(intent: intent, columns: columns, record: .unasked))
                }
                return
            }
            // The end has no `records` where their recording was switched off, or where they were erased since.
            guard let all = end?.fields["records"]?.array else {
                if let columns = intent.columns(of: [table]) {
                    found.append(TableReader(intent: intent, columns: columns, record: .unknown))
                }
                return
            }
            let parts = all.filter { $0.isAbout(table) }
            let verdicts = parts.compactMap { $0.verdict(on: record) }
            guard let verdict = verdicts.first(where: { $0 == .read }) ?? verdicts.first else { return }
            let names = parts.compactMap { $0["table"]?.string }
            found.append(
                TableReader(intent: intent, columns: intent.columns(of: names) ?? [], record: verdict))
        }
        try forEach { (entry) throws(Diagnostic) in
            missing += entry.sequence - next
            next = entry.sequence + 1
            guard let run = entry.run else { return true }
            switch entry.kind {
            case .runIntent: begun[run] = entry
            case .runEnd, .runInterrupted: note(run, entry)
            default: break
            }
            return true
        }
        for run in Array(begun.keys) { note(run, nil) }
        return (found.sorted { $0.intent.sequence < $1.intent.sequence }, missing)
    }
}

extension String {
    /// Whether this is the name of that table: SQL does not tell capitals from small letters.
    fileprivate func isNamed(_ table: String) -> Bool { lowercased() == table.lowercased() }
}

extension JSONValue {
    /// Whether this part of a run's records is of a table, or of one about its records (by `contactID` for `Contacts`).
    fileprivate func isAbout(_ table: String) -> Bool {
        if self["table"]?.string?.isNamed(table) == true { return true }
        guard let key = self["by"]?.string, key.hasSuffix("ID"), key.utf8.count > 2 else { return false }
        return key.dropLast(2).lowercased() + "s" == table.lowercased()
    }

    /// What it says of one record; nil where it was not read.
    fileprivate func verdict(on record: String) -> TableReader.Record? {
        if let set = self["set"]?.string.flatMap({ RecordSet($0) }),
            let key = self["salt"]?.string.flatMap({ RecordKey($0) })
        {
            return set.contains(key.hash(Array(record.utf8))) ? .read : nil
        }
        return self["all"]?.bool == true ? .all : .oneOfMany(Int(clamping: self["count"]?.integer ?? 0))
    }
}

extension LedgerEntry {
    /// The columns of some tables that a run read; nil where it read none of them. A table can be read without a column,
    /// to count its rows; a run whose detail is gone may have read any.
    fileprivate func columns(of tables: [String]) -> [String]? {
        if reduced?.way == .erased { return ["(erased)"] }
        let tables = tables.map { $0.lowercased() }
        func isMeant(_ name: Substring) -> Bool { tables.contains(name.lowercased()) }
        let names = ["returns", "uses"].flatMap { fields[$0]?.array ?? [] }.compactMap(\.string)
        let columns = Set(names.filter { isMeant($0.prefix { $0 != "." }) })
        let isCounted = fields["tables"]?.array?.contains { isMeant(($0.string ?? "")[...]) } ?? false
        guard !columns.isEmpty || isCounted else { return nil }
        let isOne = tables.count == 1
        return columns.map { isOne ? String($0.drop { $0 != "." }.dropFirst()) : $0 }.sorted()
    }
}
