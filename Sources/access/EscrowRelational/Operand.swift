internal import CSQLite
internal import EscrowSchema
internal import EscrowTabular

/// The right side of a term, out of a `sqlite3_value`.
enum Operand {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    init(_ value: OpaquePointer) {
        switch sqlite3_value_type(value) {
        case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
        case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
        case SQLITE_TEXT:
            // The text first: it may be converted, and its length is that of what was converted.
            let text = UnsafeRawPointer(sqlite3_value_text(value))
            self = .text(Self.bytes(text, sqlite3_value_bytes(value)))
        case SQLITE_BLOB:
            self = .blob(Self.bytes(sqlite3_value_blob(value), sqlite3_value_bytes(value)))
        default: self = .null
        }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ count: Int32) -> [UInt8] {
        Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(count)))
    }

    /// Whether the value compares with the column as it stands. SQLite hands it over before it applies affinity:
    /// `text = 7` means `'7'`, and `text = other.int` compares numbers, so other classes are left to SQLite.
    func compares(with kind: ValueKind) -> Bool {
        switch (self, kind) {
        case (.null, _), (.integer, .integer), (.integer, .real), (.real, .integer), (.real, .real),
            (.text, .text), (.blob, .blob):
            true
        default: false
        }
    }

    /// Whether the engine decides `column operation value` as SQLite does.
    func decides(against kind: ValueKind, _ operation: Predicate.Operation) -> Bool {
        if operation == .like || operation == .glob {
            guard case .text(let pattern) = self else { return false }
            return pattern.count <= Lockdown.patternLength
        }
        return compares(with: kind)
    }

    var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// The value as a cell; nil for text that is not UTF-8, which a string would repair into other text.
    var cell: Cell? {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): String(validating: bytes, as: UTF8.self).map { .text($0) }
        case .blob(let bytes): .blob(bytes)
        }
    }

    /// The term as sources understand it; nil if it is not one that every wanted row meets.
    func predicate(
        column: Int, operation: Predicate.Operation, collation: Predicate.Collation, kind: ValueKind
    ) -> Predicate? {
        if case .null = self {
            switch operation {
            case .is: return Predicate(column: column, operation: .isNull, values: [])
            case .isNot: return Predicate(column: column, operation: .notNull, values: [])
            default: return nil
            }
        }
        guard decides(against: kind, operation), let cell else { return nil }
        return Predicate(column: column, operation: operation, values: [cell], collation: collation)
    }
}

struct Arguments {
    let start: UnsafeMutablePointer<OpaquePointer?>?
    let count: Int

    /// An argument; NULL if SQLite gave fewer than the plan asked for, which it never does.
    func operand(_ index: Int) -> Operand {
        guard index < count, let value = start?[index] else { return .null }
        return Operand(value)
    }

    /// The values of an IN that was taken whole; nil if SQLite does not give them.
    func list(_ index: Int) -> [Operand]? {
        guard index < count, let list = start?[index] else { return nil }
        var values: [Operand] = []
        var value: OpaquePointer?
        var status = sqlite3_vtab_in_first(list, &value)
        while status == SQLITE_OK, let current = value {
            values.append(Operand(current))
            status = sqlite3_vtab_in_next(list, &value)
        }
        return status == SQLITE_DONE ? values : nil
    }
}
