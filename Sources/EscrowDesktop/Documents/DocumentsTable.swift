internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// `Documents`, served from folders. No file is opened: names and what stat(2) says are all that there is to a row.
struct DocumentsTable: TableSource {
    let context: SourceContext

    var spec: TableSpec { DocumentsSpec.documents }

    /// Terms on names leave files unlooked at, and every order is served, so that a limit looks at no more than it needs.
    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map {
                $0.column != DocumentsSpec.Column.asset.rawValue && RowFilter.isUsable($0, spec: spec)
            },
            servesOrder: request.order.allSatisfy { $0.column != DocumentsSpec.Column.asset.rawValue },
            estimatedRows: context.estimatedRows)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? { try context.fingerprint() }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list(leavesStatus: true)
        context.estimatedRows = listing.files.count
        return DocumentsSnapshot(listing, context: context, assets: assets)
    }
}

/// The folders as they stood when a statement began.
final class DocumentsSnapshot: TableSnapshot {
    let files: LookedUpListing
    let assets: AssetTable
    let opener: ListedAssets
    /// The paths of the folders below their source, as bytes; nil for a source's own folder.
    let folders: [[UInt8]?]

    init(_ listing: FileListing, context: SourceContext, assets: AssetTable) {
        files = LookedUpListing(listing, onProblem: context.onSkip)
        self.assets = assets
        opener = ListedAssets(listing)
        var folders: [[UInt8]?] = []
        for directory in listing.directories {
            let name = Array(directory.name.utf8)
            let above = directory.parent.map { folders[$0] }
            switch above {
            case .none: folders.append(nil)
            case .some(.none): folders.append(name)
            case .some(.some(let above)): folders.append(above + [UInt8(ascii: "/")] + name)
            }
        }
        self.folders = folders
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { DocumentsScan(request, of: self) }
}
