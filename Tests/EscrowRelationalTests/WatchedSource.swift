import EscrowDiagnostics
import EscrowFiles
import EscrowSchema
import EscrowTabular
import Glibc
import Synchronization

/// Numbers from 0 in chunks, by a source that notes who reads it and when, and that fails, waits or never yields where
/// it is told to.
///
/// `@unchecked`: everything that changes is in the mutex.
final class WatchedSource: TableSource, @unchecked Sendable {
    struct Notes {
        /// Chunks that were asked for, of all scans together.
        var calls = 0
        /// Threads that asked for them.
        var threads: Set<UInt> = []
        /// Threads that are at this source now, in whatever way.
        var present = 0
        /// Two threads were at it at once.
        var isCrowded = false
        /// Scans that were given up.
        var ended = 0
    }

    let spec = TableSpec(
        name: "Rows", sourceKind: "rows", summary: "numbers",
        columns: [
            ColumnSpec("n", .integer, nullable: false, "number"), ColumnSpec("a", .text, "text"),
        ], examples: [])
    let count: Int
    /// Called with the number of the chunk, from 1, before it is filled: to wait, or to fail.
    private let before: @Sendable (Int) throws(Diagnostic) -> Void
    let notes = Mutex(Notes())

    init(count: Int, before: @escaping @Sendable (Int) throws(Diagnostic) -> Void = { _ in }) {
        self.count = count
        self.before = before
    }

    var seen: Notes { notes.withLock { $0 } }

    /// Notes that a thread is at the source while the body runs.
    func attend<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        notes.withLock { notes in
            notes.present += 1
            if notes.present > 1 { notes.isCrowded = true }
        }
        defer { notes.withLock { $0.present -= 1 } }
        return try body()
    }

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { _ in false }, servesOrder: request.order.isEmpty,
            estimatedRows: min(count, 1 << 30))
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        attend { Snapshot(self) }
    }

    private final class Snapshot: TableSnapshot {
        let source: WatchedSource
        init(_ source: WatchedSource) { self.source = source }
        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
            source.attend { Scan(source, request) }
        }
    }

    private final class Scan: TableScan {
        let source: WatchedSource
        let request: ScanRequest
        /// Changed without a lock, by whoever reads: the thread sanitizer sees if two do.
        var at = 0
        var chunks = 0

        init(_ source: WatchedSource, _ request: ScanRequest) {
            self.source = source
            self.request = request
        }

        deinit { source.attend { source.notes.withLock { $0.ended += 1 } } }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            try source.attend { () throws(Diagnostic) in
                chunks += 1
                source.notes.withLock { notes in
                    notes.calls += 1
                    notes.threads.insert(pthread_self())
                }
                try source.before(chunks)
                // Not by `isFull`, which hangs on time too.
                while at < source.count, chunk.rowCount < chunk.wantedRows {
                    if request.columns.contains(0) { chunk.append(Int64(at), to: 0) }
                    if request.columns.contains(1) { chunk.append("kanarienvogel \(at)", to: 1) }
                    chunk.endRow(id: Int64(at))
                    at += 1
                }
                return at < source.count
            }
        }
    }
}

/// Something that happens once, waited for by others.
///
/// `@unchecked`: what changes is guarded by the lock of `condition`.
final class Event: @unchecked Sendable {
    private let condition = Condition()
    private var hasHappened = false

    func happen() {
        condition.lock()
        defer { condition.unlock() }
        hasHappened = true
        condition.broadcast()
    }

    /// Waits, for a minute at most, so that a test fails rather than hangs; false after that.
    func wait() -> Bool {
        condition.lock()
        defer { condition.unlock() }
        while !hasHappened {
            guard condition.wait(until: monotonicNanoseconds() + 60_000_000_000) else { return hasHappened }
        }
        return true
    }
}
