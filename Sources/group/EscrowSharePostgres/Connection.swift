internal import CPostgres
internal import EscrowDiagnostics
internal import EscrowJSON

/// A connection to a PostgreSQL server, made again where it broke. Values go as parameters, never in the statement.
final class Connection {
    private let words: String
    private var handle: OpaquePointer?

    /// What a statement is given, and what it answers.
    enum Value {
        case integer(Int64)
        case text(String)
        case bytes([UInt8])
        case none

        /// In PostgreSQL's text form.
        var text: String? {
            switch self {
            case .integer(let value): String(value)
            case .text(let value): value
            case .bytes(let value): "\\x" + Hex.string(value)
            case .none: nil
            }
        }
    }

    /// - Parameter words: as libpq takes them, `host=… dbname=…` or a URL.
    init(_ words: String) { self.words = words }

    deinit { if let handle { PQfinish(handle) } }

    private func connected() throws(Diagnostic) -> OpaquePointer {
        if let handle {
            if PQstatus(handle) == CONNECTION_OK { return handle }
            PQfinish(handle)
            self.handle = nil
        }
        guard let new = PQconnectdb(words) else { throw Self.failure("no connection", nil) }
        guard PQstatus(new) == CONNECTION_OK else {
            PQfinish(new)
            throw Self.failure("the PostgreSQL server does not answer", nil)
        }
        // Notices would go to the log.
        PQsetNoticeProcessor(new, { _, _ in }, nil)
        handle = new
        return new
    }

    /// Runs statements that take and give nothing.
    func execute(_ sql: String) throws(Diagnostic) {
        let result = PQexec(try connected(), sql)
        defer { PQclear(result) }
        try check(result)
    }

    /// What one statement answers.
    @discardableResult
    func rows(_ sql: String, _ values: Value...) throws(Diagnostic) -> [[Cell]] {
        let texts = values.map(\.text)
        let copies = texts.map { text in text.map { strdupBytes($0) } ?? nil }
        defer { for copy in copies { copy?.deallocate() } }
        let pointers = copies.map { copy in copy.map { UnsafePointer($0) } }
        let result = PQexecParams(try connected(), sql, Int32(values.count), nil, pointers, nil, nil, 0)
        defer { PQclear(result) }
        try check(result)
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { column in
                PQgetisnull(result, row, column) == 1
                    ? Cell(text: nil) : Cell(text: String(cString: PQgetvalue(result, row, column)))
            }
        }
    }

    /// All of the body or nothing of it.
    func transaction<Result>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic) -> Result {
        try execute("BEGIN")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            try? execute("ROLLBACK")
            throw error
        }
    }

    private func check(_ result: OpaquePointer?) throws(Diagnostic) {
        let status = PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            // PostgreSQL's number for the kind of error, never its words: they can hold a value.
            let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
            throw Self.failure("a statement failed", state)
        }
    }

    private static func failure(_ what: String, _ state: String?) -> Diagnostic {
        Diagnostic(
            .fileOperation, "PostgreSQL: \(what)" + (state.map { " (SQLSTATE \($0))" } ?? ""),
            help: "is it there, and may this user use the database? --postgres takes what psql takes")
    }

    private func strdupBytes(_ text: String) -> UnsafeMutablePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: byte) }
        return copy
    }
}

/// A value of an answer.
struct Cell {
    let text: String?

    var integer: Int64 { text.flatMap { Int64($0) } ?? 0 }
    var bytes: [UInt8] { text.flatMap { Hex.read($0.utf8.dropFirst(2)) } ?? [] }
}
