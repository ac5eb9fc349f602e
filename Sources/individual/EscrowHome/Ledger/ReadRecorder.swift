import EscrowDiagnostics
public import EscrowJSON
public import EscrowLedger
public import EscrowSchema
import EscrowTabular
import Synchronization

/// Which records of which tables a run read, for the end of its entry in the ledger.
///
/// A record counts as read where its source handed it over: whatever the query did with it then, and however coarse the
/// plugin saw it. A source leaves out what certainly fails a term of the query, so a run that asks for one contact reads
/// one. Records are told apart by the column `id`, or by that of the table that they are about (`contactID`), or by
/// their `timestamp`; tables with none of these are told as a whole. What is kept is bounded: past a number of records they
/// are only counted, so that a scan of millions costs no more than one of thousands.
public final class ReadRecorder: Sendable {
    /// What was read of one table.
    private struct Table {
        let name: String
        let key: String?
        var rows = 0
        /// The digests of the records; nil where there were too many, or no column tells them apart.
        var digests: [UInt64]?
        /// A scan without a term came to its end.
        var isWhole = false
    }

    private struct State {
        var left: Int
        var tables: [String: Table] = [:]
    }

    /// By what the records are digested.
    private let key = RecordKey()
    private let state: Mutex<State>

    /// Keeps at most so many records apart, of all tables together.
    public init(most: Int = RecordSet.most) { state = Mutex(State(left: most)) }

    /// The same tables, of which the recorder notes what is read.
    public func watch(_ tables: [any TableSource]) -> [any TableSource] {
        tables.map { RecordedTable(table: $0, recorder: self) }
    }

    /// The column that tells the records of a table apart.
    ///
    /// The rows of a table about another (`contactID`) are told apart by the record of that other one. A number is no key:
    /// digests are taken of bytes.
    static func keyColumn(of spec: TableSpec) -> Int? {
        func isText(_ column: Int) -> Bool {
            spec.columns[column].type == .text || spec.columns[column].type == .timestamp
        }
        return [
            spec.column(named: "id"),
            spec.columns.indices.first {
                spec.columns[$0].name.hasSuffix("ID") && !spec.columns[$0].isNullable
            },
            spec.column(named: "timestamp"),
        ].lazy.compactMap(\.self).first(where: isText)
    }

    /// Whether the records of a table are still told apart: afterwards its key need not be read any more.
    fileprivate func wantsKeys(of spec: TableSpec) -> Bool {
        state.withLock { $0.tables[spec.name].map { $0.digests != nil } ?? (Self.keyColumn(of: spec) != nil) }
    }

    /// Notes the rows of a chunk.
    fileprivate func note(_ spec: TableSpec, _ chunk: ColumnChunk, hasKeys: Bool) {
        let count = chunk.rowCount
        let column = Self.keyColumn(of: spec)
        state.withLock { state in
            var table =
                state.tables.removeValue(forKey: spec.name)
                ?? Table(
                    name: spec.name, key: column.map { spec.columns[$0].name },
                    digests: column.map { _ in [] })
            defer { state.tables[spec.name] = table }
            table.rows += count
            guard let column, hasKeys, var digests = table.digests else { return }
            // Taken out, so that adding to them copies nothing.
            table.digests = nil
            let view = chunk.view(of: column)
            for row in 0..<count { digests.append(key.hash(view.bytes(row))) }
            state.left -= count
            if state.left < 0 {
                // A scan that is begun again hands over what is there already: it counts once.
                let distinct = RecordSet(digests).digests
                state.left += digests.count - distinct.count
                digests = distinct
            }
            guard state.left >= 0 else {
                state.left += digests.count
                return
            }
            table.digests = digests
        }
    }

    /// Notes that a scan without a term came to its end.
    fileprivate func noteWhole(_ spec: TableSpec) {
        state.withLock { $0.tables[spec.name]?.isWhole = true }
    }

    /// What was read, as the end of a run has it.
    public var json: JSONValue {
        let tables = state.withLock { $0.tables.values.sorted { $0.name < $1.name } }
        return .array(
            tables.map { table in
                var members: [(name: String, value: JSONValue)] = [
                    ("table", .string(table.name)), ("rows", .integer(Int64(table.rows))),
                    ("all", .bool(table.isWhole)),
                ]
                if let digests = table.digests, let name = table.key {
                    let set = RecordSet(digests)
                    members += [
                        ("count", .integer(Int64(set.digests.count))), ("by", .string(name)),
                        ("salt", .string(key.text)), ("set", .string(set.text)),
                    ]
                } else {
                    members.append(("count", .integer(Int64(table.rows))))
                }
                return .object(members)
            })
    }
}

/// A table of which it is noted what is read. It lies below everything that coarsens, so that records are told apart by
/// what they are called at their source.
private struct RecordedTable: TableSource {
    let table: any TableSource
    let recorder: ReadRecorder

    var spec: TableSpec { table.spec }
    func offer(for request: ScanRequest) -> ScanOffer { table.offer(for: request) }
    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        RecordedSnapshot(try table.snapshot(assets: assets), spec: spec, recorder: recorder)
    }
}

private final class RecordedSnapshot: TableSnapshot {
    private let snapshot: any TableSnapshot
    private let spec: TableSpec
    private let recorder: ReadRecorder

    init(_ snapshot: any TableSnapshot, spec: TableSpec, recorder: ReadRecorder) {
        self.snapshot = snapshot
        self.spec = spec
        self.recorder = recorder
    }

    func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? { try snapshot.offer(for: request) }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        var request = request
        let hasKeys = recorder.wantsKeys(of: spec)
        var added: Int?
        if hasKeys, let column = ReadRecorder.keyColumn(of: spec), !request.columns.contains(column) {
            request.columns.insert(column)
            added = column
        }
        return RecordedScan(
            try snapshot.scan(request), spec: spec, recorder: recorder, hasKeys: hasKeys, added: added,
            isWhole: request.predicates.isEmpty)
    }
}

private final class RecordedScan: TableScan {
    private let scan: any TableScan
    private let spec: TableSpec
    private let recorder: ReadRecorder
    private var hasKeys: Bool
    /// The key's column, where it is read for the recorder alone.
    private let added: Int?
    private let isWhole: Bool

    init(
        _ scan: any TableScan, spec: TableSpec, recorder: ReadRecorder, hasKeys: Bool, added: Int?,
        isWhole: Bool
    ) {
        self.scan = scan
        self.spec = spec
        self.recorder = recorder
        self.hasKeys = hasKeys
        self.added = added
        self.isWhole = isWhole
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        let isMore = try scan.next(into: chunk)
        recorder.note(spec, chunk, hasKeys: hasKeys)
        if hasKeys, !recorder.wantsKeys(of: spec) {
            // Too many to be told apart: what was read for that alone is read no more.
            hasKeys = false
            if let added { scan.omit(added) }
        }
        if !isMore, isWhole { recorder.noteWhole(spec) }
        return isMore
    }
}
