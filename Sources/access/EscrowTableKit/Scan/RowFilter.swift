package import EscrowSchema
internal import EscrowTabular

/// The terms of a request that a source may drop rows by: only those whose answer is certain.
///
/// The engine checks every term again, so a wrong "keep" costs time and a wrong "drop" loses a row. A term whose value is
/// of another storage class than the column is therefore left alone: what SQLite makes of it depends on affinity.
package struct RowFilter {
    /// The terms that can be used, by column.
    package let terms: [Predicate]
    /// The columns that those terms need.
    package let columns: ColumnMask

    /// Keeps the usable terms on columns of a table.
    package init(_ predicates: [Predicate], spec: TableSpec) {
        terms = predicates.filter { Self.isUsable($0, spec: spec) }
        columns = ColumnMask(terms.map(\.column))
    }

    /// Whether a term can drop rows.
    package static func isUsable(_ term: Predicate, spec: TableSpec) -> Bool {
        guard spec.columns.indices.contains(term.column) else { return false }
        let type = spec.columns[term.column].type
        switch term.operation {
        case .isNull, .notNull: return true
        case .like, .glob:
            guard isText(type), term.values.count == 1, case .text = term.values[0] else { return false }
            return true
        case .in: return term.values.allSatisfy { $0 == .null || sameClass($0, type) }
        case .is, .isNot:
            return term.values.count == 1 && (term.values[0] == .null || sameClass(term.values[0], type))
        default: return term.values.count == 1 && (term.values[0] == .null || sameClass(term.values[0], type))
        }
    }

    /// Whether a row with this value may meet all terms on the column. `text` is nil for null.
    package func admits(_ column: Int, text: ArraySlice<UInt8>?) -> Bool {
        for term in terms where term.column == column {
            if !Self.mayHold(
                term, isNull: text == nil, compare: { Self.order(text ?? [], $0, term.collation) }, text)
            {
                return false
            }
        }
        return true
    }

    /// Whether a row with this value may meet all terms on the column.
    package func admits(_ column: Int, integer: Int64?) -> Bool {
        for term in terms where term.column == column {
            let value = Cell.integer(integer ?? 0)
            if !Self.mayHold(term, isNull: integer == nil, compare: { Self.order(value, $0) }, nil) {
                return false
            }
        }
        return true
    }

    /// Whether a row with this value may meet all terms on the column.
    package func admits(_ column: Int, real: Double?) -> Bool {
        for term in terms where term.column == column {
            let value = Cell.real(real ?? 0)
            if !Self.mayHold(term, isNull: real == nil, compare: { Self.order(value, $0) }, nil) {
                return false
            }
        }
        return true
    }

    private static func mayHold(
        _ term: Predicate, isNull: Bool, compare: (Cell) -> Int?, _ text: ArraySlice<UInt8>?
    ) -> Bool {
        switch term.operation {
        case .isNull: return isNull
        case .notNull: return !isNull
        case .is:
            if term.values[0] == .null { return isNull }
            return !isNull && compare(term.values[0]).map { $0 == 0 } ?? true
        case .isNot:
            if term.values[0] == .null { return !isNull }
            return isNull || compare(term.values[0]).map { $0 != 0 } ?? true
        default: break
        }
        // Every other comparison with NULL on either side is not true.
        guard !isNull else { return false }
        switch term.operation {
        case .in: return term.values.contains { $0 != .null && compare($0).map { $0 == 0 } ?? true }
        case .like, .glob:
            guard case .text(let pattern) = term.values[0], let text else { return true }
            return mayMatch(pattern, text, glob: term.operation == .glob)
        default:
            guard term.values[0] != .null else { return false }
            guard let order = compare(term.values[0]) else { return true }
            switch term.operation {
            case .equal: return order == 0
            case .notEqual: return order != 0
            case .less: return order < 0
            case .lessOrEqual: return order <= 0
            case .greater: return order > 0
            case .greaterOrEqual: return order >= 0
            default: return true
            }
        }
    }

    /// Compares the literal beginning of a pattern only; what follows the first wildcard is SQLite's to judge.
    private static func mayMatch(_ pattern: String, _ text: ArraySlice<UInt8>, glob: Bool) -> Bool {
        var rest = text
        for byte in pattern.utf8 {
            if glob ? byte == 0x2A || byte == 0x3F || byte == 0x5B : byte == 0x25 || byte == 0x5F {
                return true
            }
            guard let first = rest.first else { return false }
            guard first == byte || (!glob && folded(first) == folded(byte)) else { return false }
            rest = rest.dropFirst()
        }
        return rest.isEmpty
    }

    private static func order(_ left: ArraySlice<UInt8>, _ right: Cell, _ collation: Predicate.Collation)
        -> Int?
    {
        guard case .text(let text) = right else { return nil }
        var index = left.startIndex
        for byte in text.utf8 {
            guard index < left.endIndex else { return -1 }
            let (a, b) = collation == .noCase ? (folded(left[index]), folded(byte)) : (left[index], byte)
            if a != b { return a < b ? -1 : 1 }
            index += 1
        }
        return index < left.endIndex ? 1 : 0
    }

    /// Compares numbers exactly; nil if that needs more than a conversion without loss.
    private static func order(_ left: Cell, _ right: Cell) -> Int? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return a < b ? -1 : a == b ? 0 : 1
        case (.real(let a), .real(let b)): return sign(a, b)
        case (.integer(let a), .real(let b)): return Double(exactly: a).flatMap { sign($0, b) }
        case (.real(let a), .integer(let b)): return Double(exactly: b).flatMap { sign(a, $0) }
        default: return nil
        }
    }

    private static func sign(_ a: Double, _ b: Double) -> Int? {
        a.isNaN || b.isNaN ? nil : a < b ? -1 : a == b ? 0 : 1
    }

    private static func folded(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte + 0x20 : byte }

    private static func isText(_ type: ColumnType) -> Bool {
        switch type {
        case .text, .timestamp, .asset: true
        case .integer, .real, .blob, .boolean: false
        }
    }

    private static func sameClass(_ cell: Cell, _ type: ColumnType) -> Bool {
        switch (cell, type) {
        case (.text, .text), (.text, .timestamp), (.text, .asset): true
        case (.integer, .integer), (.integer, .boolean), (.integer, .real), (.real, .integer),
            (.real, .boolean),
            (.real, .real):
            true
        default: false
        }
    }
}
