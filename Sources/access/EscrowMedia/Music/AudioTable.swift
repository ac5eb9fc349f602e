internal import EscrowFormats
internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// A column of a table of audio files, and what it holds.
struct AudioColumn: Sendable {
    enum Source: Sendable {
        case listed(ListedColumn)
        case text(AudioFacts.Field)
        case number(AudioFacts.Field)
        case year, duration, recorded
        /// The title, or the file's name without its ending.
        case name
    }

    let spec: ColumnSpec
    let source: Source

    /// A column of what a file's tags say.
    init(_ name: String, _ type: ColumnType, nullable: Bool = true, _ source: Source, _ summary: String) {
        spec = ColumnSpec(name, type, nullable: nullable, summary)
        self.source = source
    }

    /// A column of what the listing knows, which every file has.
    init(_ name: String, _ type: ColumnType, listed: ListedColumn, _ summary: String) {
        spec = ColumnSpec(name, type, nullable: false, cost: .free, summary)
        source = .listed(listed)
    }

    /// What must be read of the file.
    var needs: AudioNeeds {
        switch source {
        case .listed: []
        case .text, .number, .year, .recorded, .name: .tags
        case .duration: .duration
        }
    }
}

extension FilesTable {
    /// A table with one row for each audio file.
    init(
        _ spec: TableSpec, _ columns: [AudioColumn], _ context: SourceContext, zone: LocalZone = .machine
    ) {
        var listed: [Int: ListedColumn] = [:]
        for (position, column) in columns.enumerated() {
            if case .listed(let source) = column.source { listed[position] = source }
        }
        self.init(
            spec, context, listed: ListedColumns(listed), isByName: false,
            mediaType: { AudioKind(rawValue: $0)?.mimeType },
            rows: { files, request in AudioRows(request, spec, columns, files, zone) })
    }
}

/// Rows of audio files: what their tags say. Tags that cannot be read leave their columns null: which rows there are never
/// depends on the columns asked for.
final class AudioRows: FileRows, RowReader {
    let isOneRowEach = true
    private let files: ListedFiles
    private let zone: LocalZone
    /// The columns of tags that are asked for or tested.
    private let columns: [(position: Int, column: AudioColumn)]
    private let needs: AudioNeeds
    private var opener = FileOpener()
    private var reading: FactsReading<AudioFacts>
    private var file = 0

    init(
        _ request: ScanRequest, _ spec: TableSpec, _ columns: [AudioColumn], _ files: ListedFiles,
        _ zone: LocalZone
    ) {
        self.files = files
        self.zone = zone
        let tested = RowFilter(request.predicates, spec: spec).columns
        self.columns = ColumnMask(bits: request.columns.bits | tested.bits).columns
            .map { (position: $0, column: columns[$0]) }.filter { !$0.column.needs.isEmpty }
        needs = self.columns.reduce(into: []) { $0.formUnion($1.column.needs) }
        reading = FactsReading(files)
    }

    func open(_ file: Int, done: Int) -> (any RowReader)? {
        self.file = file
        reading.done = done
        return self
    }

    func end(done: Int) {
        reading.done = done
        reading.end()
    }

    func next(_ row: RowBuilder) -> Bool {
        guard !needs.isEmpty else { return true }
        let facts = read()
        for (position, column) in columns where row.wants(position) {
            switch column.source {
            case .listed: break
            case .text(let field): row.set(position, facts.text(field))
            case .number(let field): row.set(position, facts.number(field))
            case .year: row.set(position, facts.year)
            case .duration: row.set(position, facts.duration)
            case .recorded: row.set(position, facts.recorded ?? facts.moment(zone))
            case .name:
                let name = files.listing.nameBytes(file)
                let dot = name.lastIndex(of: UInt8(ascii: "."))
                row.set(position, facts.text(.title) ?? dot.map { name[..<$0] } ?? name)
            }
        }
        return true
    }

    private func read() -> AudioFacts {
        // What is damaged is not kept, so that it is told each time.
        var damaged: AudioFacts?
        let facts = reading.facts(of: file) {
            let (facts, isWhole) = readFile()
            if !isWhole { damaged = facts }
            return isWhole ? facts : nil
        }
        return facts ?? damaged ?? AudioFacts()
    }

    private func readFile() -> (facts: AudioFacts, isWhole: Bool) {
        // All of it, so that later queries need not open the file.
        let wanted = files.context.memory == nil ? needs : .all
        let outcome = opener.readHeader(file, of: files.listing) {
            AudioReader.read(&$0, needs: wanted, zone: zone)
        }
        switch outcome {
        case .problem(let problem):
            files.tell(file, problem)
            return (AudioFacts(), false)
        case .read((let facts, let problem)):
            if let problem { files.tell(file, problem) }
            return (facts, problem == nil)
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
