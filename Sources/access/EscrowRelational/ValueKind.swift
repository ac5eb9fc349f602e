internal import EscrowTabular

/// How a column's values lie in memory.
enum ValueKind {
    case integer, real, text, blob
    /// Not read: every value is null.
    case absent

    init(_ type: ColumnType) {
        switch type {
        case .integer, .boolean: self = .integer
        case .real: self = .real
        case .text, .timestamp, .asset: self = .text
        case .blob: self = .blob
        }
    }

    var sqlName: String {
        switch self {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob, .absent: "BLOB"
        }
    }
}
