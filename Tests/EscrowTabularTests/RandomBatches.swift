import EscrowTabular

/// A small generator with a seed, so that a failure can be run again (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Every column type once with nulls and once without.
func everyTypeSchema() throws(TabularError) -> Schema {
    try Schema(
        ColumnType.allCases.flatMap { type in
            [
                Field("\(type.rawValue)?", type: type, origin: "Table.\(type.rawValue)"),
                Field(type.rawValue, type: type, nullable: false),
            ]
        })
}

/// Random rows of any schema, corner cases first of all.
func randomBatch(
    _ schema: Schema, rows: Int, nulls: Double = 0.2, using dice: inout SeededGenerator
) throws(TabularError) -> Batch {
    let builder = BatchBuilder(schema: schema, rowCapacity: 1)
    for _ in 0..<rows {
        for (column, field) in schema.fields.enumerated() {
            if field.isNullable, Double.random(in: 0..<1, using: &dice) < nulls {
                try builder.appendNull(to: column)
            } else {
                try builder.append(cell: randomCell(field.type, using: &dice), to: column)
            }
        }
        try builder.endRow()
    }
    return builder.finish()
}

private func randomCell(_ type: ColumnType, using dice: inout SeededGenerator) -> Cell {
    func pick<Value>(_ values: [Value]) -> Value {
        values[Int.random(in: 0..<values.count, using: &dice)]
    }
    switch type {
    case .integer:
        return .integer(pick([0, -1, .min, .max, Int64.random(in: 0...1_000_000, using: &dice)]))
    case .real:
        return .real(pick([0, -0.0, 1e300, .infinity, .nan, Double.random(in: 0..<1, using: &dice)]))
    case .text, .asset:
        return .text(
            pick(["", "Müller", "日本語", "🙂🙂", "\u{0}", String(repeating: "x", count: pick([1, 7, 40]))]))
    case .blob:
        return .blob((0..<pick([0, 1, 9])).map { _ in UInt8.random(in: 0...255, using: &dice) })
    case .boolean: return .integer(pick([0, 1]))
    case .timestamp:
        return .integer(
            pick([0, -1, -62_167_219_200_000_000, 253_402_300_799_999_999, 1_772_366_400_000_000]))
    }
}
