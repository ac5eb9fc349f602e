internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// A table with one row for each audio file: what the listing knows, and what the file's tags say.
struct AudioTable: TableSource {
    /// What a column holds.
    enum Source: Sendable {
        case id, asset, mimeType, filename, path, size, modified
        case text(AudioFacts.Field)
        case number(AudioFacts.Field)
        case year, duration, recorded
        /// The title, or the file's name without its ending.
        case name

        /// What must be read of the file.
        var needs: AudioNeeds {
            switch self {
            case .id, .asset, .mimeType, .filename, .path, .size, .modified: []
            case .text, .number, .year, .recorded, .name: .tags
            case .duration: .duration
            }
        }
    }

    let spec: TableSpec
    /// What the spec's columns hold, in their order.
    let sources: [Source]
    let context: SourceContext
    var zone = LocalZone.machine

    /// Terms on what the listing knows leave files unopened; the others drop rows. Rows come in the files' order only.
    func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? { try context.fingerprint() }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list()
        context.estimatedRows = listing.files.count
        return AudioSnapshot(self, listing, assets)
    }
}

/// The files as they stood when a statement began.
final class AudioSnapshot: TableSnapshot {
    let table: AudioTable
    let listing: FileListing
    let assets: AssetTable
    private let archives: ListedArchives
    private let files: ListedAssets

    init(_ table: AudioTable, _ listing: FileListing, _ assets: AssetTable) {
        self.table = table
        self.listing = listing
        self.assets = assets
        archives = ListedArchives(listing)
        files = ListedAssets(listing)
    }

    /// The handle of a file. No path leads to a member of an archive.
    func offer(_ index: Int, _ mediaType: String) -> String {
        let path = listing.path(index)
        if let opening = archives.opening(index) {
            return assets.offer(path: path, mediaType: mediaType, opening: opening)
        }
        return assets.offer(path: path, mediaType: mediaType, from: files, at: listing.place(index))
    }

    func groups() throws(Diagnostic) -> [RowGroup]? { listing.groups() }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { AudioScan(request, of: self) }
}

/// One pass over the files. A file is opened only if a column of its tags is asked for and no term on the listing rules it
/// out. Tags that cannot be read leave their columns null: which rows there are never depends on the columns asked for.
final class AudioScan: TableScan {
    private let request: ScanRequest
    private let filter: RowFilter
    private let snapshot: AudioSnapshot
    /// The columns that are asked for or tested, those first that cost nothing.
    private let columns: [(position: Int, source: AudioTable.Source)]
    private let needs: AudioNeeds
    private var nextFile: Int
    /// The position behind the last file.
    private let end: Int
    private var opener = FileOpener()
    private var row: RowBuilder?
    private var meter: ReadingMeter

    init(_ request: ScanRequest, of snapshot: AudioSnapshot) {
        self.request = request
        self.snapshot = snapshot
        let filter = RowFilter(request.predicates, spec: snapshot.table.spec)
        self.filter = filter
        nextFile = request.group ?? 0
        end = request.group.map { $0 + 1 } ?? snapshot.listing.files.count
        let used = snapshot.table.sources.indices
            .filter { request.columns.contains($0) || filter.columns.contains($0) }
            .map { (position: $0, source: snapshot.table.sources[$0]) }
        columns = used.filter { $0.source.needs.isEmpty } + used.filter { !$0.source.needs.isEmpty }
        needs = used.reduce(into: []) { $0.formUnion($1.source.needs) }
        meter = ReadingMeter(snapshot.table.context.memory, total: end)
    }

    deinit {
        meter.end(done: nextFile)
        guard !needs.isEmpty else { return }
        snapshot.table.context.memory?.index(AudioFacts.self).flush(fileCount: snapshot.listing.files.count)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: snapshot.table.spec)
        while !chunk.isFull, nextFile < end {
            let file = nextFile
            nextFile += 1
            row.place = 0
            var facts: AudioFacts?
            for (position, source) in columns where row.wants(position) {
                if !source.needs.isEmpty, facts == nil { facts = read(file) }
                set(position, source, file, facts, row)
            }
            row.end(file: file)
        }
        return chunk.rowCount > 0
    }

    func omit(_ column: Int) { row?.omit(column) }

    private func read(_ index: Int) -> AudioFacts {
        let context = snapshot.table.context
        // What is damaged is not kept, so that it is told each time.
        var damaged: AudioFacts?
        let facts = context.facts(AudioFacts.self, of: index, in: snapshot.listing) {
            meter.countRead(done: nextFile)
            let (facts, isWhole) = readFile(index)
            if !isWhole { damaged = facts }
            return isWhole ? facts : nil
        }
        return facts ?? damaged ?? AudioFacts()
    }

    private func readFile(_ index: Int) -> (facts: AudioFacts, isWhole: Bool) {
        let context = snapshot.table.context
        // All of it, for the queries to come.
        let wanted = context.memory == nil ? needs : .all
        let outcome = opener.readHeader(index, of: snapshot.listing) {
            AudioReader.read(&$0, needs: wanted, zone: snapshot.table.zone)
        }
        switch outcome {
        case .problem(let problem):
            context.onSkip(snapshot.listing.path(index), problem)
            return (AudioFacts(), false)
        case .read((let facts, let problem)):
            if let problem { context.onSkip(snapshot.listing.path(index), problem) }
            return (facts, problem == nil)
        }
    }

    private func set(
        _ position: Int, _ source: AudioTable.Source, _ index: Int, _ facts: AudioFacts?, _ row: RowBuilder
    ) {
        let listing = snapshot.listing
        let file = listing.files[index]
        switch source {
        case .id: row.set(position, StableID.name(listing.path(index)))
        case .asset:
            guard let kind = AudioKind(rawValue: file.kind), request.columns.contains(position) else {
                return
            }
            row.set(position, snapshot.offer(index, kind.mimeType))
        case .mimeType: row.set(position, AudioKind(rawValue: file.kind)?.mimeType)
        case .filename: row.set(position, listing.nameBytes(index))
        case .path: row.set(position, listing.relativePath(index))
        case .size: row.set(position, file.size)
        case .modified: row.set(position, Timestamp(microseconds: file.modified))
        case .text(let field): row.set(position, facts?.text(field))
        case .number(let field): row.set(position, facts?.number(field))
        case .year: row.set(position, facts?.year)
        case .duration: row.set(position, facts?.duration)
        case .recorded: row.set(position, facts?.recorded ?? facts?.moment(snapshot.table.zone))
        case .name:
            let name = listing.nameBytes(index)
            let dot = name.lastIndex(of: UInt8(ascii: "."))
            row.set(position, facts?.text(.title) ?? dot.map { name[..<$0] } ?? name)
        }
    }
}

extension AudioFacts {
    /// The date of the tags, if it goes down to the second: `2026-03-01T12:00:00`, with or without a zone.
    func moment(_ zone: LocalZone) -> Timestamp? {
        guard let text = text(.date), text.count >= 19 else { return nil }
        var rest = text.dropFirst(19)
        if rest.first == UInt8(ascii: ".") { rest = rest.dropFirst().drop { $0 >= 0x30 && $0 <= 0x39 } }
        return ExifTime.read(text, offset: rest.isEmpty ? nil : rest, fraction: nil, zone: zone)
    }
}
