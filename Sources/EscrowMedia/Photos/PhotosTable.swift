internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// `Photos`, served from folders of pictures.
struct PhotosTable: TableSource {
    let context: SourceContext
    var zone = LocalZone.machine

    var spec: TableSpec { PhotosSpec.photos }

    /// Terms on what the listing knows leave files unopened, and an order by such columns is served, so that a limit
    /// opens no more files than it needs. Terms on the header drop rows too, but only after the header was read.
    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { isFree($0.column) && RowFilter.isUsable($0, spec: spec) },
            servesOrder: request.order.allSatisfy { isFree($0.column) },
            estimatedRows: context.estimatedRows)
    }

    private func isFree(_ column: Int) -> Bool {
        spec.columns.indices.contains(column) && spec.columns[column].cost == .free
            && column != PhotosSpec.Column.asset.rawValue
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        try context.fingerprint {
            MediaKind(rawValue: $0.kind) != nil || $0.kind == SourceContext.companionKind
        }
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list(leavesStatus: true)
        context.estimatedRows = listing.files.count
        return PhotosSnapshot(listing: listing, context: context, assets: assets, zone: zone)
    }
}

/// The photo folders as they stood when a statement began.
final class PhotosSnapshot: TableSnapshot {
    private(set) var listing: FileListing
    let context: SourceContext
    let assets: AssetTable
    let zone: LocalZone
    /// The collections' ids, by folder; nil for a source's own folder.
    let collectionIDs: [String?]
    /// The hashes of the folders' paths, with a slash behind, as ``StableID`` has them: a photo's id is a name made of its path.
    private let folderNames: [UInt128]
    private var sideCarProblems = 0
    private lazy var unsettledFolders = SideCarChanges.unsettledFolders(listing)
    private var opener = FileOpener()
    private var sideCars = SideCars()
    private var archives: ListedArchives?
    private let files: ListedAssets
    /// Files that were there when their folders were listed, and were not when they were looked at.
    private var gone: Set<Int> = []

    init(listing: FileListing, context: SourceContext, assets: AssetTable, zone: LocalZone) {
        self.listing = listing
        files = ListedAssets(listing)
        self.context = context
        self.assets = assets
        self.zone = zone
        collectionIDs = listing.directories.map { $0.parent == nil ? nil : StableID.name($0.path) }
        folderNames = listing.directories.map {
            StableID.hash(($0.path.hasSuffix("/") ? $0.path : $0.path + "/").utf8)
        }
    }

    /// A photo's id: ``StableID/name(_:part:)`` of its path, of which only the file's own name is hashed here. The bytes are
    /// valid within `body` only.
    func withID<Result>(_ index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let directory = Int(listing.files[index].directory)
        guard directory >= 0 else { return StableID.spell(StableID.hash(listing.path(index).utf8), body) }
        return StableID.spell(
            listing.nameBytes(index).withUnsafeBytes { StableID.hash($0, from: folderNames[directory]) }, body
        )
    }

    /// Looks at a file whose size, time and i-node are not known yet; false if there is no such file after all.
    func know(_ index: Int) -> Bool {
        if listing.files[index].isKnown { return true }
        guard !gone.contains(index) else { return false }
        switch opener.look(at: index, of: listing) {
        case .found(let status):
            listing.learn(index, status)
            return true
        case .gone: break
        case .problem(let problem): context.onSkip(listing.path(index), problem)
        }
        gone.insert(index)
        return false
    }

    /// The handle of a picture. No path leads to a member of an archive.
    func offer(_ index: Int, _ mediaType: String) -> String {
        let path = listing.path(index)
        guard listing.member(index) != nil else {
            return assets.offer(path: path, mediaType: mediaType, from: files, at: listing.place(index))
        }
        let archives = archives ?? ListedArchives(listing)
        self.archives = archives
        return assets.offer(path: path, mediaType: mediaType, opening: archives.opening(index))
    }

    /// Adds what the files beside a picture say of it; false if something could not be read.
    @discardableResult
    func addSideCars(to facts: inout ImageFacts, of index: Int) -> Bool {
        let before = sideCarProblems
        sideCars.add(to: &facts, of: index, in: listing, zone: zone) { [unowned self] path, problem in
            sideCarProblems += 1
            context.onSkip(path, problem)
        }
        return sideCarProblems == before
    }

    /// Whether a picture's date may be kept as long as nothing changes: neither it nor what may lie beside it changed so recently
    /// that it might change again within one step of the clock.
    func isSettled(_ index: Int, withSideCars: Bool) -> Bool {
        let file = listing.files[index]
        guard file.latest < listing.begun - FileListing.clockStep else { return false }
        return !withSideCars || !unsettledFolders.contains(file.directory)
    }

    func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? {
        guard let way = PhotosByDate(request, of: self) else { return nil }
        return ScanOffer(
            prunes: request.predicates.map {
                RowFilter.isUsable($0, spec: PhotosSpec.photos)
                    && (KnownDates.narrows($0) || PhotosSpec.Column(rawValue: $0.column)?.isFree ?? false)
            },
            servesOrder: way.isOrdered || request.order.isEmpty, estimatedRows: listing.files.count)
    }

    /// A picture's rows hang on what lies beside it too, which a watched listing alone knows: all of a folder's, for short.
    func groups() throws(Diagnostic) -> [RowGroup]? {
        guard listing.state != nil else { return nil }
        let states = listing.companionStates()
        return listing.groups { states[$0.directory, default: .some(0)] }
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { PhotosScan(request, of: self) }
}
