internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// The table that folders of documents serve.
enum DocumentsSpec {
    enum Column: Int, CaseIterable {
        case id, asset, path, folder, filename, fileExtension, mimeType, fileSize, modificationDate,
            creationDate
    }

    static let listed = ListedColumns([
        Column.id: .id, .asset: .asset, .path: .path, .folder: .folder, .filename: .filename,
        .fileExtension: .ending, .mimeType: .mediaType, .fileSize: .size, .modificationDate: .modified,
        .creationDate: .created,
    ])

    static let documents = TableSpec(
        name: "Documents", sourceKind: "documents", summary: "One row is one file in a folder of documents.",
        columns: [
            ColumnSpec("id", .text, nullable: false, cost: .free, "A name made of the file's path."),
            ColumnSpec(
                "asset", .asset, nullable: false, cost: .free,
                "A handle by which a plugin can ask for the file's bytes, in this run alone."),
            ColumnSpec(
                "path", .text, nullable: false, cost: .free,
                "The file's path below the folder, for example `Tax/2025/return.pdf`."),
            ColumnSpec(
                "folder", .text, cost: .free,
                "The sub-folder's path, for example `Tax/2025`; null for files in the folder itself."),
            ColumnSpec("filename", .text, nullable: false, cost: .free, "The file's name with its ending."),
            ColumnSpec(
                "fileExtension", .text, cost: .free, "The ending in small letters, without the dot: `pdf`."),
            ColumnSpec(
                "mimeType", .text, cost: .free,
                "The media type by the ending, for example `application/pdf`; null for an ending not known."),
            ColumnSpec("fileSize", .integer, nullable: false, cost: .free, "The file's size in bytes."),
            ColumnSpec(
                "modificationDate", .timestamp, nullable: false, cost: .free, "When the file last changed."),
            ColumnSpec(
                "creationDate", .timestamp, cost: .free,
                "When the file was made on this disk; null where the file system does not tell."),
        ],
        examples: [
            "SELECT path, fileSize FROM Documents WHERE fileExtension = 'pdf' ORDER BY modificationDate DESC "
                + "LIMIT 20",
            "SELECT fileExtension, count(*) AS files, sum(fileSize) AS bytes FROM Documents "
                + "GROUP BY fileExtension ORDER BY bytes DESC",
            "SELECT asset, filename FROM Documents WHERE folder = 'Tax/2025' AND mimeType = 'application/pdf'",
        ])
}
