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
            prunes: request.predicates.map {
                PhotosSpec.listed.decides($0.column) && RowFilter.isUsable($0, spec: spec)
            },
            servesOrder: request.order.allSatisfy { PhotosSpec.listed.decides($0.column) },
            estimatedRows: context.estimatedRows)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        try context.fingerprint {
            MediaKind(rawValue: $0.kind) != nil || $0.kind == SourceContext.companionKind
        }
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list(leavesStatus: true)
        context.estimatedRows = listing.files.count
        let files = ListedFiles(listing, context, assets) { MediaKind(rawValue: $0)?.mimeType }
        return PhotosSnapshot(files, zone: zone)
    }
}

/// The photo folders as they stood when a statement began.
final class PhotosSnapshot: TableSnapshot {
    let files: ListedFiles
    let zone: LocalZone
    private var sideCarProblems = 0
    private lazy var unsettledFolders = SideCarChanges.unsettledFolders(listing)
    private var sideCars = SideCars()

    var listing: FileListing { files.listing }
    var context: SourceContext { files.context }

    init(_ files: ListedFiles, zone: LocalZone) {
        self.files = files
        self.zone = zone
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
        guard let lead = PhotosByDate(request, of: self) else { return nil }
        return ScanOffer(
            prunes: request.predicates.map {
                RowFilter.isUsable($0, spec: PhotosSpec.photos)
                    && (KnownDates.narrows($0) || PhotosSpec.listed.decides($0.column))
            },
            servesOrder: lead.isOrdered || request.order.isEmpty, estimatedRows: listing.files.count)
    }

    /// A picture's rows depend on what lies beside it too, which a watched listing alone knows. All files beside a folder's
    /// pictures count for each of them.
    func groups() throws(Diagnostic) -> [RowGroup]? {
        guard listing.state != nil else { return nil }
        let states = listing.companionStates()
        return listing.groups { states[$0.directory, default: .some(0)] }
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        let rows = PhotoRows(request, of: self)
        return FileScan(
            request, PhotosSpec.photos, files, PhotosSpec.listed, rows: rows,
            serving: request.order.allSatisfy { PhotosSpec.listed.decides($0.column) } ? request.order : [],
            lead: request.group == nil ? PhotosByDate(request, of: self, rows) : nil)
    }
}
