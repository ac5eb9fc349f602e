internal import EscrowDatabaseFiles
internal import EscrowDiagnostics
internal import EscrowJSON
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

extension SourceKind {
    /// A group's account book, as this device keeps it.
    static let accountBook = SourceKind(word: "account-book")
}

/// The records of `apps/account-book`, from the database that `escrow group` keeps of the group on this device. A group's other
/// objects, its keys and its messages are not read.
struct AccountBookAdapter: SourceAdapter {
    let kind = SourceKind.accountBook
    let accepts = "a group's folder in the escrow home, `groups/NAME`, or its group.db"
    let nothingFound = "no group.db"
    let typicalRows = 2_000
    let specs = [AccountBookSpec.expenses]
    var checkedTables: [String] { specs.map(\.name) }

    func classify(_ file: FileCandidate) -> UInt8? { file.isRoot || file.name == "group.db" ? 0 : nil }

    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String? {
        head.starts(with: KeptFiles.signature) ? nil : "it is no SQLite database"
    }

    func tables(_ context: SourceContext) -> [any TableSource] {
        [
            FilesTable(AccountBookSpec.expenses, context, bytesPerRow: 400) {
                database, file throws(Diagnostic) in
                try database.require("shown", ["id", "class", "object"])
                let names = try AccountBookNames(database)
                return QueryReader(
                    database, file,
                    [
                        .init(sql: "SELECT rowid, id, object FROM shown NOT INDEXED WHERE class = 'Record'") {
                            rows, row in
                            guard let id = rows.text(1), let record = AccountBookNames.object(rows.text(2)),
                                let cents = record["cents"]?.integer
                            else { return false }
                            typealias Column = AccountBookSpec.Column
                            func text(_ column: Column, _ value: String?) {
                                row.set(column, repairing: value.map { Array($0.utf8)[...] })
                            }
                            let day = record["day"]?.string
                            row.set(Column.id, repairing: id[...])
                            text(.day, day)
                            text(.month, day.map { String($0.prefix(7)) })
                            row.set(Column.cents, cents)
                            row.set(Column.amount, Double(cents) / 100)
                            text(.classification, names.name(of: record["class"]))
                            text(.account, names.name(of: record["account"]))
                            text(.shop, names.name(of: record["shop"]))
                            text(.note, record["note"]?.string)
                            text(.photo, names.name(of: record["photo"]))
                            row.set(Column.groupName, file.folder)
                            return true
                        }
                    ])
            }
        ]
    }
}

/// What the things are called that records name: they are objects of their own, and may not have arrived yet.
struct AccountBookNames {
    /// The most that are kept; others have no name.
    private static let limit = 100_000
    /// The most bytes of a name: many records may show one.
    private static let length = 1_024
    private var names: [String: String] = [:]

    init(_ database: DatabaseFile) throws(Diagnostic) {
        let rows = try database.scan(
            "SELECT rowid, id, object FROM shown NOT INDEXED WHERE class <> 'Record'")
        while names.count < Self.limit, try rows.next() {
            guard let id = rows.text(1), let name = Self.object(rows.text(2))?["name"]?.string else {
                continue
            }
            names[String(decoding: id, as: UTF8.self)] = String(
                decoding: name.utf8.prefix(Self.length), as: UTF8.self)
        }
    }

    func name(of reference: JSONValue?) -> String? { reference?.string.flatMap { names[$0] } }

    /// An object as the app wrote it; a photo's bytes lie in it, too.
    static func object(_ bytes: [UInt8]?) -> JSONValue? {
        guard let bytes else { return nil }
        return try? JSONParser.parse(bytes, limits: .init(depth: 32, bytes: 16 << 20, values: 100_000)).value
    }
}
