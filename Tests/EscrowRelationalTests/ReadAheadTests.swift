import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular
import Glibc
import Synchronization
import Testing

/// A source is read by a thread of its own while its rows are used: nothing but the time must show it.
@Suite("Reading ahead")
struct ReadAheadTests {
    /// More rows than one chunk has, and than is read before any other thread begins.
    private static let many = 30_000
    private static let isUseful = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1

    private func open(
        _ source: WatchedSource, _ sql: String, _ engine: Engine = .pushdown,
        _ budget: AccessBudget = AccessBudget()
    ) throws -> Access {
        try Access(
            AccessRequest(sql: sql, budget: budget, engine: engine), tables: [source], assets: AssetTable())
    }

    /// The numbers in the first column, and the error that came after them.
    private func numbers(_ access: Access, maxRows: Int = 100) -> (found: [Int64], error: Diagnostic?) {
        var found: [Int64] = []
        do throws(Diagnostic) {
            while let batch = try access.next(maxRows: maxRows, maxBytes: 1 << 20) {
                for row in 0..<batch.rowCount { found.append(batch.integer(row: row, column: 0)) }
            }
            return (found, nil)
        } catch {
            return (found, error)
        }
    }

    @Test(
        "gives every row once and in order", arguments: Engine.allCases,
        [0, 1, 255, 256, 257, 768, 769, 30_000])
    func everyRow(engine: Engine, count: Int) throws {
        let source = WatchedSource(count: count)
        let (found, error) = numbers(try open(source, "SELECT n FROM Rows", engine))
        #expect(error == nil)
        #expect(found == (0..<Int64(count)).map { $0 })
        #expect(!source.seen.isCrowded)
    }

    @Test("happens while rows are used, two chunks at most")
    func isAhead() throws {
        guard Self.isUseful else { return print("SKIP: one processor alone") }
        // Where the rows are read as they are asked for, the fourth chunk is not begun before the third is used up.
        let (fourth, fifth) = (Event(), Event())
        let source = WatchedSource(count: Self.many) { number in
            if number == 4 { fourth.happen() }
            if number == 5 { fifth.happen() }
        }
        let access = try open(source, "SELECT n FROM Rows")
        _ = try access.next(maxRows: 300, maxBytes: 1 << 20)
        #expect(fourth.wait(), "nothing was read ahead")
        // The second chunk is in use, the third and fourth wait.
        #expect(source.seen.calls == 4)
        _ = try access.next(maxRows: 600, maxBytes: 1 << 20)
        #expect(fifth.wait())
        #expect(source.seen.calls == 5)
        #expect(source.seen.threads.count > 1)
        #expect(numbers(access).found.count == Self.many - 900)
        #expect(!source.seen.isCrowded)
    }

    @Test(
        "does not begin where little is asked for",
        arguments: [
            "SELECT n FROM Rows LIMIT 1000", "SELECT n FROM Rows LIMIT 10 OFFSET 20",
            "SELECT EXISTS (SELECT 1 FROM Rows WHERE n > 10) AS n",
        ])
    func fewRows(_ sql: String) throws {
        let source = WatchedSource(count: Self.many)
        _ = numbers(try open(source, sql))
        #expect(source.seen.threads == [pthread_self()])
        #expect(source.seen.calls == 1)
    }

    @Test("shows a fault at the row where it is", arguments: Engine.allCases, [1, 2, 3, 4, 9])
    func fault(engine: Engine, chunk: Int) throws {
        let source = WatchedSource(count: Self.many) { (number: Int) throws(Diagnostic) in
            if number == chunk { throw Diagnostic(.sourceUnreadable, "the source is gone") }
        }
        let (found, error) = numbers(try open(source, "SELECT n FROM Rows", engine), maxRows: 1)
        #expect(error?.code == .sourceUnreadable)
        // Native tables are filled before there is a row. Chunks have 256 rows, 512, 1,024, and 2,048.
        let before = [0, 256, 768, 1_792][min(chunk - 1, 3)] + max(chunk - 4, 0) * 2_048
        #expect(found == (0..<Int64(engine == .materialized ? 0 : before)).map { $0 })
        #expect(source.seen.calls == chunk, "nothing is read behind a fault")
    }

    @Test("ends with its statement, and gives the scan up there", arguments: [1, 300, 700, 2_000, 9_000])
    func closedEarly(rows: Int) throws {
        let source = WatchedSource(count: .max)
        var access: Access? = try open(source, "SELECT n FROM Rows")
        _ = try access?.next(maxRows: rows, maxBytes: 1 << 20)
        access = nil
        let after = source.seen
        #expect(after.present == 0)
        #expect(after.ended == 1)
        #expect(!after.isCrowded)
        // Another access over the same threads: what was given up is not read by any of them.
        _ = numbers(try open(WatchedSource(count: Self.many), "SELECT n FROM Rows"))
        #expect(source.seen.calls == after.calls)
    }

