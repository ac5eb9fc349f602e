package import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowSourceFiles

/// The rows of one query after the other, each as a row of a table.
///
/// A row's place is its number, which stays the same in every scan: the private copy does not change, and the queries run
/// in the order of row ids.
package final class QueryReader: RowReader {
    /// A query whose first column is the row id, and what its rows mean.
    package struct Query {
        package let sql: String
        /// Sets the values of a row; false if it is none.
        package let read: (DatabaseRows, RowBuilder) -> Bool

        package init(sql: String, read: @escaping (DatabaseRows, RowBuilder) -> Bool) {
            self.sql = sql
            self.read = read
        }
    }

    private let database: DatabaseFile
    private let queries: [Query]
    private let onProblem: (FileProblem) -> Void
    private var nextQuery = 0
    private var rows: DatabaseRows?
    private var place: Int64 = 0

    package init(_ database: DatabaseFile, _ file: FilesTable.File, _ queries: [Query]) {
        self.database = database
        self.queries = queries
        onProblem = file.onProblem
    }

    package func next(_ row: RowBuilder) -> Bool {
        do throws(Diagnostic) {
            while true {
                if rows == nil {
                    guard nextQuery < queries.count else { return false }
                    rows = try database.scan(queries[nextQuery].sql, joins: true)
                    nextQuery += 1
                }
                if let rows, try rows.next() {
                    row.place = place
                    place += 1
                    if !queries[nextQuery - 1].read(rows, row) { row.ruleOut() }
                    return true
                }
                rows = nil
            }
        } catch {
            onProblem(FileProblem(error, partial: place > 0))
            nextQuery = queries.count
            rows = nil
            return false
        }
    }
}
