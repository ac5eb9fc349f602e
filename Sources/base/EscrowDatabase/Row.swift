internal import CSQLite

/// A row of an answer, while it is read. Columns count from 0.
public struct Row {
    let statement: OpaquePointer

    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

    public func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement, column) else { return [] }
        return Array(
            UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
