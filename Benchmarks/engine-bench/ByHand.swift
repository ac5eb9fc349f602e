import EscrowDiagnostics
import EscrowSchema
import EscrowTabular

/// Answers a query by a loop over the source's own interface: no SQL, no engine. The source is asked for the columns that are
/// needed, told the term, the order and how many rows are wanted; the loop looks at the term again, as a source may pass more
/// rows than meet it, and picks the first rows where the source does not bring them in order. Handles of assets are marked as
/// handed on, as the engines do: no others can be opened.
struct ByHand {
    private let query: Query
    private let table: any TableSource
    private let child: (any TableSource)?
    private let assets = AssetTable()

    init(_ query: Query, _ tables: [any TableSource]) {
        self.query = query
        table = tables.first { $0.spec.name == query.table }!
        child = query.child.flatMap { child in tables.first { $0.spec.name == child.table } }
    }

    func answer() throws(Diagnostic) -> Tally { query.child == nil ? try scan() : try join() }

    private func position(_ name: String, _ table: any TableSource) -> Int {
        table.spec.columns.firstIndex { $0.name == name }!
    }

    private func scan() throws(Diagnostic) -> Tally {
        let spec = table.spec
        let wanted =
            query.columns.isEmpty ? Array(spec.columns.indices) : query.columns.map { position($0, table) }
        var request = ScanRequest(columns: ColumnMask(wanted))
        let tested = query.equals.map { (position($0.column, table), Array($0.value.utf8)) }
        if let term = query.equals, let tested {
            request.columns.insert(tested.0)
            request.predicates = [
                Predicate(column: tested.0, operation: .equal, values: [.text(term.value)])
            ]
        }
        let key = query.first.map { position($0.column, table) }
        if let key, let first = query.first {
            request.columns.insert(key)
            request.order = [OrderTerm(column: key, descending: first.descending)]
            request.limit = first.count
        }
        let snapshot = try table.snapshot(assets: assets)
        let offer = try snapshot.offer(for: request) ?? table.offer(for: request)
        let limit = query.first.flatMap { offer.servesOrder ? $0.count : nil }
        if limit == nil {
            request.order = []
            request.limit = nil
        }
        let scan = try snapshot.scan(request)
        let chunk = ColumnChunk(spec: spec)
        if let limit { chunk.wantedRows = limit }
        var tally = Tally()
        var best: [Candidate] = []
        var isDone = false
        while !isDone {
            chunk.removeAll()
            isDone = try !scan.next(into: chunk)
            let views = wanted.map { (spec.columns[$0].type, chunk.view(of: $0)) }
            let term = tested.map { (chunk.view(of: $0.0), $0.1) }
            let keys = limit == nil ? key.map { chunk.view(of: $0) } : nil
            for row in 0..<chunk.rowCount {
                if let (view, value) = term {
                    guard view.hasValue(row), view.bytes(row).elementsEqual(value) else { continue }
                }
                if let keys {
                    keep(row, keys, views, &best)
                } else {
                    add(row, views, to: &tally)
                    for (type, view) in views where type == .asset && view.hasValue(row) {
                        if assets.deliver(view.bytes(row)) { tally.handles += 1 }
                    }
                    if tally.rows == limit { return tally }
                }
            }
        }
        for one in best {
            tally += one.tally
            for handle in one.handles where handle.withUnsafeBytes({ assets.deliver($0) }) {
                tally.handles += 1
            }
        }
        return tally
    }

    /// A row that is among the first as yet; its handles are handed on if it stays there.
    private struct Candidate {
        let key: [UInt8]
        let tally: Tally
        let handles: [[UInt8]]
    }

    /// Keeps a row if it is among the first by now.
    private func keep(
        _ row: Int, _ keys: ColumnChunk.View, _ views: [(ColumnType, ColumnChunk.View)],
        _ best: inout [Candidate]
    ) {
        guard let first = query.first else { return }
        let text = keys.hasValue(row) ? keys.bytes(row) : UnsafeRawBufferPointer(start: nil, count: 0)
        func precedes(_ other: [UInt8]) -> Bool {
            first.descending
                ? other.lexicographicallyPrecedes(text) : text.lexicographicallyPrecedes(other)
        }
        if best.count == first.count, !precedes(best[best.count - 1].key) { return }
        var one = Tally()
        add(row, views, to: &one)
        let handles = views.filter { $0.0 == .asset && $0.1.hasValue(row) }.map { Array($0.1.bytes(row)) }
        let candidate = Candidate(key: Array(text), tally: one, handles: handles)
        best.insert(candidate, at: best.firstIndex { precedes($0.key) } ?? best.count)
        if best.count > first.count { best.removeLast() }
    }

    /// Reads the children into a dictionary by their key, then the parents.
    private func join() throws(Diagnostic) -> Tally {
        guard let names = query.child, let child else { return Tally() }
        var children: [[UInt8]: [[UInt8]]] = [:]
        let (key, value) = (position(names.key, child), position(names.value, child))
        try each(child, [key, value]) { chunk in
            let (keys, values) = (chunk.view(of: key), chunk.view(of: value))
            for row in 0..<chunk.rowCount {
                children[Array(keys.bytes(row)), default: []].append(Array(values.bytes(row)))
            }
        }
        var tally = Tally()
        let (id, shown) = (position("id", table), position(query.columns[0], table))
        try each(table, [id, shown]) { chunk in
            let (ids, values) = (chunk.view(of: id), chunk.view(of: shown))
            for row in 0..<chunk.rowCount {
                for other in children[Array(ids.bytes(row))] ?? [] {
                    add(row, [(.text, values)], to: &tally)
                    tally.bytes += other.withUnsafeBytes { touch($0) }
                }
            }
        }
        return tally
    }

    private func each(
        _ table: any TableSource, _ columns: [Int], _ body: (ColumnChunk) -> Void
    ) throws(Diagnostic) {
        let scan = try table.snapshot(assets: assets).scan(ScanRequest(columns: ColumnMask(columns)))
        let chunk = ColumnChunk(spec: table.spec)
        while try scan.next(into: chunk) { body(chunk) }
    }
}

extension Tally {
    static func += (sum: inout Tally, one: Tally) {
        sum.rows += one.rows
        sum.nulls += one.nulls
        sum.bytes += one.bytes
        sum.numbers += one.numbers
        sum.handles += one.handles
    }
}
