internal import EscrowDiagnostics
internal import EscrowSchema
internal import Synchronization

/// What every table of a kind shares: where its files are, and whom to tell about those that cannot be served.
final class SourceContext: Sendable {
    /// The paths that the owner added, in order.
    let roots: [String]
    /// Told about each file or part of one that was left out.
    let onSkip: @Sendable (_ path: String, _ problem: FileProblem) -> Void
    /// The number of rows that the last snapshot suggested; a plan needs a number before anything is listed.
    private let lastEstimate: Mutex<Int>

    init(roots: [String], estimate: Int, onSkip: @escaping @Sendable (String, FileProblem) -> Void) {
        self.roots = roots
        self.onSkip = onSkip
        lastEstimate = Mutex(estimate)
    }

    var estimatedRows: Int {
        get { lastEstimate.withLock { $0 } }
        set { lastEstimate.withLock { $0 = max(1, newValue) } }
    }

    /// Lists the files of all sources.
    ///
    /// - Throws: E0801 if there is no source of the kind, E0808 if one is gone.
    func list(kind: SourceKind) throws(Diagnostic) -> FileListing {
        guard !roots.isEmpty else { throw .noSource(kind) }
        let onSkip = self.onSkip
        let walk = FolderWalk(classify: kind.classify) { path, problem in
            // What is no file of the kind is no loss; `escrow source check` lists it all the same.
            if problem != .notThisKind { onSkip(path, problem) }
        }
        return try walk.list(roots)
    }
}