    @Test("ends where no more rows are asked for")
    func closed() throws {
        let source = WatchedSource(count: .max)
        let access = try open(source, "SELECT n FROM Rows")
        _ = try access.next(maxRows: 2_000, maxBytes: 1 << 20)
        access.close()
        let after = source.seen
        #expect(after.present == 0)
        _ = numbers(try open(WatchedSource(count: Self.many), "SELECT n FROM Rows"))
        #expect(source.seen.calls == after.calls)
        let (found, error) = numbers(access)
        #expect(error?.code == .accessCancelled)
        #expect(found.count < 10_000)
    }

    @Test("stops at the budgets as ever", arguments: [Engine.pushdown, .virtual])
    func budgets(engine: Engine) throws {
        let endless = { WatchedSource(count: .max) }
        var (found, error) = numbers(
            try open(endless(), "SELECT n FROM Rows", engine, AccessBudget(rows: 5_000)), maxRows: 1)
        #expect(error?.code == .tooManyRows)
        #expect(found.count == 5_000)
        (found, error) = numbers(
            try open(endless(), "SELECT n FROM Rows", engine, AccessBudget(steps: 50_000)))
        #expect(error?.code == .tooManySteps)
        (found, error) = numbers(
            try open(endless(), "SELECT n FROM Rows WHERE n < 0", engine, AccessBudget(seconds: 0.2)))
        #expect(error?.code == .outOfTime)
        guard engine == .pushdown else { return }
        (found, error) = numbers(
            try open(endless(), "SELECT n FROM Rows ORDER BY a", engine, AccessBudget(heldBytes: 1 << 20)))
        #expect(error?.code == .tooManyRowsHeld)
    }

    @Test("a cancelled access ends, with a source at work and all")
    func cancelled() throws {
        let source = WatchedSource(count: .max)
        let access = try open(source, "SELECT n FROM Rows")
        _ = try access.next(maxRows: 2_000, maxBytes: 1 << 20)
        access.cancel()
        #expect(numbers(access).error?.code == .accessCancelled)
        #expect(source.seen.present == 0)
    }

    @Test(
        "never has two threads at one source",
        arguments: [
            ("SELECT x.n AS n FROM Rows x, Rows y WHERE x.n = y.n ORDER BY x.n", 30_000),
            (
                "SELECT n FROM Rows WHERE n % 2 = 0 UNION ALL SELECT n FROM Rows WHERE n % 2 = 1 ORDER BY 1",
                30_000
            ),
            ("SELECT n FROM Rows WHERE n IN (SELECT n FROM Rows WHERE a LIKE '%9') ORDER BY n", 3_000),
        ], [Engine.pushdown, .materialized])
    func twoCursors(_ query: (sql: String, rows: Int), engine: Engine) throws {
        let source = WatchedSource(count: Self.many)
        let (found, error) = numbers(try open(source, query.sql, engine), maxRows: 4_096)
        #expect(error == nil)
        #expect(found.count == query.rows)
        #expect(found == found.sorted())
        #expect(!source.seen.isCrowded)
    }

    @Test("two cursors that stream at once, by the engine that keeps no rows")
    func twoStreams() throws {
        let source = WatchedSource(count: 3_000)
        let (found, error) = numbers(
            try open(
                source, "SELECT count(*) AS n FROM Rows x, Rows y WHERE x.n < 5 AND y.n % 100 = x.n", .virtual
            ))
        #expect(error == nil)
        #expect(found == [150])
        #expect(!source.seen.isCrowded)
    }

    @Test("a table that is decided by a query of its own reads ahead in both")
    func nested() throws {
        let source = WatchedSource(count: Self.many)
        let served = try ServedTable(source, ids: nil, condition: "n % 3 = 0")
        let access = try Access(
            AccessRequest(sql: "SELECT n FROM Rows"), tables: [served], assets: AssetTable())
        let (found, error) = numbers(access, maxRows: 5_000)
        #expect(error == nil)
        #expect(found == stride(from: Int64(0), to: Int64(Self.many), by: 3).map { $0 })
        #expect(!source.seen.isCrowded)
    }

    /// In a process of its own, whose threads are counted.
    @Test("many accesses at once share a few threads, and wait for none of them")
    func threads() async {
        await #expect(processExitsWith: .success) {
            let most = sysconf(Int32(_SC_NPROCESSORS_ONLN))
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<4 {
                            let source = WatchedSource(count: 6_000)
                            guard
                                let served = try? ServedTable(source, ids: nil, condition: "n >= 0"),
                                let access = try? Access(
                                    AccessRequest(sql: "SELECT x.n AS n FROM Rows x"), tables: [served],
                                    assets: AssetTable()),
                                let rows = try? access.allRows(), rows.count == 6_000,
                                !source.seen.isCrowded
                            else { exit(1) }
                        }
                    }
                }
            }
            var names = 0
            guard let folder = opendir("/proc/self/task") else { exit(2) }
            while let entry = readdir(folder) {
                if withUnsafeBytes(of: entry.pointee.d_name, { $0[0] }) != UInt8(ascii: ".") { names += 1 }
            }
            // Those of this pool, those of Swift's own, and the main thread with what the test's process has besides,
            // which is more where its threads had to wait. One thread that each access left would be 64.
            guard names <= most + most + 12 else { exit(3) }
        }
    }
}
