import EscrowMinimisation
import EscrowSchema
import EscrowTabular

/// A minimisation carried out on rows in memory, value by value and without chunks: what a plain SQLite table is filled
/// with, to be compared with.
struct MinimisedOracle {
    let minimisation: Minimisation
    let hash = KeyedHash(mixingDigest)

    func source(_ source: SyntheticSource, granted: Set<String>? = nil) -> SyntheticSource {
        let rules = minimisation.table(source.spec.name)
        var rows = source.rows
        if let part = rules.rows.recordsPerMillion {
            // The tables of the property tests have whole numbers as their id.
            rows = rows.filter { row in
                guard case .integer(let id) = row[0] else { return false }
                let key =
                    Array(source.spec.name.utf8) + [1]
                    + (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) }
                return hash.isSampled(.record, key, perMillion: part)
            }
        }
        if let part = rules.rows.personsPerMillion,
            !hash.isSampled(.person, [], perMillion: part)
        {
            rows = []
        }
        rows = rows.map { row in
            zip(source.spec.columns, row).map { apply(rules.transform(of: $0.name), to: $1) }
        }
        if let least = rules.rows.leastAlike {
            let columns = source.spec.columns.indices.filter {
                granted?.contains(source.spec.columns[$0].name) ?? true
            }
            func kind(_ row: [Cell]) -> [Cell] { columns.map { row[$0] } }
            let counts = Dictionary(grouping: rows, by: kind).mapValues(\.count)
            rows = rows.filter { counts[kind($0), default: 0] >= least }
        }
        return SyntheticSource(source.spec, rows: rows)
    }

    private func apply(_ transform: ColumnTransform, to cell: Cell) -> Cell {
        if transform.isDropped { return .null }
        switch cell {
        case .null, .blob: return cell
        case .integer(let value):
            let rounded = transform.decimals.map { Coarse.round(value, decimals: $0) } ?? value
            return .integer(
                transform.isHashed ? hash.pseudonym(.pseudonym, integer: rounded) : rounded)
        case .real(let value):
            return .real(transform.decimals.map { Coarse.round(value, decimals: $0) } ?? value)
        case .text(let text):
            var text = text
            if let resolution = transform.resolution {
                let coarse = Array(text.utf8).withUnsafeBytes { Coarse.deresolve($0, to: resolution) }
                guard let coarse else { return .null }
                text = String(decoding: coarse, as: UTF8.self)
            }
            if let length = transform.length {
                text = String(String.UnicodeScalarView(text.unicodeScalars.prefix(length)))
            }
            guard transform.isHashed else { return .text(text) }
            return .text(
                String(decoding: hash.pseudonym(.pseudonym, text: Array(text.utf8)), as: UTF8.self))
        }
    }
}

/// A mixer that stands for HMAC here (FNV-1a, then SplitMix64's finalizer).
@Sendable func mixingDigest(_ bytes: UnsafeRawBufferPointer) -> KeyedHash.Value {
    var generator = SeededGenerator(
        state: bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
    return KeyedHash.Value(high: generator.next(), low: generator.next())
}
