import CSQLite
import EscrowSchema
import EscrowTabular

@testable import EscrowRelational

/// The same rows in ordinary tables of SQLite: the oracle of the property tests.
final class NativeDatabase {
    private let db: OpaquePointer

    init(_ sources: [SyntheticSource]) {
        var opened: OpaquePointer?
        precondition(sqlite3_open(":memory:", &opened) == SQLITE_OK)
        db = opened!
        for source in sources {
            let columns = source.spec.columns.map {
                "\(SQLName.quoted($0.name)) \(ValueKind($0.type).sqlName)"
            }
            precondition(
                sqlite3_exec(
                    db, "CREATE TABLE \(source.spec.name)(\(columns.joined(separator: ", ")))", nil, nil, nil)
                    == SQLITE_OK)
            let marks = source.spec.columns.indices.map { ":c\($0)" }.joined(separator: ",")
            for row in source.rows {
                var insert: OpaquePointer?
                sqlite3_prepare_v2(db, "INSERT INTO \(source.spec.name) VALUES(\(marks))", -1, &insert, nil)
                let values = Dictionary(
                    uniqueKeysWithValues: row.enumerated().map { ("c\($0.offset)", $0.element) })
                do { try Parameters(values).bind(to: insert!) } catch { preconditionFailure("\(error)") }
                precondition(sqlite3_step(insert) == SQLITE_DONE)
                sqlite3_finalize(insert)
            }
        }
    }

    deinit { sqlite3_close(db) }

    /// The tables as statements for SQLite's shell, to look at a mismatch by hand.
    static func script(_ sources: [SyntheticSource]) -> String {
        sources.map { source in
            let columns = source.spec.columns.map {
                "\(SQLName.quoted($0.name)) \(ValueKind($0.type).sqlName)"
            }
            let rows = source.rows.map {
                "INSERT INTO \(source.spec.name) VALUES(\($0.map(literal).joined(separator: ", ")));"
            }
            return (["CREATE TABLE \(source.spec.name)(\(columns.joined(separator: ", ")));"] + rows)
                .joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func literal(_ cell: Cell) -> String {
        func hex(_ bytes: [UInt8]) -> String {
            "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
        switch cell {
        case .null: return "NULL"
        case .integer(let value): return value == .min ? "(-9223372036854775807-1)" : "\(value)"
        case .real(let value): return "\(value)"
        case .text(let text): return "CAST(\(hex(Array(text.utf8))) AS TEXT)"
        case .blob(let bytes): return hex(bytes)
        }
    }

    /// All rows, or nil if the query ends in an error.
    func rows(_ sql: String, _ parameters: [String: Cell]) -> [[Cell]]? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(db, sql, -1, &statement, nil) == SQLITE_OK, let statement else { return nil }
        defer { sqlite3_finalize(statement) }
        do { try Parameters(parameters).bind(to: statement) } catch { return nil }
        return step(statement)
    }
}

/// Steps a statement to its end; nil on an error.
func step(_ statement: OpaquePointer) -> [[Cell]]? {
    var rows: [[Cell]] = []
    while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { cell(statement, $0) })
        case SQLITE_DONE: return rows
        default: return nil
        }
    }
}

private func cell(_ statement: OpaquePointer, _ column: Int32) -> Cell {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
        let start = sqlite3_column_blob(statement, column)
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return .text(String(decoding: bytes, as: UTF8.self))
    case SQLITE_BLOB:
        let start = sqlite3_column_blob(statement, column)
        return .blob(
            Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))))
    default: return .null
    }
}
