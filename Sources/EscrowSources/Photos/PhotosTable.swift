internal import EscrowDiagnostics
internal import EscrowSchema

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

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list()
        context.estimatedRows = listing.files.count
        return PhotosSnapshot(listing: listing, context: context, assets: assets, zone: zone)
    }
}

/// The photo folders as they stood when a statement began.
final class PhotosSnapshot: TableSnapshot {
    let listing: FileListing
    let context: SourceContext
    let assets: AssetTable
    let zone: LocalZone
    /// The collections' ids, by folder; nil for a source's own folder.
    let collectionIDs: [String?]

    init(listing: FileListing, context: SourceContext, assets: AssetTable, zone: LocalZone) {
        self.listing = listing
        self.context = context
        self.assets = assets
        self.zone = zone
        collectionIDs = listing.directories.map { $0.parent == nil ? nil : StableID.name($0.path) }
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { PhotosScan(request, of: self) }
}
