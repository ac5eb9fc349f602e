package import EscrowSchema
package import EscrowSourceFiles

/// Everything about one kind of source: which files it is made of, and which tables they serve.
///
/// A new kind is a type of this shape in a folder of its own, and one line in the lists of its module and of `SourceAdapters`. The
/// command line, the documentation of the schema, `escrow source check` and the messages take what they say from there.
package protocol SourceAdapter: FileChoice {
    /// The word of `escrow source add`.
    var kind: SourceKind { get }
    /// What PATH is, as a noun: "a vCard file, or a folder of them". Shown by `escrow source kinds`.
    var accepts: String { get }
    /// What a folder without any file of the kind holds: "no file .vcf or .vcard". Shown with E0804.
    var nothingFound: String { get }
    /// The number of rows that a plan reckons with before anything was listed.
    var typicalRows: Int { get }
    /// The names of the indexes that its tables keep in the escrow home: they go with a source that is removed.
    var indexNames: [String] { get }
    /// The names among ``specs`` whose rows are made of ``FileFacts``: `escrow source index` reads them beforehand.
    var factsTables: [String] { get }
    /// The tables' shapes, the main table first.
    var specs: [TableSpec] { get }
    /// The names among ``specs`` that `escrow source check` reads and counts: together they read every file, and no file
    /// twice.
    var checkedTables: [String] { get }

    /// A first look at a file that the owner names as a source.
    ///
    /// - Parameter head: its first 64 KiB.
    /// - Returns: why it is not of the kind, in one clause without any of the content; nil if it seems to be. Shown with
    ///   E0804.
    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String?

    /// A first look at a socket that the owner names as a source, of a kind that ``FileChoice/readsSockets``.
    ///
    /// - Returns: why nothing is served from it, in one clause; nil if it is.
    func refusal(socket path: String) -> String?

    /// The tables over the sources of a context, in the order of ``specs``. A row's id is ``RowID/make(file:place:)``.
    func tables(_ context: SourceContext) -> [any TableSource]
}

extension SourceAdapter {
    package var listName: String { kind.rawValue }
    package var indexNames: [String] { [] }
    package var factsTables: [String] { [] }
    package var checkedTables: [String] { specs.prefix(1).map(\.name) }

    package func refusal(socket path: String) -> String? { "it is neither a file nor a folder" }
}
