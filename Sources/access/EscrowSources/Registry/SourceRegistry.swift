public import EscrowDiagnostics
public import EscrowFiles
internal import EscrowJSON
public import EscrowSchema
internal import EscrowSourceFiles
public import EscrowTableKit
public import EscrowTabular
internal import Glibc

/// The sources that a person added, kept in `sources.json` of a folder that the host chooses.
///
///     var registry = try SourceRegistry.load(directory: home)
///     try registry.add(kind: "contacts", path: "contacts.vcf")
///     try registry.save()
///     for table in registry.tables() { engine.register(table) }
public struct SourceRegistry: Sendable {
    /// The sources in the order in which they were added; rows come in this order.
    public private(set) var entries: [SourceEntry]
    private let directory: String

    /// The name of the file in the folder.
    public static let filename = "sources.json"
    /// The most sources that can be added.
    public static let entryLimit = SourceContext.sourceLimit

    /// Every table that exists, whether or not it has a source.
    public static let allSpecs: [TableSpec] = SourceAdapters.all.flatMap(\.specs)

    /// Reads the sources of a folder; none if it has no file of them yet.
    ///
    /// - Throws: E0807 if the file is damaged.
    public static func load(directory: String) throws(Diagnostic) -> SourceRegistry {
        let path = SourceFileFormat.path(in: directory)
        guard let bytes = try SourceFileFormat.file(in: directory).read() else {
            return SourceRegistry(entries: [], directory: directory)
        }
        return SourceRegistry(entries: try SourceFileFormat.read(bytes, path: path), directory: directory)
    }

    /// The list of a folder's sources, for a process that asks for it again and again.
    public static func list(of directory: String) -> ParsedFile<[SourceEntry]> {
        ParsedFile(SourceFileFormat.file(in: directory))
    }

    /// The same as ``load(directory:)``, parsed anew only where the file has changed.
    public static func load(
        directory: String, from list: ParsedFile<[SourceEntry]>
    ) throws(Diagnostic) -> SourceRegistry {
        let entries = try list.value { (bytes) throws(Diagnostic) in
            try SourceFileFormat.read(bytes, path: SourceFileFormat.path(in: directory))
        }
        return SourceRegistry(entries: entries ?? [], directory: directory)
    }

    /// A registry of one source, to look at what it would serve; nothing of it is kept.
    ///
    /// - Throws: as ``add(kind:path:now:)``.
    public static func of(kind: String, path: String) throws(Diagnostic) -> SourceRegistry {
        var registry = SourceRegistry(entries: [], directory: "")
        try registry.add(kind: kind, path: path)
        return registry
    }

    /// Writes the sources; after a crash there is the old file or the new one.
    public func save() throws(Diagnostic) {
        let file = SourceFileFormat.file(in: directory)
        try file.replace(with: SourceFileFormat.write(entries)) { (bytes) throws(Diagnostic) in
            _ = try SourceFileFormat.read(bytes, path: file.path)
        }
    }

    /// Adds a source after a look at it. ``save()`` makes it last.
    ///
    /// - Throws: E0802 for an unknown kind, E0803 if the path cannot be opened, E0804 if it does not look like the kind,
    ///   E0805 if it lies within another source of the kind or holds one, E0810 beyond ``entryLimit``.
    @discardableResult
    public mutating func add(
        kind word: String, path: String, now: Timestamp? = nil
    ) throws(Diagnostic) -> SourceEntry {
        guard let kind = SourceKind(rawValue: word), let adapter = SourceAdapters[kind] else {
            throw .unknownKind(word)
        }
        guard entries.count < Self.entryLimit else {
            throw Diagnostic(
                .tooManySources, "there are \(entries.count) sources already",
                help: "remove one, or add a folder that holds several")
        }
        let absolute = Self.absolute(path)
        try SourceProbe.check(absolute, looksLike: adapter)
        let real = Self.resolved(absolute)
        for entry in entries where entry.kind == kind {
            let other = Self.resolved(entry.path)
            if real == other || Self.isWithin(real, other) || Self.isWithin(other, real) {
                throw .overlaps(kind, absolute, entry.path)
            }
        }
        let entry = SourceEntry(kind: kind, path: absolute, added: now ?? .currentTime)
        entries.append(entry)
        return entry
    }

