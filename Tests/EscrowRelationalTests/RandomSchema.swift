import EscrowSchema
import EscrowTabular

@testable import EscrowRelational

/// Tables drawn at random: their columns, names, types and rows.
struct RandomSchema {
    /// A table, with its columns as SQL spells them.
    struct Table {
        let name: String
        let source: SyntheticSource

        /// Spellings of the columns of some types; of all without any.
        func columns(_ types: ColumnType...) -> [String] {
            source.spec.columns.filter { types.isEmpty || types.contains($0.type) }
                .map { SQLName.quoted($0.name) }
        }
    }

    let tables: [Table]
    var sources: [SyntheticSource] { tables.map(\.source) }

    /// Names that SQL must spell with care stand among plain ones.
    private static let names = [
        "given", "family", "phone", "select", "Order", "two words", "d\"quoted", "straße", "x1", "x_2",
        "size",
        "group", "ünï", "limit", "value",
    ]
    private static let types: [ColumnType] = [
        .text, .text, .integer, .integer, .real, .blob, .boolean, .timestamp,
    ]
    private static let moments = [
        "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.001Z", "2025-12-31T23:59:59.999Z",
        "1969-07-20T20:17:40.000Z", "2026-11-21T09:48:17.123Z",
    ]

    init(seed: UInt64) {
        var generator = SeededGenerator(state: seed)
        tables = (0..<3).map { number in
            let name = ["a", "b", "c"][number]
            let names = Self.names.shuffled(using: &generator).prefix(
                Int.random(in: 2...8, using: &generator))
            let columns =
                [ColumnSpec("id", .integer, nullable: false, "number")]
                + names.map { ColumnSpec($0, Self.types.randomElement(using: &generator)!, "drawn") }
            let spec = TableSpec(
                name: name, sourceKind: "synthetic", summary: "random values", columns: columns, examples: [])
            let most = [40, 20, 8][number]
            // Once in a while there is no row at all.
            let count =
                Int.random(in: 0..<8, using: &generator) == 0
                ? 0 : Int.random(in: 1...most, using: &generator)
            let rows = (0..<count).map { row in
                columns.map { column -> Cell in
                    guard column.name != "id" else { return .integer(Int64(row)) }
                    return Self.value(column.type, &generator)
                }
            }
            let source = SyntheticSource(spec, rows: rows)
            source.prunes = Bool.random(using: &generator)
            source.chunkRows = [3, 7, 2_048].randomElement(using: &generator)!
            if Int.random(in: 0..<3, using: &generator) == 0 { source.servedOrder = [OrderTerm(column: 0)] }
            source.state = "\(seed) \(name)"
            return Table(name: name, source: source)
        }
    }

    private static func value(_ type: ColumnType, _ generator: inout SeededGenerator) -> Cell {
        guard Int.random(in: 0..<8, using: &generator) > 0 else { return .null }
        switch type {
        case .integer: return .integer(RandomQuery.integers.randomElement(using: &generator)!)
        case .boolean: return .integer(Int64.random(in: 0...1, using: &generator))
        case .real: return .real(RandomQuery.reals.randomElement(using: &generator)!)
        case .timestamp: return .text(moments.randomElement(using: &generator)!)
        case .blob: return .blob(Array(RandomQuery.texts.randomElement(using: &generator)!.utf8))
        case .text, .asset:
            let text = RandomQuery.texts.randomElement(using: &generator)!
            guard Bool.random(using: &generator) else { return .text(text) }
            return .text(text + RandomQuery.texts.randomElement(using: &generator)!)
        }
    }
}
