import EscrowDiagnostics
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// Answers a query through an engine; `materials` are the native tables of earlier queries.
func answer(
    _ query: Query, _ tables: [any TableSource], by engine: Engine, _ materials: MaterialCache? = nil
) throws(Diagnostic) -> Tally {
    let budget = AccessBudget(
        rows: 100_000_000, bytes: 1 << 40, seconds: 3_600, materializedBytes: 4 << 30)
    let access = try Access(
        AccessRequest(sql: query.sql, budget: budget, engine: engine), tables: tables,
        assets: AssetTable(), materials: materials)
    var tally = Tally()
    while let batch = try access.next(maxRows: 8_192, maxBytes: 4 << 20) {
        tally.rows += batch.rowCount
        for (column, field) in batch.schema.fields.enumerated() {
            for row in 0..<batch.rowCount {
                guard !batch.isNull(row: row, column: column) else {
                    tally.nulls += 1
                    continue
                }
                switch field.type {
                case .integer, .boolean: tally.numbers += Double(batch.integer(row: row, column: column))
                case .real: tally.numbers += batch.real(row: row, column: column)
                case .text, .blob: tally.bytes += batch.withBytes(row: row, column: column) { touch($0) }
                case .timestamp, .asset: break
                }
            }
        }
    }
    return tally
}

/// Answers a query by a loop over the source's own interface: no SQL, no engine. The source is asked for the columns that are
/// needed and told the term; the loop looks at the term again, as a source may pass more rows than meet it.
func byHand(_ query: Query, _ table: any TableSource) throws(Diagnostic) -> Tally {
    let spec = table.spec
    func position(_ name: String) -> Int { spec.columns.firstIndex { $0.name == name }! }
    let wanted = query.columns.isEmpty ? Array(spec.columns.indices) : query.columns.map(position)
    var request = ScanRequest(columns: ColumnMask(wanted))
    if let term = query.equals {
        request.columns.insert(position(term.column))
        request.predicates = [
            Predicate(column: position(term.column), operation: .equal, values: [.text(term.value)])
        ]
    }
    let key = query.newest.map(position)
    if let key {
        request.columns.insert(key)
        request.order = [OrderTerm(column: key, descending: true)]
        request.limit = 1
    }
    let isOrdered = key == nil || table.offer(for: request).servesOrder
    if !isOrdered {
        request.order = []
        request.limit = nil
    }
    let scan = try table.snapshot(assets: AssetTable()).scan(request)
    let chunk = ColumnChunk(spec: spec)
    var tally = Tally()
    var newest: (key: [UInt8], tally: Tally)?
    var isDone = false
    while !isDone {
        chunk.removeAll()
        isDone = try !scan.next(into: chunk)
        let views = wanted.map { (spec.columns[$0].type, chunk.view(of: $0)) }
        let term = query.equals.map { (chunk.view(of: position($0.column)), Array($0.value.utf8)) }
        let order = key.map { chunk.view(of: $0) }
        for row in 0..<chunk.rowCount {
            if let (view, value) = term {
                guard view.hasValue(row), view.bytes(row).elementsEqual(value) else { continue }
            }
            guard let order else {
                add(row, views, to: &tally)
                continue
            }
            let text = order.hasValue(row) ? order.bytes(row) : UnsafeRawBufferPointer(start: nil, count: 0)
            if let newest, !newest.key.lexicographicallyPrecedes(text) { continue }
            var one = Tally()
            add(row, views, to: &one)
            newest = (Array(text), one)
            if isOrdered { return one }
        }
    }
    return newest?.tally ?? tally
}

private func add(_ row: Int, _ views: [(ColumnType, ColumnChunk.View)], to tally: inout Tally) {
    tally.rows += 1
    for (type, view) in views {
        guard view.hasValue(row) else {
            tally.nulls += 1
            continue
        }
        switch type {
        case .integer, .boolean: tally.numbers += Double(view.integer(row))
        case .real: tally.numbers += view.real(row)
        case .text, .blob: tally.bytes += touch(view.bytes(row))
        case .timestamp, .asset: break
        }
    }
}

/// Looks at every byte; returns how many there are, and one more for each that is not ASCII.
private func touch(_ bytes: UnsafeRawBufferPointer) -> Int {
    var sum = bytes.count
    for byte in bytes where byte >= 0x80 { sum += 1 }
    return sum
}
