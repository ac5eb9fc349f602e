internal import CSQLite
internal import EscrowDiagnostics
internal import EscrowTabular

/// The values of a statement's `:name` parameters.
struct Parameters {
    let values: [String: Cell]

    init(_ values: [String: Cell]) { self.values = values }

    /// Binds them: exactly those that the statement names.
    func bind(to statement: OpaquePointer) throws(Diagnostic) {
        var unused = Set(values.keys)
        let count = sqlite3_bind_parameter_count(statement)
        for index in 0..<count {
            guard let spelling = sqlite3_bind_parameter_name(statement, index + 1) else {
                throw Diagnostic(.parameterForm, "a parameter has no name", help: "write :name")
            }
            let name = String(String(cString: spelling).dropFirst())
            guard let value = values[name] else {
                throw Diagnostic(
                    .parameterWithoutValue, "the parameter :\(name) has no value",
                    help: "pass it with --param \(name)=VALUE"
                )
            }
            unused.remove(name)
            guard Self.bind(value, to: statement, index + 1) == SQLITE_OK else {
                throw Diagnostic(.sqlTooLarge, "the value of the parameter :\(name) is too long")
            }
        }
        if let name = unused.min() {
            throw Diagnostic(
                .valueWithoutParameter, "there is a value for :\(name), but the query does not name it",
                help: "write :\(name) where the value belongs, or leave it out")
        }
    }

    private static func bind(_ value: Cell, to statement: OpaquePointer, _ index: Int32) -> Int32 {
        switch value {
        case .null: return sqlite3_bind_null(statement, index)
        case .integer(let value): return sqlite3_bind_int64(statement, index, value)
        case .real(let value): return sqlite3_bind_double(statement, index, value)
        case .text(var text):
            return text.withUTF8 { bytes in
                csqlite_bind_text(statement, index, bytes.baseAddress, UInt64(bytes.count))
            }
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                csqlite_bind_blob(statement, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
