internal import EscrowSchema

/// All that is to be known of one kind of source: which files it is made of, and which tables they serve.
///
/// A new kind is a type of this shape in a folder of its own, and one line in ``SourceAdapters/all``. The command line, the
/// documentation of the schema, `escrow source check` and the messages take what they say from there.
protocol SourceAdapter: Sendable {
    /// The word of `escrow source add`.
    var kind: SourceKind { get }
    /// What PATH is, as a noun: "a vCard file, or a folder of them". Shown by `escrow source kinds`.
    var accepts: String { get }
    /// What a folder without any file of the kind holds: "no file .vcf or .vcard". Shown with E0804.
    var nothingFound: String { get }
    /// The number of rows that a plan reckons with before anything was listed.
    var typicalRows: Int { get }
    /// Whether entries whose name begins with a dot are looked at.
    var readsHidden: Bool { get }
    /// The name of a folder that marks a hidden folder that holds it as one to be looked into; nil for none.
    var hiddenFolderMarker: String? { get }
    /// Whether ``classify(_:)`` looks at nothing but the ending of a file that lies in a folder.
    var classifiesByEnding: Bool { get }
    /// The names of the indexes that its tables keep in the escrow home: they go with a source that is removed.
    var indexNames: [String] { get }
    /// The names among ``specs`` whose rows are made of ``FileFacts``: `escrow source index` reads them beforehand.
    var factsTables: [String] { get }
    /// The tables' shapes, the main table first.
    var specs: [TableSpec] { get }
    /// The names among ``specs`` that `escrow source check` reads and counts: together they read every file, and no file
    /// twice.
    var checkedTables: [String] { get }

    /// Recognises a file by its name.
    ///
    /// - Returns: any number that the tables want to find in ``FileListing/File/kind``; nil for a file of another kind.
    func classify(_ file: FileCandidate) -> UInt8?

    /// The endings of zip archives whose members are read as files of a folder are; empty for a kind that reads none.
    var archiveEndings: Set<String> { get }

    /// Recognises a member of an archive by its path in it, as ``classify(_:)`` does a file.
    func classifyMember(_ path: String) -> UInt8?

    /// Whether a file, by its name, may tell more of those that are listed, without being one of them.
    func isCompanion(_ file: FileCandidate) -> Bool

    /// A first look at a file that the owner names as a source.
    ///
    /// - Parameter head: its first 64 KiB.
    /// - Returns: why it is not of the kind, in one clause without any of the content; nil if it seems to be. Shown with
    ///   E0804.
    func refusal(_ head: ArraySlice<UInt8>, of file: FileCandidate) -> String?

    /// The tables over the sources of a context, in the order of ``specs``. A row's id is ``RowID/make(file:place:)``.
    func tables(_ context: SourceContext) -> [any TableSource]
}

extension SourceAdapter {
    var readsHidden: Bool { false }
    var hiddenFolderMarker: String? { nil }
    var classifiesByEnding: Bool { false }
    var indexNames: [String] { [] }
    var factsTables: [String] { [] }
    var checkedTables: [String] { specs.prefix(1).map(\.name) }

    func isCompanion(_ file: FileCandidate) -> Bool { false }
    var archiveEndings: Set<String> { [] }

    func classifyMember(_ path: String) -> UInt8? {
        let parts = path.split(separator: "/")
        guard let name = parts.last else { return nil }
        return classify(
            FileCandidate(
                name: String(name), folder: parts.dropLast().last.map(String.init) ?? "", isRoot: false))
    }

    /// Recognises a file by its name: an archive, or one of the kind.
    func classifyOrArchive(_ file: FileCandidate) -> UInt8? {
        if archiveEndings.contains(file.ending) { return ListedArchive.kind }
        return classify(file)
            ?? (!archiveEndings.isEmpty && ListedArchive.isTar(file.ending) ? ListedArchive.tarKind : nil)
    }

    /// A listing of the files of some sources; archives are still closed.
    func walk(onProblem: @escaping (_ path: String, _ problem: FileProblem) -> Void) -> FolderWalk {
        FolderWalk(
            readsHidden: readsHidden, hiddenFolderMarker: hiddenFolderMarker,
            classify: { self.classifyOrArchive($0) },
            isCompanion: { self.isCompanion($0) },
            classifiesByEnding: classifiesByEnding,
            onProblem: { path, problem in
                let name =
                    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[$0...].dropFirst() } ?? path[...]
                let file = FileCandidate(name: String(name), folder: "", isRoot: false)
                if problem != .notThisKind || !self.isCompanion(file) { onProblem(path, problem) }
            })
    }
}

/// A file that a walk comes upon, before it was opened.
struct FileCandidate {
    /// Its own name.
    let name: String
    /// The name of the folder that it lies in; empty for a file that the owner named.
    let folder: String
    /// Whether the owner named this very file as the source. It is then mostly taken whatever its ending is.
    let isRoot: Bool

    /// What follows the last dot of the name, with small letters; empty if there is none.
    var ending: String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return "" }
        return name[dot...].dropFirst().lowercased()
    }
}

/// The ids of rows: places in a statement's listing.
enum RowID {
    /// The number of bits for the place within a file.
    static let placeBits = 44

    /// The id of the row that begins at `place` of a file: an offset, or a record's number.
    static func make(file: Int, place: Int64) -> Int64 {
        Int64(file) << Int64(placeBits) | (place & (1 << Int64(placeBits) - 1))
    }

    /// The file of a row, by its position in the listing.
    static func file(of id: Int64) -> Int { Int(id >> Int64(placeBits)) }

    /// The place of a row within its file.
    static func place(of id: Int64) -> Int64 { id & (1 << Int64(placeBits) - 1) }
}