    /// Removes a source; the files stay where they are.
    ///
    /// - Throws: E0802 for an unknown kind, E0806 if there is no such source.
    @discardableResult
    public mutating func remove(kind word: String, path: String) throws(Diagnostic) -> SourceEntry {
        guard let kind = SourceKind(rawValue: word) else { throw .unknownKind(word) }
        let absolute = Self.absolute(path)
        let index = entries.firstIndex { $0.kind == kind && ($0.path == path || $0.path == absolute) }
        guard let index else { throw .noSuchSource(kind, path) }
        // What was kept of its files goes with it; those of other sources are read once more.
        for name in SourceAdapters[kind]?.indexNames ?? [] {
            unlink(SourceMemory.path(of: name, in: directory))
        }
        return entries.remove(at: index)
    }

    /// All tables over the sources as they are now; sources of one kind are read one after the other. A table without
    /// a source is among them, and using it is E0801.
    ///
    /// - Parameter memory: what earlier queries of this process remember; by default what is kept in the folder.
    /// - Parameter onSkip: told, from whatever thread a scan runs on, about each file, or part of one, that was left out.
    public func tables(
        memory: SourceMemory? = nil,
        onSkip: @escaping @Sendable (_ path: String, _ reason: String) -> Void = { _, _ in }
    ) -> [any TableSource] {
        let memory = memory ?? SourceMemory(directory: directory)
        memory.refresh()
        return SourceAdapters.all.flatMap { adapter in
            let context = SourceContext(adapter, roots: roots(adapter.kind), memory: memory) {
                Self.tell($1, of: adapter.kind, to: memory)
                onSkip($0, $1.sentence)
            }
            return adapter.tables(context)
        }
    }

    /// Reads of all files whose facts are kept those that are not known yet, so that later queries need not.
    ///
    /// - Returns: the kinds that keep facts and have sources, with the rows that they serve.
    /// - Throws: E0808 if a source is gone.
    public func readFacts(memory: SourceMemory) throws(Diagnostic) -> [(kind: SourceKind, rows: Int)] {
        memory.refresh()
        var kinds: [(kind: SourceKind, rows: Int)] = []
        for adapter in SourceAdapters.all where !adapter.factsTables.isEmpty && !roots(adapter.kind).isEmpty {
            let context = SourceContext(adapter, roots: roots(adapter.kind), memory: memory) { _, _ in }
            var rows = 0
            for table in adapter.tables(context) where adapter.factsTables.contains(table.spec.name) {
                let columns = table.spec.columns.indices.filter { table.spec.columns[$0].cost != .free }
                let scan = try table.snapshot(assets: AssetTable())
                    .scan(ScanRequest(columns: ColumnMask(columns)))
                let chunk = ColumnChunk(spec: table.spec)
                while try scan.next(into: chunk) { rows += chunk.rowCount }
            }
            kinds.append((adapter.kind, rows))
        }
        return kinds
    }

    /// `escrow source check` tells of single files. Where there are more files than are listed every answer is incomplete,
    /// so the first one says so.
    static func tell(_ problem: FileProblem, of kind: SourceKind, to memory: SourceMemory) {
        if problem == .tooManyFiles { memory.noticeOnce(.incompleteListing(kind), about: kind.rawValue) }
    }

    /// Reads every source from end to end and tells, file by file, what is served and what is not.
    public func check() -> [SourceReport] { entries.map { SourceChecker($0).report() } }

    private func roots(_ kind: SourceKind) -> [String] { entries.filter { $0.kind == kind }.map(\.path) }

    /// The path from the root, without `.`, empty parts and a trailing slash; links are left as they are.
    static func absolute(_ path: String) -> String {
        var full = path
        if !path.hasPrefix("/"), let current = getcwd(nil, 0) {
            full = String(cString: current) + "/" + path
            free(current)
        }
        // `..` stays: behind a link it does not mean the folder whose name stands before it.
        return "/" + full.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func isWithin(_ path: String, _ folder: String) -> Bool {
        path.hasPrefix(folder == "/" ? "/" : folder + "/")
    }
}
