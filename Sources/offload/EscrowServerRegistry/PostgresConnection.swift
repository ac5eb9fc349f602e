import CPostgres
import EscrowDiagnostics
import Glibc

/// One connection to a PostgreSQL server. It is made anew where it broke.
///
/// Each statement that goes through it can be said twice without harm, so one that met a broken connection is said once more.
final class PostgresConnection {
    /// A value of a statement.
    enum Value {
        case text(String)
        case integer(Int64)
        case bytes([UInt8])
    }

    private let connection: OpaquePointer

    /// How long a server may take to answer a connection, in seconds, and a statement, in milliseconds.
    private static let patience = "5"
    private static let statementPatience = "SET statement_timeout = 10000"

    /// - Parameter words: libpq's, `host=db user=escrow` or `postgresql://…`. A password stands better in a `passfile`.
    init(_ words: String) throws(Diagnostic) {
        var made: OpaquePointer?
        let names: [UnsafeMutablePointer<CChar>?] = [
            strdup("connect_timeout"), strdup("application_name"), strdup("client_encoding"),
            strdup("dbname"),
        ]
        let values: [UnsafeMutablePointer<CChar>?] = [
            strdup(Self.patience), strdup("escrow-server"), strdup("UTF8"), strdup(words),
        ]
        defer { for text in names + values { free(text) } }
        let constantNames: [UnsafePointer<CChar>?] = names.map { UnsafePointer($0) } + [nil]
        let constantValues: [UnsafePointer<CChar>?] = values.map { UnsafePointer($0) } + [nil]
        // 1: `dbname` may hold all the words.
        made = PQconnectdbParams(constantNames, constantValues, 1)
        guard let made else { throw Self.unusable("this machine has no memory left") }
        connection = made
        // From here on `deinit` ends it, also where this throws.
        guard PQstatus(made) == CONNECTION_OK else {
            throw Self.unusable(Self.firstLine(PQerrorMessage(made)))
        }
        PQclear(PQexec(made, Self.statementPatience))
    }

    deinit { PQfinish(connection) }

    /// The rows of a statement, each as its columns' texts.
    func rows(_ statement: String, _ values: Value...) throws(Diagnostic) -> [[String]] {
        let result = try run(statement, values, inBytes: false)
        defer { PQclear(result) }
        return (0..<PQntuples(result)).map { row in
            (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
        }
    }

    /// The bytes of the first row's first column; nil where there is no row.
    func bytes(_ statement: String, _ values: Value...) throws(Diagnostic) -> [UInt8]? {
        let result = try run(statement, values, inBytes: true)
        defer { PQclear(result) }
        guard PQntuples(result) > 0, PQgetisnull(result, 0, 0) == 0, let start = PQgetvalue(result, 0, 0)
        else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, 0, 0))))
    }

    /// How many rows a statement changed.
    @discardableResult
    func change(_ statement: String, _ values: Value...) throws(Diagnostic) -> Int {
        let result = try run(statement, values, inBytes: false)
        defer { PQclear(result) }
        return Int(String(cString: PQcmdTuples(result))) ?? 0
    }

    private func run(
        _ statement: String, _ values: [Value], inBytes: Bool
    ) throws(Diagnostic) -> OpaquePointer {
        var result = execute(statement, values, inBytes: inBytes)
        if PQstatus(connection) != CONNECTION_OK {
            PQclear(result)
            PQreset(connection)
            PQclear(PQexec(connection, Self.statementPatience))
            result = execute(statement, values, inBytes: inBytes)
        }
        let status = PQresultStatus(result)
        guard let result, status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
            let words = Self.firstLine(PQerrorMessage(connection))
            PQclear(result)
            throw Self.unusable(words)
        }
        return result
    }

    /// Bytes go as they are, the rest as text.
    private func execute(_ statement: String, _ values: [Value], inBytes: Bool) -> OpaquePointer? {
        let contents: [[UInt8]] = values.map { value in
            switch value {
            case .text(let text): Array(text.utf8) + [0]
            case .integer(let number): Array(String(number).utf8) + [0]
            case .bytes(let bytes): bytes
            }
        }
        let formats: [Int32] = values.map { if case .bytes = $0 { 1 } else { 0 } }
        let lengths = contents.map { Int32($0.count) }
        // Copied: an empty array has no address, and PostgreSQL would take none for NULL.
        let copies = contents.map { content in
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: max(content.count, 1))
            for (index, byte) in content.enumerated() { copy[index] = CChar(bitPattern: byte) }
            return copy
        }
        defer { copies.forEach { $0.deallocate() } }
        let pointers = copies.map { Optional(UnsafePointer($0)) }
        return PQexecParams(
            connection, statement, Int32(values.count), nil, pointers, lengths, formats, inBytes ? 1 : 0)
    }

    private static func firstLine(_ words: UnsafePointer<CChar>?) -> String {
        let all = words.map { String(cString: $0) } ?? ""
        return String(all.prefix { $0 != "\n" }.prefix(300))
    }

    private static func unusable(_ words: String) -> Diagnostic {
        Diagnostic(
            .registryUnusable, "the PostgreSQL registry cannot be used: \(words)",
            help: "look at the member registry of server.json, and whether that server answers: psql 'WORDS'")
    }
}
