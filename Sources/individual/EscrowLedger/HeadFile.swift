import EscrowDiagnostics

/// A file of heads as it was found, judged.
struct HeadFile: Sendable, Equatable {
    let path: String
    let raw: [UInt8]?
    let pages: [HeadPage?]
    /// Whether a page that is not sound is whole but by another key.
    let isForeign: Bool

    /// Reads and judges a file. `known` are pages whose bytes were found sound before.
    init(
        _ path: String, in files: LedgerFiles, known: [[UInt8]: HeadPage], verifier: some HeadVerifier
    ) throws(Diagnostic) {
        self.path = path
        raw = try files.headBytes(path)
        var pages: [HeadPage?] = []
        var isForeign = false
        for index in 0..<HeadPage.count {
            let start = index * HeadPage.size
            guard let raw, raw.count == HeadPage.size * HeadPage.count else {
                pages.append(nil)
                continue
            }
            let bytes = Array(raw[start..<start + HeadPage.size])
            if let page = known[bytes] {
                pages.append(page)
                continue
            }
            do {
                pages.append(try HeadPage(bytes, verifier: verifier))
            } catch {
                isForeign = isForeign || error == .foreignKey
                pages.append(nil)
            }
        }
        self.pages = pages
        self.isForeign = isForeign
    }

    /// The newest page that is sound.
    var newest: HeadPage? {
        pages.compactMap { $0 }.max {
            ($0.checkpoint.size, $0.checkpoint.generation) < ($1.checkpoint.size, $1.checkpoint.generation)
        }
    }

    /// Whether a page is neither sound nor explained by a write that did not finish.
    var hasUnsoundPage: Bool { pages.contains { $0 == nil } }

    /// Whose turn it is: a page that is not sound, else the older.
    var next: Int {
        if let broken = pages.firstIndex(where: { $0 == nil }) { return broken }
        return pages[0] == newest ? 1 : 0
    }
}
