internal import CSQLite

/// A value that a statement is given.
public enum Value: Sendable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    func bind(_ statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch self {
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .text(let value):
            csqlite_bind_text(statement, index, value, sqlite3_uint64(value.utf8.count))
        case .bytes(let value):
            // The address of no bytes may be none, which would be NULL.
            value.isEmpty
                ? sqlite3_bind_zeroblob(statement, index, 0)
                : csqlite_bind_blob(statement, index, value, sqlite3_uint64(value.count))
        }
    }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
}
