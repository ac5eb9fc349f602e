internal import CSQLite
public import EscrowDiagnostics
public import EscrowSchema
public import EscrowTabular
internal import Synchronization

/// One `access()`: a locked-down connection with one SELECT over live sources.
///
/// Preparing touches no data; refusals happen there where they can. Rows are read by ``next(maxRows:maxBytes:)``, in
/// memory that does not grow with their number. Used by one thread at a time, save for ``cancel()``.
public final class Access: @unchecked Sendable {
    private let request: AccessRequest
    private let session: Session
    private let connection: Connection
    private var reader: RowReader

    /// Checks and prepares a request over the escrow's tables.
    /// - Throws: E0401 to E0419 for a query that is refused.
    public init(_ request: AccessRequest, tables: [any TableSource], assets: AssetTable) throws(Diagnostic) {
        self.request = request
        let rules = try StatementRules(request.sql)
        session = Session(
            rules: rules, governor: Governor(request.budget), pushdown: request.pushdown, assets: assets)
        session.hash = request.hash
        session.add(tables, granted: request.granted)
        connection = try Connection(request.sql, session: session)
        try Parameters(request.parameters).bind(to: connection.statement)
        reader = try RowReader(connection, request, assets: assets)
    }

    /// The result's columns.
    public var columns: [OutputColumn] { reader.columns }

    /// What the query touches.
    public var analysis: AccessAnalysis {
        AccessAnalysis(
            returned: reader.columns, used: session.used,
            rowsOnly: session.rowsOnly.subtracting(session.used.map(\.table)),
            functions: session.functions, tables: session.tablesRead.union(session.used.map(\.table)))
    }

    /// How the query is carried out; before the first row as planned, later with what was really read.
    public var explanation: AccessExplanation {
        let lines = connection.queryPlan(request.sql)
        var seen: Set<Int> = []
        let numbers = lines.compactMap(Self.planNumber).filter { seen.insert($0).inserted }
        return AccessExplanation(
            scans: numbers.filter(session.plans.indices.contains).map {
                let plan = session.plans[$0]
                return ScanExplanation(plan, session.tables[plan.table], session.tallies[$0] ?? ScanTally())
            }, queryPlan: lines)
    }

    /// The `idxNum` in a line such as `SCAN c VIRTUAL TABLE INDEX 3:cols(givenName)`.
    private static func planNumber(_ line: String) -> Int? {
        let words = line.split(separator: " ")
        guard
            let at = words.indices.dropLast(3).first(where: {
                words[$0...].starts(with: ["VIRTUAL", "TABLE", "INDEX"])
            })
        else { return nil }
        return words[at + 3].split(separator: ":").first.flatMap { Int($0) }
    }

    /// The result's columns as a schema; a computed column counts as text until the first rows tell its type.
    /// - Throws: E0415.
    public func schema() throws(Diagnostic) -> Schema { try reader.schema() }

    /// The next rows: at most `maxRows`, and at most `maxBytes` unless the first row alone is larger; nil when there
    /// are none left.
    /// - Throws: E0480 to E0486 for a value that does not fit, E0490 to E0497 for a budget, and what sources throw.
    public func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        session.governor.work()
        defer { session.governor.rest() }
        return try reader.next(maxRows: maxRows, maxBytes: maxBytes)
    }

    /// Rows and bytes delivered so far.
    public var delivered: (rows: Int, bytes: Int) { (session.governor.rows, session.governor.bytes) }

    /// Ends the access from any thread; the reading thread gets E0495.
    public func cancel() {
        session.governor.cancelled.store(true, ordering: .relaxed)
        sqlite3_interrupt(connection.db)
    }
}
