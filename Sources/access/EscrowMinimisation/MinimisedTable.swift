public import EscrowDiagnostics
public import EscrowSchema
internal import EscrowTabular

/// A table as a minimisation serves it: every part of a query sees coarse values only.
///
/// The source gets no term and no order on a transformed column, as it would decide by exact values. The engine applies
/// them to the coarse ones.
public struct MinimisedTable: TableSource {
    public let spec: TableSpec
    let source: any TableSource
    let rules: Minimisation.Table
    let hash: KeyedHash
    let transforms: [ColumnTransform]
    /// The columns that decide whether two rows are alike: all that may be read.
    let shown: ColumnMask
    /// The columns that name a record: its `id`, else all of it.
    let key: ColumnMask

    /// Wraps a table; returns it as it is where nothing is done to it.
    /// - Parameter granted: the columns that may be read; nil for all.
    public static func wrap(
        _ source: any TableSource, _ minimisation: Minimisation, granted: Set<String>?, hash: KeyedHash
    ) throws(Diagnostic) -> any TableSource {
        let rules = minimisation.table(source.spec.name)
        guard !rules.isIdentity else { return source }
        return try MinimisedTable(source, rules, granted: granted, hash: hash)
    }

    private init(
        _ source: any TableSource, _ rules: Minimisation.Table, granted: Set<String>?, hash: KeyedHash
    ) throws(Diagnostic) {
        self.source = source
        self.rules = rules
        self.hash = hash
        let spec = source.spec
        let transforms = spec.columns.map { rules.transform(of: $0.name) }
        try Self.check(rules, spec)
        let names = granted.map { Set($0.map { $0.lowercased() }) }
        let columns = spec.columns.indices.filter {
            names?.contains(spec.columns[$0].name.lowercased()) ?? true
        }
        self.transforms = transforms
        shown = ColumnMask(columns.filter { !transforms[$0].isDropped })
        key = spec.column(named: "id").map { ColumnMask([$0]) } ?? ColumnMask(spec.columns.indices)
        if rules.rows.leastAlike != nil,
            let asset = columns.first(where: { spec.columns[$0].type == .asset }),
            !transforms[asset].isDropped
        {
            throw Diagnostic(
                .transformUnfit, "files cannot be handed out of \(spec.name) in groups",
                help: "drop(\(spec.name).\(spec.columns[asset].name)) as well")
        }
        self.spec = TableSpec(
            name: spec.name, sourceKind: spec.sourceKind, summary: spec.summary,
            columns: spec.columns.map {
                ColumnSpec($0.name, $0.type, nullable: true, cost: $0.cost, $0.summary)
            },
            examples: spec.examples)
    }

    /// Whether every transform has a column of a type that it fits.
    private static func check(_ rules: Minimisation.Table, _ spec: TableSpec) throws(Diagnostic) {
        for (name, transform) in rules.columns {
            guard let position = spec.column(named: name) else {
                throw Diagnostic(
                    .transformUnfit, "\(spec.name) has no column \(name) to be served more coarsely",
                    help: "`escrow schema \(spec.name)` lists its columns")
            }
            let column = spec.columns[position]
            guard let technique = transform.misfit(column.type) else { continue }
            throw Diagnostic(
                .transformUnfit,
                "\(technique) does not fit \(spec.name).\(column.name), which is of type \(column.type.rawValue)",
                notes: [
                    "deresolve is for moments and dates, round for numbers, truncate for texts, hash for texts "
                        + "and whole numbers, strip for files, drop for all"
                ],
                help: "use another technique, or drop(\(spec.name).\(column.name))")
        }
    }

    var dropsRows: Bool { !rules.rows.isIdentity }

    public func offer(for request: ScanRequest) -> ScanOffer {
        let inner = source.offer(for: reduced(request))
        var kept = inner.prunes.makeIterator()
        return ScanOffer(
            prunes: request.predicates.map { isPlain($0.column) ? kept.next() ?? false : false },
            servesOrder: request.order.allSatisfy { isPlain($0.column) } && inner.servesOrder,
            estimatedRows: inner.estimatedRows)
    }

    public func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        MinimisedSnapshot(self, try source.snapshot(assets: assets))
    }

    /// Whether the source's own values are shown.
    private func isPlain(_ column: Int) -> Bool { transforms[column].isIdentity }

    /// The source's part of a request: no term or order on transformed columns, and no limit where rows are left out.
    func reduced(_ request: ScanRequest) -> ScanRequest {
        var columns = request.columns.bits
        if rules.rows.leastAlike != nil { columns |= shown.bits }
        for (position, transform) in transforms.enumerated() where transform.isDropped {
            columns &= ~(1 << UInt64(position))
        }
        if rules.rows.recordsPerMillion != nil { columns |= key.bits }
        return ScanRequest(
            columns: ColumnMask(bits: columns), predicates: request.predicates.filter { isPlain($0.column) },
            order: request.order.allSatisfy { isPlain($0.column) } ? request.order : [],
            limit: dropsRows ? nil : request.limit)
    }
}

extension ColumnTransform {
    /// The technique that does not fit a type; nil if all do.
    func misfit(_ type: ColumnType) -> String? {
        if resolution != nil, type != .timestamp, type != .text { return "deresolve" }
        if decimals != nil, type != .real, type != .integer { return "round" }
        if length != nil, type != .text { return "truncate" }
        if isStripped, type != .asset { return "strip" }
        if isHashed, type != .text, type != .integer { return "hash" }
        return nil
    }
}
