internal import EscrowDiagnostics
internal import EscrowSchema

/// One scan of a source, read ahead by a thread of its own while its rows are used.
///
/// A thread reads as long as there are chunks to read into, ``depth`` of them, so memory does not grow with the rows
/// and a statement that stops early has read so much in vain at most. Nothing is read ahead before ``begin()``.
///
/// `@unchecked`: all that changes is guarded by the lock of `condition`, save the scan, the chunk that it fills and
/// `wanted`. Those belong to the one thread that set `isReading`, and pass with the lock to the next. A chunk is in
/// one place alone: with the reader of rows, in `spare`, in `ready`, or with the thread that fills it.
final class ReadAhead: @unchecked Sendable {
    /// What one look at the source came to.
    struct Piece {
        let chunk: ColumnChunk
        /// Nothing comes after these rows.
        let isLast: Bool
        /// Why there are none, though there should be.
        let failure: Diagnostic?
    }

    /// Chunks that are read ahead at most.
    static let depth = 2

    /// Nil once it is closed.
    private var scan: (any TableScan)?
    private let spec: TableSpec
    private let gate: SourceGate
    private let condition = Condition()
    /// What the scan fills, always the same: a source may keep what it made for a chunk. Until ``begin()`` the rows are used
    /// where they lie; from then on they are taken out.
    private let filled: ColumnChunk
    private var wanted: Int
    private var spare: [ColumnChunk] = []
    private var ready: [Piece] = []
    /// A thread is at the source.
    private var isReading = false
    /// There is nothing more to read.
    private var isOver = false
    /// Chunks are read ahead.
    private var isAhead = false
    /// A thread was offered to read on, and did not leave yet.
    private var isAttended = false
    /// Nobody wants the rows any more.
    private var isClosed = false

    /// Takes a scan that nobody else uses. `wanted` is how many rows the first chunk is to have; the next have more.
    init(_ scan: any TableScan, spec: TableSpec, gate: SourceGate, wanted: Int) {
        self.scan = scan
        self.spec = spec
        self.gate = gate
        self.wanted = wanted
        filled = ColumnChunk(spec: spec)
    }

    /// The chunk that the first rows will be in; there are none yet.
    var first: ColumnChunk { filled }

    /// The next rows, read by now or here and now. Takes back the chunk that was used last.
    func next(_ used: ColumnChunk) -> Piece {
        condition.lock()
        defer { condition.unlock() }
        if isAhead { spare.append(used) }
        while ready.isEmpty, isReading { condition.wait() }
        if ready.isEmpty, !isOver { read(into: spare.popLast()) }
        guard !ready.isEmpty else {
            filled.removeAll()
            return Piece(chunk: filled, isLast: true, failure: nil)
        }
        let piece = ready.removeFirst()
        offer()
        return piece
    }

    /// From here on the source is read ahead. Gives the rows that are in use another chunk, where they stay.
    func begin(_ used: ColumnChunk) -> ColumnChunk {
        condition.lock()
        defer { condition.unlock() }
        guard !isAhead, ReaderThreads.shared.isUseful else { return used }
        isAhead = true
        let moved = ColumnChunk(spec: spec)
        moved.exchangeRows(with: used)
        spare = (0..<Self.depth).map { _ in ColumnChunk(spec: spec) }
        offer()
        return moved
    }

    /// Ends the reading ahead: afterwards no thread is at the source, and none begins.
    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        while isReading { condition.wait() }
        // Here and not by whoever lets go of this last: a thread may still be about to find that there is nothing to do,
        // and what a scan shares with others of its session is used behind the gate alone.
        gate.use { scan = nil }
        (spare, ready) = ([], [])
    }

    /// Reads as long as there is room. What a thread of ``ReaderThreads`` does.
    func readOn() {
        condition.lock()
        defer { condition.unlock() }
        // Who needed rows before this thread woke is reading some; it stays, or it would be too late the next time as well.
        while isReading, !isClosed { condition.wait() }
        while !isOver, !isClosed, let chunk = spare.popLast() { read(into: chunk) }
        isAttended = false
    }

    /// Reads one chunk, with the lock given up meanwhile.
    private func read(into chunk: ColumnChunk?) {
        isReading = true
        condition.unlock()
        let piece = fill(chunk)
        condition.lock()
        isReading = false
        isOver = piece.isLast || piece.failure != nil
        ready.append(piece)
        condition.broadcast()
    }

    private func fill(_ chunk: ColumnChunk?) -> Piece {
        filled.removeAll()
        filled.wantedRows = wanted
        wanted = min(wanted * 2, ColumnChunk.rowCapacity)
        do throws(Diagnostic) {
            // A source may say "no more" along with the last rows.
            let isMore = try gate.read { () throws(Diagnostic) in try scan?.next(into: filled) ?? false }
            chunk?.exchangeRows(with: filled)
            return Piece(chunk: chunk ?? filled, isLast: !isMore, failure: nil)
        } catch {
            return Piece(chunk: chunk ?? filled, isLast: true, failure: error)
        }
    }

    private func offer() {
        guard isAhead, !isAttended, !isOver, !isClosed, !spare.isEmpty else { return }
        isAttended = true
        ReaderThreads.shared.offer(self)
    }
}
