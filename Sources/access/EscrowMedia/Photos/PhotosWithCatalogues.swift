internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc

/// `Photos` from folders, then from catalogues: two listings, one table.
struct PhotosWithCatalogues: TableSource {
    private let folders: PhotosTable?
    private let catalogues: FilesTable?

    init(_ context: SourceContext) {
        let named = context.roots.filter(Self.isCatalogue)
        let others = context.roots.filter { !named.contains($0) }
        folders = named.isEmpty || !others.isEmpty ? PhotosTable(context: context.narrowed(to: others)) : nil
        guard !named.isEmpty else {
            catalogues = nil
            return
        }
        var table = PhotoCatalogue.table(context.narrowed(to: named))
        // Behind every number that a folder's file can have but for the last few.
        if !others.isEmpty { table.firstFile = FileListing.fileLimit - SourceContext.sourceLimit }
        catalogues = table
    }

    /// Told by the name, so that nothing is opened before a query runs; but a folder may be called anything.
    private static func isCatalogue(_ path: String) -> Bool {
        var status = stat()
        return path.lowercased().hasSuffix(".db")
            && !(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }

    var spec: TableSpec { PhotosSpec.photos }

    func offer(for request: ScanRequest) -> ScanOffer {
        guard let catalogues else { return folders!.offer(for: request) }
        let own = catalogues.offer(for: request)
        guard let folders else { return own }
        let other = folders.offer(for: request)
        return ScanOffer(
            prunes: zip(own.prunes, other.prunes).map { $0 && $1 }, servesOrder: own.servesOrder,
            estimatedRows: own.estimatedRows + other.estimatedRows)
    }

    /// A database has a log beside it, so a catalogue's own state tells nothing.
    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        catalogues == nil ? try folders!.fingerprint() : nil
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        guard let catalogues else { return try folders!.snapshot(assets: assets) }
        guard let folders else { return try catalogues.snapshot(assets: assets) }
        return JoinedSnapshot(
            first: try folders.snapshot(assets: assets), second: try catalogues.snapshot(assets: assets))
    }
}
