import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular
import Testing

@Suite("A result's types")
struct TypingTests {
    static let spec = TableSpec(
        name: "Files", sourceKind: "files", summary: "files",
        columns: [
            ColumnSpec("n", .integer, "number"), ColumnSpec("file", .asset, "handle"),
            ColumnSpec("at", .timestamp, "when"),
        ], examples: [])

    static func open(_ sql: String, _ types: [ColumnType]?, assets: AssetTable = AssetTable()) throws
        -> Access
    {
        let handle = assets.offer(path: "kanarienvogel", mediaType: "image/jpeg")
        let rows: [[Cell]] = (0..<5_000).map {
            [.integer(Int64($0)), .text(handle), .text("2026-03-01T12:00:00.000Z")]
        }
        return try Access(
            AccessRequest(sql: sql, columnTypes: types), tables: [SyntheticSource(spec, rows: rows)],
            assets: assets)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let sql: String
        let types: [ColumnType]?
        let code: Diagnostic.Code
        let says: String
        var testDescription: String { "\(code.rawValue): \(sql)" }
    }

    @Test(
        "are checked cell by cell",
        arguments: [
            Case(
                sql: "SELECT n AS k FROM Files", types: [.text], code: .notOfDeclaredType,
                says: "column 1 (k), row 1:"),
            Case(
                sql: "SELECT n || 'kanarienvogel' FROM Files", types: [.integer], code: .notOfDeclaredType,
                says: "column 1, row 1:"),
            Case(
                sql: "SELECT n, n + 0.5 AS k FROM Files", types: [.real, .integer], code: .notOfDeclaredType,
                says: "column 2 (k)"),
            Case(sql: "SELECT n FROM Files", types: [.boolean], code: .notABoolean, says: "row 3:"),
            Case(
                sql: "SELECT file FROM Files", types: [.timestamp], code: .notAMoment, says: "(file), row 1:"),
            Case(sql: "SELECT 'kanarienvogel' AS f", types: [.asset], code: .notAnAsset, says: "(f), row 1:"),
            Case(
                sql: "SELECT CASE WHEN n < 4500 THEN file ELSE 'kanarienvogel' END AS f FROM Files",
                types: [.asset], code: .notAnAsset, says: "(f), row 4501:"),
            Case(
                sql: "SELECT nullif(file, iif(n < 7, file, '')) AS f, iif(n < 6, file, 'kanarienvogel') AS g "
                    + "FROM Files", types: [.asset, .asset], code: .notAnAsset, says: "(g), row 7:"),
            Case(
                sql: "SELECT iif(n = 1, 'kanarienvogel', file) AS f, n AS b FROM Files",
                types: [.asset, .boolean], code: .notAnAsset, says: "(f), row 2:"),
            Case(sql: "SELECT CAST(x'ff' AS TEXT) AS t", types: [.text], code: .notUTF8, says: "(t), row 1:"),
            Case(
                sql: "SELECT CASE WHEN n > 4500 THEN 'kanarienvogel' ELSE n END AS k FROM Files", types: nil,
                code: .typeChanged, says: "(k), row 4502:"),
            Case(
                sql: "SELECT CASE WHEN n > 10 THEN 'kanarienvogel' ELSE n END AS k FROM Files", types: nil,
                code: .typeChanged,
                says: "(k), row 12:"),
            Case(
                sql: "SELECT sum(9223372036854775807 + 0 * n) AS s FROM Files", types: nil,
                code: .notComputable,
                says: "64 bits"),
            Case(
                sql: "SELECT instr(at, '\(String(repeating: "x", count: 300))') AS i FROM Files", types: nil,
                code: .notComputable, says: "256"),
        ])
    func checked(_ typing: Case) throws {
        let error = try #require(throws: Diagnostic.self) {
            _ = try Self.open(typing.sql, typing.types).allRows()
        }
        #expect(error.code == typing.code, "\(error)")
        #expect("\(error)".contains(typing.says), "\(error)")
        #expect(!"\(error)".contains("kanarienvogel"), "\(error)")
    }

    @Test("the number of columns is the declared one")
    func count() {
        #expect(throws: Diagnostic(.columnCount, "")) {
            _ = try Self.open("SELECT n FROM Files", [.integer, .text])
        }
    }

    @Test("come from the table where a column is handed over, and from the first rows elsewhere")
    func inferred() throws {
        let access = try Self.open(
            "SELECT at, file, n, upper(at) AS t, CASE WHEN n = 0 THEN NULL WHEN n = 1 THEN 1 ELSE 0.5 END AS r, NULL AS z FROM Files",
            nil)
        #expect(access.columns.map(\.type) == [.timestamp, .asset, .integer, nil, nil, nil])
        let batch = try #require(try access.next(maxRows: 3, maxBytes: 1 << 20))
        #expect(access.columns.map(\.type) == [.timestamp, .asset, .integer, .text, .real, .text])
        #expect(
            batch.schema.fields.map(\.origin) == [
                "Files.at", "Files.file", "Files.n", "expr", "expr", "expr",
            ])
        #expect(batch.rowCount == 3)
        #expect(batch.timestamp(row: 0, column: 0)?.iso8601 == "2026-03-01T12:00:00.000Z")
        #expect(batch.cell(row: 0, column: 4) == .null)
        #expect(batch.cell(row: 1, column: 4) == .real(1))
        #expect(try access.allRows().count == 4_997)
    }

    @Test("an asset's handle is delivered once its row is")
    func assets() throws {
        let assets = AssetTable()
        let access = try Self.open("SELECT file FROM Files LIMIT 1", [.asset], assets: assets)
        let handle = assets.offer(path: "kanarienvogel", mediaType: "image/jpeg")
        #expect(assets.delivered(handle) == nil)
        #expect(try access.allRows() == [[.text(handle)]])
        #expect(assets.delivered(handle)?.path == "kanarienvogel")
    }

    @Test("a batch ends before it exceeds its bytes")
    func batches() throws {
        let access = try Self.open("SELECT at FROM Files", nil)
        var rows = 0
        while let batch = try access.next(maxRows: 1_000, maxBytes: 95) {
            #expect(batch.byteCount <= 95)
            rows += batch.rowCount
        }
        #expect(rows == 5_000)
        #expect(access.delivered.rows == 5_000 && access.delivered.bytes == 5_000 * 9)
    }
}
