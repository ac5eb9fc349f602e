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
    let request: AccessRequest
    let session: Session
    let connection: Connection
    private let sources: [any TableSource]
    private let materials: MaterialCache?
    private var reader: RowReader
    /// The statement over native tables, once they are filled.
    var native: (connection: Connection, image: MaterialImage, isReused: Bool)?

    /// Checks and prepares a request over the escrow's tables. Whatever the engine, the statement is prepared over virtual
    /// tables: they alone see all columns that it reads.
    /// - Parameter materials: where ``Engine/materialized`` keeps its tables for the next access; nil to keep none.
    /// - Parameter spare: the connection that waits for this access, in a process that stays; nil to open one now.
    public init(
        _ request: AccessRequest, tables: [any TableSource], assets: AssetTable,
        materials: MaterialCache? = nil, spare: SpareConnection? = nil
    ) throws(Diagnostic) {
        self.request = request
        self.materials = materials
        sources = tables
        let rules = try StatementRules(request.sql)
        session = Session(
            rules: rules, governor: Governor(request.budget),
            pushdown: request.engine == .pushdown ? request.pushdown : [], assets: assets)
        session.hash = request.hash
        session.add(tables, granted: request.granted)
        connection = try Connection(request.sql, session: session, spare: spare)
        try Parameters(request.parameters).bind(to: connection.statement)
        reader = try RowReader(connection, request, assets: assets)
    }

    public var columns: [OutputColumn] { reader.columns }

    public var analysis: AccessAnalysis {
        AccessAnalysis(
            returned: reader.columns, used: session.used,
            rowsOnly: session.rowsOnly.subtracting(session.used.map(\.table)),
            functions: session.functions, tables: session.tablesRead.union(session.used.map(\.table)))
    }

    /// The next rows: at most `maxRows`, and at most `maxBytes` unless the first row alone is larger; nil when there
    /// are none left.
    public func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch? {
        session.governor.work()
        defer { session.governor.rest() }
        if request.engine == .materialized, native == nil { try materialize() }
        return try reader.next(maxRows: maxRows, maxBytes: maxBytes)
    }

    /// Fills the native tables, and reads from them from now on.
    private func materialize() throws(Diagnostic) {
        let (image, isReused) = try Materializer(session: session).image(materials)
        let connection = try nativeConnection(.image(image))
        try Parameters(request.parameters).bind(to: connection.statement)
        reader.read(from: connection)
        native = (connection, image, isReused)
    }

    /// The statement over native tables, under the same rules, grants and budgets.
    func nativeConnection(_ native: Connection.Native) throws(Diagnostic) -> Connection {
        let own = Session(
            rules: session.rules, governor: session.governor, pushdown: [], assets: session.assets)
        own.hash = session.hash
        own.add(sources, granted: request.granted)
        let connection = try Connection(request.sql, session: own, native: native)
        guard connection.columnCount == reader.columns.count else {
            throw Diagnostic(
                .sqliteUnfit, "SQLite plans other columns over native tables than over virtual ones")
        }
        return connection
    }

    public var delivered: (rows: Int, bytes: Int) { (session.governor.rows, session.governor.bytes) }

    /// Says that no more rows are asked for: when it returns, no thread reads ahead any more. A later
    /// ``next(maxRows:maxBytes:)`` may throw `.accessCancelled`.
    public func close() { session.gate.close() }

    /// Ends the access from any thread; the reading thread gets `.accessCancelled`.
    public func cancel() {
        session.governor.cancelled.store(true, ordering: .relaxed)
        sqlite3_interrupt(connection.db)
    }
}
