package import EscrowSchema
package import EscrowSourceFiles
internal import EscrowTabular

/// The files of one statement, with all that is known of them without reading.
///
/// A listing may hold names alone: to look at a file (stat(2)) is most of what a listing costs, so a file is looked at when its
/// size, time or content is needed.
package final class ListedFiles {
    /// The listing, with what is known by now.
    package private(set) var listing: FileListing
    package let context: SourceContext
    package let assets: AssetTable
    private let mediaType: @Sendable (_ kind: UInt8) -> String?
    private var opener = FileOpener()
    /// Files that were there when their folders were listed, and were not when they were looked at.
    private var gone: Set<Int> = []
    private let assetFiles: ListedAssets
    private var archives: ListedArchives?
    /// The hash of each folder's path with a slash behind it, with which the hashes of its files' paths begin.
    private lazy var folderHashes = listing.directories.map {
        StableID.hash(($0.path.hasSuffix("/") ? $0.path : $0.path + "/").utf8)
    }
    private lazy var collectionIDs = listing.directories.map {
        $0.parent == nil ? nil : StableID.name($0.path)
    }
    /// Each folder's path below its source; nil for a source's own folder.
    private lazy var folders: [String?] = {
        var folders: [String?] = []
        for directory in listing.directories {
            let above = directory.parent.map { folders[$0].map { $0 + "/" } ?? "" }
            folders.append(above.map { $0 + directory.name })
        }
        return folders
    }()

    package init(
        _ listing: FileListing, _ context: SourceContext, _ assets: AssetTable,
        mediaType: @escaping @Sendable (_ kind: UInt8) -> String? = { _ in nil }
    ) {
        self.listing = listing
        self.context = context
        self.assets = assets
        self.mediaType = mediaType
        assetFiles = ListedAssets(listing)
    }

    /// Tells the owner why a file, or a part of it, is not served.
    package func tell(_ file: Int, _ problem: FileProblem) { context.onSkip(listing.path(file), problem) }

    /// Looks at a file whose size, time and i-node are not known yet; false if there is no such file after all.
    package func know(_ file: Int) -> Bool {
        if listing.files[file].isKnown { return true }
        guard !gone.contains(file) else { return false }
        switch opener.look(at: file, of: listing) {
        case .found(let status):
            listing.learn(file, status)
            return true
        case .gone: break
        case .problem(let problem): tell(file, problem)
        }
        gone.insert(file)
        return false
    }

    /// A handle by which a plugin can ask for the file's bytes. No path leads to a member of an archive.
    private func offer(_ file: Int) -> String {
        let path = listing.path(file)
        let type = mediaType(listing.files[file].kind) ?? "application/octet-stream"
        guard listing.isMember(file) else {
            return assets.offer(path: path, mediaType: type, from: assetFiles, at: listing.place(file))
        }
        let archives = archives ?? ListedArchives(listing)
        self.archives = archives
        return assets.offer(path: path, mediaType: type, opening: archives.opening(file))
    }

    /// ``StableID/name(_:part:)`` of the file's path, of which only the file's own name is hashed here. The bytes are valid
    /// within `body` only.
    private func withID<Result>(_ file: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let folder = Int(listing.files[file].directory)
        guard folder >= 0 else { return StableID.spell(StableID.hash(listing.path(file).utf8), body) }
        let hash = listing.nameBytes(file).withUnsafeBytes { StableID.hash($0, from: folderHashes[folder]) }
        return StableID.spell(hash, body)
    }

    /// A time beyond the years that the text form can spell stands for the epoch, for the column has no null.
    private func modified(_ file: Int) -> Timestamp? {
        Timestamp(microseconds: listing.files[file].modified) ?? Timestamp(microseconds: 0)
    }

    /// The value of a column; null for a handle, and for a file that is gone.
    func value(_ column: ListedColumn, _ file: Int) -> ListedValue {
        if column.needsStatus, !know(file) { return .null }
        let listed = listing.files[file]
        let folder = Int(listed.directory)
        switch column {
        case .asset: return .null
        case .id: return .text(withID(file) { Array($0) }[...])
        case .filename: return .text(listing.nameBytes(file))
        case .path: return ListedValue(listing.relativePath(file))
        case .folder: return ListedValue(folder < 0 ? nil : folders[folder])
        case .collectionID: return ListedValue(folder < 0 ? nil : collectionIDs[folder])
        case .collectionName:
            let directory = folder < 0 ? nil : listing.directories[folder]
            return ListedValue(directory?.parent == nil ? nil : directory?.name)
        case .ending:
            let ending = FileCandidate(name: listing.name(file), folder: "", isRoot: false).ending
            return ListedValue(ending.isEmpty ? nil : ending)
        case .mediaType: return ListedValue(mediaType(listed.kind))
        case .number(let number): return number(listed.kind).map { .integer($0) } ?? .null
        case .size: return .integer(listed.size)
        case .modified: return ListedValue(modified(file)?.iso8601)
        case .created: return ListedValue(opener.birth(of: file, in: listing)?.iso8601)
        }
    }

    func set(_ column: ListedColumn, at position: Int, of file: Int, in row: RowBuilder) {
        guard row.wants(position) else { return }
        switch column {
        case .id: withID(file) { row.set(position, $0) }
        case .asset: row.set(position, offer(file))
        case .modified: if know(file) { row.set(position, modified(file)) }
        default: row.set(position, value(column, file))
        }
    }

    /// All files in an order by such columns; equals stay in the order of the listing.
    func sorted(by terms: [OrderTerm], _ columns: ListedColumns) -> [Int] {
        var order = Array(listing.files.indices)
        // Stable sorts by each term, the last first, give the order by all of them.
        for term in terms.reversed() {
            guard let column = columns.columns[term.column] else { continue }
            let keys = listing.files.indices.map { value(column, $0) }
            order.sort { left, right in
                term.descending ? keys[right].precedes(keys[left]) : keys[left].precedes(keys[right])
            }
        }
        return order
    }
}
