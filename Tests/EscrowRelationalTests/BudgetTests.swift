import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular
import Glibc
import Testing

@Suite("A budget")
struct BudgetTests {
    /// A source of any number of rows that keeps none of them.
    final class Endless: TableSource, TableSnapshot, TableScan {
        let spec = TableSpec(
            name: "Rows", sourceKind: "rows", summary: "numbers",
            columns: [
                ColumnSpec("n", .integer, nullable: false, "number"), ColumnSpec("a", .text, "text"),
                ColumnSpec("b", .text, "text"), ColumnSpec("c", .text, "text"),
                ColumnSpec("d", .text, "text"),
            ], examples: [])
        let count: Int
        nonisolated(unsafe) var at = 0
        nonisolated(unsafe) var columns = ColumnMask(bits: 0)

        init(count: Int) { self.count = count }
        func offer(for request: ScanRequest) -> ScanOffer {
            ScanOffer(
                prunes: request.predicates.map { _ in false }, servesOrder: false, estimatedRows: count)
        }
        func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Endless(count: count) }
        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
            let scan = Endless(count: count)
            scan.columns = request.columns
            return scan
        }
        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            while at < count, !chunk.isFull {
                for column in columns.columns {
                    if column == 0 {
                        chunk.append(Int64(at), to: 0)
                    } else {
                        chunk.append("kanarienvogel", to: column)
                    }
                }
                chunk.endRow(id: Int64(at))
                at += 1
            }
            return at < count
        }
    }

    static func open(_ sql: String, _ budget: AccessBudget, rows: Int = 100_000) throws -> Access {
        try Access(
            AccessRequest(sql: sql, budget: budget), tables: [Endless(count: rows)], assets: AssetTable())
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let budget: AccessBudget
        let code: Diagnostic.Code
        var testDescription: String { "\(code.rawValue): \(sql)" }
    }

    @Test(
        "ends the access with its own code",
        arguments: [
            Case(sql: "SELECT n FROM Rows", budget: AccessBudget(rows: 10), code: .tooManyRows),
            Case(sql: "SELECT a FROM Rows", budget: AccessBudget(bytes: 1_000), code: .tooManyBytes),
            Case(
                sql: "SELECT count(*) AS n FROM Rows x, Rows y WHERE x.n < y.n",
                budget: AccessBudget(seconds: 0.2),
                code: .outOfTime),
            Case(
                sql: "SELECT length(group_concat(x.a)) AS n FROM Rows x, Rows y",
                budget: AccessBudget(seconds: 0.2),
                code: .outOfTime),
            // Not a single row passes, so that SQLite's own instructions do not count.
            Case(
                sql: "SELECT n FROM Rows WHERE a = 'nothing'", budget: AccessBudget(seconds: 0),
                code: .outOfTime),
            Case(
                sql: "SELECT n FROM Rows ORDER BY a", budget: AccessBudget(heldBytes: 100_000),
                code: .tooManyRowsHeld),
            Case(
                sql: "SELECT count(*) AS n FROM Rows x, Rows y", budget: AccessBudget(steps: 50_000),
                code: .tooManySteps),
            Case(
                sql:
                    "SELECT length(group_concat(a || b || c || d || a || b || c || d || a || b || c || d || a)) AS n FROM Rows",
                budget: AccessBudget(), code: .valueTooLong),
        ])
    func ends(_ budget: Case) throws {
        let access = try Self.open(
            budget.sql, budget.budget, rows: 100_000)
        let error = try #require(throws: Diagnostic.self) { _ = try access.allRows() }
        #expect(error.code == budget.code, "\(error)")
        #expect(error.exitStatus == .limit)
        #expect(!"\(error)".contains("kanarienvogel"))
    }

    @Test("the reader's own time does not count")
    func readersTime() throws {
        // That time goes by is what this is about. A machine that takes so much of it for the access itself is given
        // more: where the reader's time counts, no budget is enough.
        for seconds in [4.0, 12, 36] {
            do {
                let access = try Self.open("SELECT n FROM Rows", AccessBudget(seconds: seconds), rows: 300)
                _ = try access.next(maxRows: 10, maxBytes: 1 << 20)
                let start = ContinuousClock.now
                while ContinuousClock.now - start < .seconds(seconds + 0.1) { poll(nil, 0, 100) }
                let rows = try access.allRows().count
                return #expect(rows == 290)
            } catch let error as Diagnostic where error.code == .outOfTime { continue }
        }
        Issue.record("the time of the reader counted")
    }

    @Test("a cancelled access ends")
    func cancelled() throws {
        let access = try Self.open("SELECT n FROM Rows", AccessBudget())
        _ = try access.next(maxRows: 10, maxBytes: 1 << 20)
        access.cancel()
        #expect(throws: Diagnostic(.accessCancelled, "")) { _ = try access.allRows() }
    }

    /// In a process of its own: the limit is process-wide, and other tests must not meet it.
    @Test("SQLite's memory ends the access with its own code")
    func sqliteMemory() async {
        await #expect(processExitsWith: .success) {
            let wide = Array(repeating: "a || b || c || d", count: 14).joined(separator: " || ")
            let access = try BudgetTests.open(
                "SELECT DISTINCT n || \(wide) AS t FROM Rows ORDER BY t", AccessBudget(seconds: 300),
                rows: 500_000)
            let error = try #require(throws: Diagnostic.self) { _ = try access.allRows() }
            guard error.code == .sqliteOutOfMemory, !"\(error)".contains("kanarienvogel") else { exit(1) }
            // The process is still fit for another query.
            guard try BudgetTests.open("SELECT n FROM Rows", AccessBudget()).allRows().count == 100_000 else {
                exit(2)
            }
        }
    }

    /// In a process of its own, where nothing else allocates.
    @Test("memory does not grow with the rows of a scan")
    func flatScan() async {
        await #expect(processExitsWith: .success) {
            try BudgetTests.expectFlatMemory("SELECT a, b FROM Rows", rows: .max)
        }
    }

    @Test("memory does not grow with the rows of a top list")
    func flatTop() async {
        await #expect(processExitsWith: .success) {
            try BudgetTests.expectFlatMemory("SELECT n, a FROM Rows ORDER BY n DESC LIMIT 3000", rows: 3_000)
        }
    }

    /// Reads a query over ten thousand rows of some 26 bytes, then over 300 000, or as many as ESCROW_ROWS says;
    /// leaves the process if the second grows it by more than 3 MiB.
    static func expectFlatMemory(_ sql: String, rows expected: Int) throws {
        let many = getenv("ESCROW_ROWS").flatMap { Int(String(cString: $0)) } ?? 300_000
        for (count, isMeasured) in [(10_000, false), (many, true)] {
            let before = peakBytes()
            let access = try open(sql, AccessBudget(seconds: 3_600), rows: count)
            var rows = 0
            while let batch = try access.next(maxRows: 2_048, maxBytes: 1 << 20) { rows += batch.rowCount }
            guard rows == min(expected, count) else { exit(1) }
            let growth = peakBytes() - before
            guard before > 0 else { exit(3) }
            guard !isMeasured || growth < 3 << 20 else {
                exit(2)
            }
        }
    }

    /// The most memory that this process ever had, in bytes. Not from getrusage, whose mark survives exec.
    private static func peakBytes() -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix("VmHWM:") else { continue }
            return (Int(text.filter(\.isNumber)) ?? 0) * 1_024
        }
        return 0
    }
}
