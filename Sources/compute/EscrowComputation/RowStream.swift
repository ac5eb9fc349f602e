package import EscrowDiagnostics
package import EscrowSandbox
package import EscrowTabular

/// Where the rows of a run come from: the person's own data, or the mock rows of a test case.
package protocol RowProvider: AnyObject {
    /// The columns of Ds.
    var schema: Schema { get }
    /// The next rows, at least one; nil when there are none left.
    func next(maxRows: Int, maxBytes: Int) throws(Diagnostic) -> Batch?
}

/// The rows of `access()` (Ds) on their way to the plugin, read one batch ahead, so that each batch can say whether more follow and so that a
/// plugin's minimum number of rows is known before it starts.
package final class RowStream {
    /// Why there are no more rows, though there should be.
    package enum Stop: Error {
        /// There are more than the run may have.
        case limit(Outcome.Limit)
        /// They could not be read.
        case failed(Diagnostic)
    }

    /// Rows handed over so far.
    package private(set) var rows = 0
    /// Bytes of cells handed over so far.
    package private(set) var bytes = 0
    /// Milliseconds that the provider took.
    package private(set) var readMs = 0.0
    /// The columns of Ds.
    package var schema: Schema { provider.schema }

    /// A batch is handed over once the next one was read, so of the last two the plugin has yet to work on all when nothing is left to
    /// read: the smaller they are, the sooner it is done.
    private static let batchRows = 1_024
    /// A plugin on a server waits for the network at each ask, longer than it would for a larger batch to be read.
    private static let farBatchRows = 8_192
    private static let batchBytes = 1 << 20
    /// Rows of the first batch, small, so that a plugin starts to work early: each further one has twice as many, up to
    /// ``mostAtOnce``, so that it works while they are read. Also the fewest that are read at once, so that one that asks
    /// row by row does not make the query start and stop for each.
    private static let fewestRows = 512

    private let provider: any RowProvider
    /// Rows of a full batch.
    private let mostAtOnce: Int
    private let mostRows: Int
    private let mostBytes: Int
    private let mostWaiting: Int
    /// Batches that were read and not handed over whole.
    private var waiting: [Batch] = []
    /// Rows of the first of them that were handed over.
    private var taken = 0
    /// Rows read, handed over or not, and bytes of them.
    private var read = 0
    private var readBytes = 0
    private var isExhausted = false
    /// Rows of the next batch, if as many are asked for.
    private var growing = RowStream.fewestRows
    /// Why rows could not be read ahead; thrown when they are asked for.
    private var failure: Diagnostic?
    /// How many rows were asked for last.
    private var lastLimit = 0

    /// `rows` and `bytes` are the most that may be handed over; `waiting` the most bytes that may be held for a minimum.
    /// `isFar` says that the plugin is on a server.
    package init(
        _ provider: any RowProvider, rows: Int, bytes: Int, waiting: Int = 64 << 20, isFar: Bool = false
    ) {
        self.provider = provider
        mostAtOnce = isFar ? Self.farBatchRows : Self.batchRows
        mostRows = rows
        mostBytes = bytes
        mostWaiting = waiting
    }

    /// Reads ahead until at least `minimum` rows wait: the small-group guard of a manifest's `accepts.rows.min`.
    package func require(minimum: Int, plugin: String) throws(Diagnostic) {
        guard minimum <= mostRows else {
            throw Diagnostic(
                .rowLimit, "\(plugin) computes over \(minimum) rows at least, and the limit is \(mostRows)",
                notes: ["it was not started"], help: "raise \"rows\" in the limits of config.json")
        }
        while read < minimum, try readAhead(Self.batchRows) {
            // A manifest may name any minimum, and these rows are the host's memory.
            guard readBytes <= mostWaiting || read >= minimum else {
                throw Diagnostic(
                    .rowByteLimit,
                    "\(plugin) computes over \(minimum) rows at least, more than can be held until they are counted",
                    notes: ["at most \(mostWaiting) bytes are; it was not started"],
                    help: "let the query yield less of each row")
            }
        }
        guard read >= minimum else {
            throw Diagnostic(
                .tooFewRowsForPlugin,
                "this run would compute over \(read) rows; \(plugin)'s own minimum is \(minimum)",
                notes: [
                    "a plugin may ask for a minimum so that a result is never about a single person or place"
                ],
                help: "widen the query or its parameters")
        }
    }

    /// The next rows, at most `limit`, and whether more follow; an empty batch when there are none.
    package func take(limit: Int) throws(Stop) -> (batch: Batch, more: Bool) {
        let batch: Batch
        do throws(Diagnostic) { batch = try pass(limit) } catch { throw .failed(error) }
        guard batch.rowCount <= mostRows - rows else { throw .limit(.rows) }
        guard batch.byteCount <= mostBytes - bytes else { throw .limit(.data) }
        rows += batch.rowCount
        bytes += batch.byteCount
        lastLimit = limit
        return (batch, !waiting.isEmpty)
    }

    /// Reads on by one batch while the plugin works on what it was just given, so that its next ask is answered at once. A
    /// fault of these rows shows when they are asked for, as if they were read then.
    package func prefetch() {
        guard lastLimit > 0, waiting.count < 2, failure == nil else { return }
        do throws(Diagnostic) { _ = try readAhead(lastLimit) } catch { failure = error }
    }

    private func pass(_ limit: Int) throws(Diagnostic) -> Batch {
        if waiting.isEmpty { _ = try readAhead(limit) }
        guard var batch = waiting.first else { return BatchBuilder(schema: schema).finish() }
        let left = batch.rowCount - taken
        if left > limit {
            // A slice costs what it holds, however many rows of its batch went before.
            batch = try batch.slice(taken..<taken + limit)
            taken += limit
            return batch
        }
        if taken > 0 { batch = try batch.slice(taken..<batch.rowCount) }
        waiting.removeFirst()
        taken = 0
        if waiting.isEmpty { _ = try readAhead(limit) }
        return batch
    }

    private func readAhead(_ rows: Int) throws(Diagnostic) -> Bool {
        if let failure { throw failure }
        guard !isExhausted else { return false }
        let wanted = min(max(rows, Self.fewestRows), growing)
        growing = min(growing * 2, mostAtOnce)
        // One more than may be handed over shows that there are too many.
        let room = min(wanted, mostRows - read + 1)
        guard room > 0, let batch = try provide(room) else {
            isExhausted = true
            return false
        }
        read += batch.rowCount
        readBytes += batch.byteCount
        waiting.append(batch)
        return true
    }

    private func provide(_ rows: Int) throws(Diagnostic) -> Batch? {
        let watch = Stopwatch()
        defer { readMs += watch.total }
        return try provider.next(maxRows: rows, maxBytes: Self.batchBytes)
    }
}

extension Batch {
    /// The rows in a range, as a batch of their own.
    package func slice(_ range: Range<Int>) throws(Diagnostic) -> Batch {
        let builder = BatchBuilder(schema: schema, rowCapacity: range.count)
        do throws(TabularError) {
            for row in range {
                for column in schema.fields.indices {
                    try builder.append(cell: cell(row: row, column: column), to: column)
                }
                try builder.endRow()
            }
        } catch {
            throw Diagnostic(.ownFault, "a batch could not be divided: \(error)")
        }
        return builder.finish()
    }
}
