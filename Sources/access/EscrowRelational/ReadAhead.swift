internal import EscrowDiagnostics
import EscrowFiles
internal import EscrowSchema

/// One scan of a source, read ahead by a thread of its own while its rows are used.
///
/// A thread reads while one of ``depth`` chunks is free, so memory is bounded, and a statement that stops early has read no
/// more than that in vain. Nothing is read ahead before ``begin()``.
///
/// `@unchecked`: the lock of `condition` guards all state but the scan, the chunk that it fills and `wanted`. Those belong to
/// the thread that set `isReading`. A chunk is in one place: with the consumer, in `spare`, in `ready`, or being filled.
final class ReadAhead: @unchecked Sendable {
    struct Piece {
        let chunk: ColumnChunk
        /// Nothing comes after these rows.
        let isLast: Bool
        /// Why rows are missing.
        let failure: Diagnostic?
    }

    static let depth = 2

    /// Nil once it is closed.
    private var scan: (any TableScan)?
    private let spec: TableSpec
    private let gate: SourceGate
    private let condition = Condition()
    /// The scan always fills this chunk: a source may keep what it made for a chunk. After ``begin()`` rows are moved out of it.
    private let filled: ColumnChunk
    private var wanted: Int
    private var spare: [ColumnChunk] = []
    private var ready: [Piece] = []
    private var isReading = false
    private var isOver = false
    private var isAhead = false
    /// The scan was offered to the pool, and no thread has finished with it.
    private var isAttended = false
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

    /// The next rows, read ahead or read now. Takes back the chunk that was used last.
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

    /// Starts reading ahead. Moves the rows that are in use to another chunk, and returns it.
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
        // The scan ends here, behind the gate, and not with the last reference, which a thread of the pool may hold: what a
        // scan shares with others of its session is used behind the gate alone.
        gate.use { scan = nil }
        (spare, ready) = ([], [])
    }

    /// Reads as long as there is room. What a thread of ``ReaderThreads`` does.
    func readOn() {
        condition.lock()
        defer { condition.unlock() }
        // The consumer may have begun to read before this thread woke. Wait, or the thread would come too late every time.
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
