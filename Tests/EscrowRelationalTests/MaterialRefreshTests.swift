import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular
import Testing

/// Native tables of which only the rows of changed groups are read again.
@Suite("Native tables that are refreshed")
struct MaterialRefreshTests {
    private static func answer(_ sql: String, _ source: FilesSource, _ materials: MaterialCache?) throws
        -> [[Cell]]
    {
        try Access(
            AccessRequest(sql: sql, engine: .materialized), tables: [source], assets: AssetTable(),
            materials: materials
        ).allRows()
    }

    @Test("read what changed and no more, and keep the order of the rows")
    func changes() throws {
        let source = FilesSource((0..<100).map { .init(name: $0, values: [$0, $0 + 1_000]) })
        let materials = MaterialCache()
        func check(_ reads: Int?) throws {
            let before = source.groupsRead
            let own = try Self.answer("SELECT value FROM Rows", source, materials)
            if let reads { #expect(source.groupsRead - before == reads) }
            // `+` is beyond the source; without a cache all is read.
            #expect(try own == Self.answer("SELECT value FROM Rows", source, nil))
        }
        try check(100)
        try check(0)
        source.files[40].values = [7, 8, 9]
        try check(1)
        source.files[0].values = []
        try check(1)
        source.files.remove(at: 99)
        source.files.remove(at: 0)
        try check(0)
        source.files.insert(.init(name: 200, values: [1, 2]), at: 0)
        source.files.append(.init(name: 201, values: [3]))
        source.files.insert(
            contentsOf: [.init(name: 202, values: [4]), .init(name: 203, values: [5])], at: 50)
        try check(4)
        source.files[50].isSettled = false
        try check(1)
        source.files.append(.init(name: 204, values: [6]))
        try check(2)
        // Too many.
        for index in source.files.indices { source.files[index].values.append(1) }
        try check(source.files.count)
    }

    @Test("fill anew where there is no room between rows that stay")
    func noRoom() throws {
        let source = FilesSource(
            [.init(name: 0, values: [1]), .init(name: 1, values: [2])]
                + (2..<40).map {
                    .init(name: $0, values: [$0])
                })
        // As an offset in a large file would be.
        source.step = 1 << 42
        let materials = MaterialCache()
        for name in 100..<130 {
            source.files.insert(.init(name: name, values: [name, name + 1, name + 2]), at: 1)
            let own = try Self.answer("SELECT value FROM Rows", source, materials)
            #expect(try own == Self.answer("SELECT value FROM Rows", source, nil))
        }
    }

    @Test("whatever changes, hold the rows that would be filled anew, in their order")
    func anything() throws {
        var generator = SystemRandomNumberGenerator()
        let source = FilesSource((0..<30).map { .init(name: $0, values: [$0]) })
        let materials = MaterialCache()
        var next = 1_000
        for _ in 0..<400 {
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let at = Int.random(in: 0...source.files.count, using: &generator)
                next += 1
                let values = (0..<Int.random(in: 0...3, using: &generator)).map { $0 + next }
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1: source.files.insert(.init(name: next, values: values), at: at)
                case 2 where at < source.files.count: source.files.remove(at: at)
                case 3 where at < source.files.count: source.files[at].isSettled.toggle()
                case 4 where source.files.count > 1: source.files.swapAt(0, source.files.count - 1)
                default: if at < source.files.count { source.files[at].values = values }
                }
            }
            for sql in ["SELECT value FROM Rows", "SELECT count(*) AS n, sum(value) AS s FROM Rows"] {
                #expect(try Self.answer(sql, source, materials) == Self.answer(sql, source, nil))
            }
        }
    }
}

/// Files of numbers, each a group of rows.
private final class FilesSource: TableSource, @unchecked Sendable {
    struct File {
        let name: Int
        var values: [Int] { didSet { state += 1 } }
        var isSettled = true { didSet { state += 1 } }
        private(set) var state: UInt64 = 0

        init(name: Int, values: [Int]) {
            self.name = name
            self.values = values
        }
    }

    let spec = TableSpec(
        name: "Rows", sourceKind: "rows", summary: "numbers",
        columns: [ColumnSpec("value", .integer, nullable: false, "number")], examples: [])
    var files: [File]
    /// Between the places of two rows of a file.
    var step: Int64 = 1
    var groupsRead = 0

    init(_ files: [File]) { self.files = files }

    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { _ in false }, servesOrder: request.order.isEmpty,
            estimatedRows: 100)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        TableFingerprint(files.map { "\($0.name) \($0.state)" }.joined(separator: ","))
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot { Snapshot(self) }

    private final class Snapshot: TableSnapshot {
        let source: FilesSource
        init(_ source: FilesSource) { self.source = source }

        func groups() throws(Diagnostic) -> [RowGroup]? {
            source.files.map { RowGroup(name: UInt64($0.name), state: $0.isSettled ? $0.state : nil) }
        }

        func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { Scan(source, request.group) }
    }

    private final class Scan: TableScan {
        private var rows: [(id: Int64, value: Int)]

        init(_ source: FilesSource, _ group: Int?) {
            let wanted = group.map { [$0] } ?? Array(source.files.indices)
            source.groupsRead += wanted.count
            rows = wanted.flatMap { file in
                source.files[file].values.enumerated().map { place, value in
                    (Int64(file) << RowGroup.placeBits | (Int64(place) * source.step), value)
                }
            }
        }

        func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
            chunk.removeAll()
            while !chunk.isFull, !rows.isEmpty {
                let (id, value) = rows.removeFirst()
                chunk.append(Int64(value), to: 0)
                chunk.endRow(id: id)
            }
            return chunk.rowCount > 0
        }
    }
}
