public import EscrowDiagnostics

/// A table of the escrow's relational schema, served live from the person's own files.
///
/// `offer` is asked while a query is planned and touches no data. A snapshot fixes what is listed (files, their sizes
/// and times) for one statement, so that row ids mean the same in every scan of that statement.
public protocol TableSource: Sendable {
    var spec: TableSpec { get }
    func offer(for request: ScanRequest) -> ScanOffer
    /// Lists the source once, for one statement.
    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot
    /// The state that the next snapshot would find, or an older one. Nil where it is not known, or where a later change
    /// could go unseen. Reads no rows.
    func fingerprint() throws(Diagnostic) -> TableFingerprint?
}

public struct ScanOffer: Sendable {
    /// For each predicate of the request: whether the source uses it to leave rows unread.
    public var prunes: [Bool]
    /// Whether rows come in the requested order (all terms of it).
    public var servesOrder: Bool
    /// A rough number of rows before any predicate.
    public var estimatedRows: Int
    public init(prunes: [Bool], servesOrder: Bool, estimatedRows: Int) {
        self.prunes = prunes
        self.servesOrder = servesOrder
        self.estimatedRows = estimatedRows
    }
}

/// A source as it stood when a statement began.
///
/// One thread at a time uses it and its scans, not always the same one: rows are read ahead.
public protocol TableSnapshot: AnyObject {
    /// What this snapshot would do with a request, where it knows more than its table, as with an index. Nil to use
    /// ``TableSource/offer(for:)``.
    func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer?
    /// The rows in groups that change independently, such as those of a file, in the order of a scan. The ids of group `i`
    /// begin at `i << RowGroup.placeBits`, are less than those of the next, and ascend. Nil where the source cannot tell.
    func groups() throws(Diagnostic) -> [RowGroup]?
    /// Starts a scan. A row's id is its position in the snapshot, the same in every scan of this snapshot whatever
    /// the request leaves out: SQLite removes duplicates of an OR by row id.
    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan
}

extension TableSnapshot {
    public func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? { nil }
    public func groups() throws(Diagnostic) -> [RowGroup]? { nil }
}

public protocol TableScan: AnyObject {
    /// Empties the chunk and fills it with the next rows; false when there are none left. Memory stays bounded by the
    /// chunk: a source keeps no rows behind it.
    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool
    /// Says that nobody reads a requested column any more: from the next chunk on the source may leave it null.
    func omit(_ column: Int)
}

extension TableScan {
    public func omit(_ column: Int) {}
}
