package import EscrowDiagnostics
package import EscrowSchema
package import EscrowSourceFiles
internal import EscrowTabular
internal import Synchronization

/// What every table of a kind shares: where its files are, and whom to tell about those that cannot be served.
package final class SourceContext: Sendable {
    /// What the kind's files are.
    package let adapter: any SourceAdapter
    /// The paths that the owner added, in order.
    package let roots: [String]
    /// Told about each file or part of one that was left out.
    package let onSkip: @Sendable (_ path: String, _ problem: FileProblem) -> Void
    /// A listing that was made before, for a reader that counts by it.
    private let listing: FileListing?
    /// What was read and listed before; nil where nothing is kept.
    package let memory: SourceMemory?
    /// The most sources that a person can add.
    package static let sourceLimit = 256
    /// What the kind's tables read together for one statement.
    package let shared = StatementShare()
    /// The number of rows that the last snapshot suggested; a plan needs a number before anything is listed.
    private let lastEstimate: Mutex<Int>

    package init(
        _ adapter: any SourceAdapter, roots: [String], listing: FileListing? = nil,
        memory: SourceMemory? = nil,
        onSkip: @escaping @Sendable (String, FileProblem) -> Void
    ) {
        self.adapter = adapter
        self.roots = roots
        self.listing = listing
        self.memory = memory
        let list = adapter.listName
        self.onSkip = { path, problem in
            // What is no file of the kind is no loss; `escrow source check`, which brings its listing, tells it.
            guard problem != .notThisKind || listing != nil else { return }
            if problem == .changed { memory?.watch(list, roots)?.doubt() }
            onSkip(path, problem)
        }
        lastEstimate = Mutex(adapter.typicalRows)
    }

    /// The same for some of the sources alone.
    package func narrowed(to some: [String]) -> SourceContext {
        some == roots
            ? self
            : SourceContext(
                adapter, roots: some, listing: listing, memory: memory, onSkip: onSkip)
    }

    package var estimatedRows: Int {
        get { lastEstimate.withLock { $0 } }
        set { lastEstimate.withLock { $0 = max(1, newValue) } }
    }

    /// What a table offers whose terms spare the building of rows, and whose rows come in the order of the files only.
    package func offerInFileOrder(_ request: ScanRequest, spec: TableSpec) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { RowFilter.isUsable($0, spec: spec) },
            servesOrder: request.order.isEmpty, estimatedRows: estimatedRows)
    }

    /// Lists the files of all sources.
    ///
    /// - Parameter leavesStatus: whether files may be listed by name alone, to be looked at when they are needed.
    /// - Throws: E0801 if there is no source of the kind, E0808 if one is gone.
    package func list(leavesStatus: Bool = false) throws(Diagnostic) -> FileListing {
        guard !roots.isEmpty else { throw .noSource(adapter.kind) }
        if let listing { return listing }
        return try walked(leavesStatus: leavesStatus, onProblem: onSkip)
    }

    private func walked(
        leavesStatus: Bool = false, onProblem: @escaping (String, FileProblem) -> Void
    ) throws(Diagnostic) -> FileListing {
        var walk = adapter.walk(onProblem: onProblem)
        let archives = ArchiveListing(choice: adapter, memory: memory?.archives, onProblem: onProblem)
        if let watch = memory?.watch(adapter.listName, roots) {
            return archives.expanded(try watch.list(walk, roots))
        }
        walk.leavesStatus = leavesStatus
        return archives.expanded(try walk.list(roots))
    }

    /// Lists the files of all sources, and estimates their rows by their size.
    ///
    /// - Throws: as ``list()``.
    package func list(bytesPerRow: Int64) throws(Diagnostic) -> FileListing {
        let listing = try list()
        let bytes = listing.files.reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        estimatedRows = max(listing.files.count, Int(clamping: bytes / bytesPerRow))
        return listing
    }

    /// Stands in a fingerprint's listing for ``FileChoice/isCompanion(_:)``.
    package static let companionKind: UInt8 = 254

    /// The facts of a listed file whose status is known: those kept, or those that are read now, and then kept.
    ///
    /// - Parameter read: reads them from the file; nil if it cannot be read.
    package func facts<Facts: FileFacts>(
        _ type: Facts.Type, of index: Int, in listing: FileListing, reading read: () -> Facts?
    ) -> Facts? {
        guard let memory else { return read() }
        let known = memory.index(type)
        let key = listing.key(index)
        if let facts = known.facts(key) { return facts }
        guard let facts = read() else { return nil }
        if listing.isSettled(index) { known.add(key, facts) }
        return facts
    }

    /// The state of all files that a listing would find: their names, i-nodes, sizes and times of change.
    ///
    /// - Parameter tellsAll: whether a file's own state tells all that its rows depend on; a database also has a log beside it.
    /// - Returns: nil where a file does not tell, or changed so recently that it might change again within one step of the
    ///   file system's clock.
    /// - Throws: as ``list()``.
    package func fingerprint(
        tellsAll: (FileListing.File) -> Bool = { _ in true }
    ) throws(Diagnostic) -> TableFingerprint? {
        guard !roots.isEmpty else { throw .noSource(adapter.kind) }
        // What lies beside the files may change their rows as well.
        let walk = FolderWalk(
            readsHidden: adapter.readsHidden, hiddenFolderMarker: adapter.hiddenFolderMarker,
            classify: { [adapter] file in
                adapter.classifyOrArchive(file)
                    ?? (!file.isRoot && adapter.isCompanion(file) ? Self.companionKind : nil)
            },
            classifiesByEnding: adapter.classifiesByEnding, onProblem: { _, _ in })
        let listing: FileListing
        if let watch = memory?.watch(adapter.listName, roots, "with companions") {
            listing = try watch.list(walk, roots)
        } else {
            listing = try walk.list(roots)
        }
        let settled = Timestamp.currentTime.microseconds - FileListing.clockStep
        var hash = FNV.hash([])
        for directory in listing.directories { hash = FNV.hash(directory.path.utf8, from: hash &+ 1) }
        for (index, file) in listing.files.enumerated() {
            guard ListedArchive.tarKind...ListedArchive.kind ~= file.kind || tellsAll(file),
                file.latest < settled
            else {
                return nil
            }
            hash = FNV.hash(listing.nameBytes(index), from: hash &+ 1)
            let place = [
                UInt64(file.kind), UInt64(bitPattern: Int64(file.directory)), UInt64(file.root),
            ]
            hash = FNV.hash(
                words: listing.status(index)?.words ?? [], from: FNV.hash(words: place, from: hash))
        }
        return TableFingerprint("\(listing.files.count) \(hash)")
    }
}

extension Diagnostic {
    static func noSource(_ kind: SourceKind) -> Diagnostic {
        Diagnostic(
            .noSourceOfKind, "no \(kind.rawValue) source",
            help: "add one with `escrow source add \(kind.rawValue) PATH`")
    }
}
