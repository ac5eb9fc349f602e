public import EscrowDiagnostics

/// A table of the escrow's relational schema, served live from the person's own files.
///
/// `offer` is asked while a query is planned and touches no data. A snapshot fixes what is listed (files, their sizes
/// and times) for one statement, so that row ids mean the same in every scan of that statement.
public protocol TableSource: Sendable {
    /// The table's shape and documentation.
    var spec: TableSpec { get }
    /// What the source would do with a request. No I/O.
    func offer(for request: ScanRequest) -> ScanOffer
    /// Lists the source once, for one statement.
    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot
    /// The state that the next snapshot would find, or an older one; nil where it is not known, or where a change right
    /// after this look could go unseen. Reads no rows.
    func fingerprint() throws(Diagnostic) -> TableFingerprint?
}

/// What a source would do with a request.
public struct ScanOffer: Sendable {
    /// For each predicate of the request: whether the source uses it to leave rows unread.
    public var prunes: [Bool]
    /// Whether rows come in the requested order (all terms of it).
    public var servesOrder: Bool
    /// A rough number of rows before any predicate.
    public var estimatedRows: Int
    /// Describes an offer.
    public init(prunes: [Bool], servesOrder: Bool, estimatedRows: Int) {
        self.prunes = prunes
        self.servesOrder = servesOrder
        self.estimatedRows = estimatedRows
    }
}

/// A source as it stood when a statement began.
///
/// It and its scans, and all others of the statement, are used by one thread at a time, not always by the same: rows are read
/// ahead. What one thread did is there for the next.
public protocol TableSnapshot: AnyObject {
    /// What this snapshot would do with a request, where it knows more than its table: an index may be at hand. The answer
    /// holds for a scan of the same request right after. Nil to leave it to ``TableSource/offer(for:)``.
    func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer?
    /// The rows in groups that change on their own, a file's for example, in the order of a scan. The ids of group `i` begin at
    /// `i << RowGroup.placeBits`, are less than those of the next, and ascend. Nil where the source cannot tell.
    func groups() throws(Diagnostic) -> [RowGroup]?
    /// Starts a scan. A row's id is its position in the snapshot, the same in every scan of this snapshot whatever
    /// the request leaves out: SQLite removes duplicates of an OR by row id.
    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan
}

extension TableSnapshot {
    public func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? { nil }
    public func groups() throws(Diagnostic) -> [RowGroup]? { nil }
}

/// A scan in progress.
public protocol TableScan: AnyObject {
    /// Empties the chunk and fills it with the next rows; false when there are none left. Memory stays bounded by the
    /// chunk: a source keeps no rows behind it.
    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool
    /// Says that nobody reads a requested column any more: from the next chunk on the source may leave it null. A source
    /// that cannot leave anything out does nothing.
    func omit(_ column: Int)
}

extension TableScan {
    public func omit(_ column: Int) {}
}
