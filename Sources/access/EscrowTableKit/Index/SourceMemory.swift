public import EscrowDiagnostics
package import EscrowFormats
package import EscrowSourceFiles
internal import Glibc
internal import Synchronization

/// What a process remembers of sources between queries: the facts of files, kept in the escrow home, and the listings of folders
/// that it watches.
///
/// It never changes an answer, only how much must be read for it.
public final class SourceMemory: Sendable {
    private struct State {
        var isWatching = false
        var watches: [String: FolderWatch] = [:]
        var filesRead = 0
        var kept: [ObjectIdentifier: [[String]: any AnyObject & Sendable]] = [:]
        var indexes: [String: any Refreshable & Sendable] = [:]
        var onNotice: @Sendable (Diagnostic) -> Void = { _ in }
        var told: Set<String> = []
        var onProgress: @Sendable (ReadingProgress) -> Void = { _ in }
    }

    private let directory: String
    private let zone: LocalZone
    package let archives = ArchiveMemory()
    private let state = Mutex(State())

    /// What is remembered for the sources of an escrow home. Nothing is read before the first query.
    public convenience init(directory: String) { self.init(directory: directory, zone: .machine) }

    package init(directory: String, zone: LocalZone) {
        self.directory = directory
        self.zone = zone
    }

    /// Is told, from whatever thread a query runs on, when something remembered cannot be used, E0851 to E0855, or that not
    /// all files can be listed, E0838. The text holds no value of the person's data.
    public func onNotice(_ body: @escaping @Sendable (Diagnostic) -> Void) {
        state.withLock { $0.onNotice = body }
    }

    /// Is told, from whatever thread a query runs on, how far the reading of files is that are not known yet: a few times
    /// a second, and at its end.
    public func onProgress(_ body: @escaping @Sendable (ReadingProgress) -> Void) {
        state.withLock { $0.onProgress = body }
    }

    /// From now on keeps the listings of folders, and looks again only at files of which the kernel says that they changed.
    /// For a process that stays: the first listing of each kind takes longer.
    public func watchFolders() { state.withLock { $0.isWatching = true } }

    /// Files that were opened because their facts were not known, since the process began.
    public var filesRead: Int { state.withLock { $0.filesRead } }

    /// Files that were looked at, since folders are watched.
    public var filesLookedAt: Int {
        state.withLock { Array($0.watches.values) }.reduce(0) { $0 + $1.looks }
    }

    package func countRead() { state.withLock { $0.filesRead += 1 } }

    /// The watch over a kind's sources; nil in a process that does not stay.
    ///
    /// - Parameter list: ``FileChoice/listName``.
    /// - Parameter purpose: tells watches apart that list different files of the same sources.
    package func watch(_ list: String, _ roots: [String], _ purpose: String = "") -> FolderWatch? {
        state.withLock { state in
            guard state.isWatching else { return nil }
            let key = ([list, purpose] + roots).joined(separator: "\0")
            if let known = state.watches[key] { return known }
            // Sources change seldom: where there are too many entries, all are dropped.
            if state.watches.count >= 64 { state.watches = [:] }
            let made = FolderWatch { [weak self] in self?.notice($0) }
            state.watches[key] = made
            return made
        }
    }

    /// What a kind keeps between queries, by its own type and, where it keeps several, by the sources that each is about.
    package func kept<Kept: AnyObject & Sendable>(about roots: [String] = [], make: () -> Kept) -> Kept {
        state.withLock { state in
            let type = ObjectIdentifier(Kept.self)
            if let known = state.kept[type]?[roots] as? Kept { return known }
            // As with watches.
            if state.kept[type, default: [:]].count >= 8 { state.kept[type] = [:] }
            let made = make()
            state.kept[type, default: [:]][roots] = made
            return made
        }
    }

    package func index<Facts: FileFacts>(_ type: Facts.Type) -> FactsIndex<Facts> {
        state.withLock { state in
            if let known = state.indexes[Facts.indexName] as? FactsIndex<Facts> { return known }
            let path = Self.path(of: Facts.indexName, in: directory)
            let made = FactsIndex<Facts>(path: path, zone: zone) { [weak self] in self?.notice($0) }
            state.indexes[Facts.indexName] = made
            return made
        }
    }

    /// Looks whether other processes changed what is kept in files.
    package func refresh() {
        for index in state.withLock({ Array($0.indexes.values) }) { index.refresh() }
    }

    /// The same, once in a process.
    package func noticeOnce(_ diagnostic: Diagnostic, about subject: String) {
        let isNew = state.withLock { $0.told.insert("\(diagnostic.code.rawValue) \(subject)").inserted }
        if isNew { notice(diagnostic) }
    }

    func notice(_ diagnostic: Diagnostic) { state.withLock { $0.onNotice }(diagnostic) }

    package func progress(_ progress: ReadingProgress) { state.withLock { $0.onProgress }(progress) }

    /// Where an index lies.
    package func path(of name: String) -> String { Self.path(of: name, in: directory) }

    /// Where an index of an escrow home lies.
    package static func path(of name: String, in directory: String) -> String {
        "\(directory)/index/\(name).cache"
    }
}

/// Something that is also kept in a file.
protocol Refreshable {
    func refresh()
}

extension FactsIndex: Refreshable {}
