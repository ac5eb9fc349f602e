internal import EscrowSchema

/// A column whose value the listing knows: the file is not opened for it, and a term on it spares the reading of files.
package enum ListedColumn: Sendable {
    /// A name made of the file's path.
    case id
    /// A handle by which a plugin can ask for the file's bytes.
    case asset
    /// The file's own name.
    case filename
    /// The file's path below the source's folder.
    case path
    /// The sub-folder's path below the source's folder; null in the source's folder itself.
    case folder
    /// The sub-folder's own name, and a name made of its path; null in the source's folder itself.
    case collectionName, collectionID
    /// The ending in small letters, without its dot.
    case ending
    /// The media type that the ending tells.
    case mediaType
    /// A number that the ending tells.
    case number(@Sendable (_ kind: UInt8) -> Int64?)
    /// The size in bytes.
    case size
    /// When the file last changed, and when it was made on this disk.
    case modified, created

    /// Whether the file must be looked at. Names are known from the folder.
    var needsStatus: Bool {
        switch self {
        case .size, .modified, .created: true
        default: false
        }
    }

    /// Whether all files of a folder have the same value.
    var isOfFolder: Bool {
        switch self {
        case .folder, .collectionName, .collectionID: true
        default: false
        }
    }

    /// Whether the value means nothing outside this run: no term and no order is decided by it.
    var isHandle: Bool { if case .asset = self { true } else { false } }
}

/// A value that the listing knows.
package enum ListedValue {
    case integer(Int64)
    case text(ArraySlice<UInt8>)
    case null

    init(_ text: String?) { self = text.map { .text(Array($0.utf8)[...]) } ?? .null }

    /// Whether it comes first in an order; null does.
    func precedes(_ other: ListedValue) -> Bool {
        switch (self, other) {
        case (.null, .integer), (.null, .text): true
        case (.integer(let a), .integer(let b)): a < b
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: false
        }
    }
}

extension RowBuilder {
    func set(_ column: Int, _ value: ListedValue) {
        switch value {
        case .integer(let value): set(column, value)
        case .text(let text): set(column, text)
        case .null: break
        }
    }
}

extension RowFilter {
    /// Whether a row with this value may meet all terms on the column.
    func admits(_ column: Int, _ value: ListedValue) -> Bool {
        switch value {
        case .integer(let value): admits(column, integer: value)
        case .text(let text): admits(column, text: text)
        case .null: admits(column, text: nil)
        }
    }
}

/// The columns of a table that its listing knows, by position.
package struct ListedColumns: Sendable {
    let columns: [Int: ListedColumn]

    package init(_ columns: [Int: ListedColumn] = [:]) { self.columns = columns }

    /// By the table's own list of columns.
    package init<Column: RawRepresentable<Int> & Hashable>(_ columns: [Column: ListedColumn]) {
        self.columns = Dictionary(uniqueKeysWithValues: columns.map { ($0.key.rawValue, $0.value) })
    }

    /// Whether terms and orders can be decided by the column before a file is opened.
    package func decides(_ column: Int) -> Bool { columns[column].map { !$0.isHandle } ?? false }
}
