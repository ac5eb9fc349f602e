internal import EscrowDiagnostics
internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// One pass over the listed files, in the order asked for.
///
/// A folder that the terms on the collection rule out is left alone as a whole, and a file is looked at only if its size, its time
/// or its header matters. A file is opened only if a column of its header is asked for and no term on the listing rules it out. A header that
/// cannot be read leaves its columns null: which rows there are never depends on which columns were asked for.
final class PhotosScan: TableScan {
    private typealias Column = PhotosSpec.Column
    private let snapshot: PhotosSnapshot
    private let filter: RowFilter
    private var requested: [Column]
    /// Terms on the collection, decided once a folder.
    private let testedFolder: [Column]
    private var folderVerdicts: [Bool?]
    private let testedName: [Column]
    private let testedStatus: [Column]
    private let testedContent: [Column]
    private let needs: ImageNeeds
    private let needsStatus: Bool
    private let order: [Int]?
    private let byDate: PhotosByDate?
    private var position: Int
    /// The position behind the last file.
    private let end: Int
    private var opener = FileOpener()
    private var meter: ReadingMeter

    init(_ request: ScanRequest, of snapshot: PhotosSnapshot) {
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: PhotosSpec.photos)
        requested = request.columns.columns.compactMap(Column.init)
        let tested = filter.columns.columns.compactMap(Column.init).filter { $0 != .asset }
        testedFolder = tested.filter { $0 == .collectionID || $0 == .collectionName }
        folderVerdicts = Array(repeating: nil, count: snapshot.listing.directories.count)
        testedStatus = tested.filter(\.needsStatus)
        testedName = tested.filter { [testedFolder, testedStatus] column in
            column.isFree && !testedFolder.contains(column) && !testedStatus.contains(column)
        }
        testedContent = tested.filter { !$0.isFree }
        needs = (requested + testedContent).reduce(into: []) { $0.formUnion($1.needs) }
        needsStatus = !needs.isEmpty || (requested + testedStatus).contains(where: \.needsStatus)
        meter = ReadingMeter(snapshot.context.memory, total: snapshot.listing.files.count)
        order = PhotosOrder(request.order, of: snapshot)?.sorted()
        byDate = request.group == nil ? PhotosByDate(request, of: snapshot) : nil
        position = request.group ?? 0
        end = request.group.map { $0 + 1 } ?? snapshot.listing.files.count
    }

    /// Pictures that are read for their dates at a time: who asks for rows looks at his budgets in between.
    private static let datesAtOnce = 512

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        if let byDate {
            guard byDate.prepare(Self.datesAtOnce, read: { date($0, byDate.leavesOthersUnread) }) else {
                return true
            }
        }
        while !chunk.isFull, let file = nextFile() {
            guard isAdmitted(file) else { continue }
            var facts = needs.isEmpty ? ImageFacts() : readFacts(file) ?? ImageFacts()
            if needs.contains(.sideCar) { snapshot.addSideCars(to: &facts, of: file) }
            facts.settleDate()
            guard testedContent.allSatisfy({ admits($0, facts) }) else { continue }
            for column in requested { append(column, file, facts, to: chunk) }
            chunk.endRow(id: RowID.make(file: file, place: 0))
        }
        return chunk.rowCount > 0
    }

    private func nextFile() -> Int? {
        if let byDate { return byDate.next() }
        guard position < end else { return nil }
        defer { position += 1 }
        return order?[position] ?? position
    }

    /// Whether a file is to be read, by what is known without.
    private func isAdmitted(_ file: Int) -> Bool {
        admitsFolder(of: file) && testedName.allSatisfy { admits($0, file) }
            && (!needsStatus || snapshot.know(file)) && testedStatus.allSatisfy { admits($0, file) }
    }

    /// When a picture was taken; nil if it is not there, or a term rules it out and those are to be left out.
    private func date(_ file: Int, _ leavesOthers: Bool) -> PhotoDate? {
        guard !leavesOthers || isAdmitted(file), snapshot.know(file) else { return nil }
        var isWhole = true
        var facts = ImageFacts()
        let kept = snapshot.context.memory?.index(ImageFacts.self)
            .facts(snapshot.listing.key(file), read: ImageFacts.dates)
        if let kept {
            facts = kept
        } else if let read = readFacts(file) {
            facts = read
        } else {
            isWhole = false
        }
        let hasHeaderDate = facts.creationDate != nil
        if !hasHeaderDate, !snapshot.addSideCars(to: &facts, of: file) { isWhole = false }
        isWhole = isWhole && snapshot.isSettled(file, withSideCars: !hasHeaderDate)
        return PhotoDate(
            facts.creationDate ?? facts.changeDate,
            basis: !isWhole ? .moment : hasHeaderDate ? .header : .sideCars)
    }

    func omit(_ column: Int) { requested.removeAll { $0.rawValue == column } }

    deinit {
        meter.end(done: max(position, byDate?.done ?? 0))
        guard !needs.isEmpty || byDate?.done ?? 0 > 0 else { return }
        snapshot.context.memory?.index(ImageFacts.self).flush(fileCount: snapshot.listing.files.count)
    }

    private func admitsFolder(of file: Int) -> Bool {
        guard !testedFolder.isEmpty else { return true }
        let folder = Int(snapshot.listing.files[file].directory)
        if folder >= 0, let verdict = folderVerdicts[folder] { return verdict }
        let verdict = testedFolder.allSatisfy { admits($0, file) }
        if folder >= 0 { folderVerdicts[folder] = verdict }
        return verdict
    }

    /// Nil if the header cannot be read.
    private func readFacts(_ index: Int) -> ImageFacts? {
        // What is damaged is not kept, so that it is told each time.
        var damaged: ImageFacts?
        let facts = snapshot.context.facts(ImageFacts.self, of: index, in: snapshot.listing) {
            meter.countRead(done: max(position, byDate?.done ?? 0))
            let (facts, problem) = readHeader(index)
            guard let problem else { return facts }
            snapshot.context.onSkip(snapshot.listing.path(index), problem)
            damaged = facts
            return nil
        }
        return facts ?? damaged
    }

    private func readHeader(_ index: Int) -> (facts: ImageFacts?, problem: FileProblem?) {
        let outcome = opener.readHeader(index, of: snapshot.listing) {
            ImageReader.read(&$0, zone: snapshot.zone)
        }
        return switch outcome {
        case .read(let header): header
        case .problem(let problem): (nil, problem)
        }
    }

    private func admits(_ column: Column, _ file: Int) -> Bool {
        switch snapshot.freeValue(column, file) {
        case .integer(let value): filter.admits(column.rawValue, integer: value)
        case .text(let text): filter.admits(column.rawValue, text: text)
        case .null: filter.admits(column.rawValue, text: nil)
        }
    }

    private func admits(_ column: Column, _ facts: ImageFacts) -> Bool {
        switch column {
        case .creationDate:
            filter.admits(column.rawValue, text: facts.creationDate.map { Array($0.iso8601.utf8)[...] })
        case .cameraMake: filter.admits(column.rawValue, text: facts.cameraMake.map { Array($0.utf8)[...] })
        case .cameraModel: filter.admits(column.rawValue, text: facts.cameraModel.map { Array($0.utf8)[...] })
        case .latitude: filter.admits(column.rawValue, real: facts.latitude)
        case .longitude: filter.admits(column.rawValue, real: facts.longitude)
        case .altitude: filter.admits(column.rawValue, real: facts.altitude)
        case .pixelWidth: filter.admits(column.rawValue, integer: facts.pixelWidth)
        case .pixelHeight: filter.admits(column.rawValue, integer: facts.pixelHeight)
        case .orientation: filter.admits(column.rawValue, integer: facts.orientation)
        case .duration: filter.admits(column.rawValue, real: facts.duration)
        case .title: filter.admits(column.rawValue, text: facts.title.map { Array($0.utf8)[...] })
        case .description: filter.admits(column.rawValue, text: facts.description.map { Array($0.utf8)[...] })
        case .keywords: filter.admits(column.rawValue, text: facts.keywords.map { Array($0.utf8)[...] })
        case .rating: filter.admits(column.rawValue, integer: facts.rating)
        default: true
        }
    }

    private func append(_ column: Column, _ file: Int, _ facts: ImageFacts, to chunk: ColumnChunk) {
        let index = column.rawValue
        switch column {
        case .creationDate: if let value = facts.creationDate { chunk.append(value.iso8601, to: index) }
        case .cameraMake: if let value = facts.cameraMake { chunk.append(value, to: index) }
        case .cameraModel: if let value = facts.cameraModel { chunk.append(value, to: index) }
        case .latitude: if let value = facts.latitude { chunk.append(value, to: index) }
        case .longitude: if let value = facts.longitude { chunk.append(value, to: index) }
        case .altitude: if let value = facts.altitude { chunk.append(value, to: index) }
        case .pixelWidth: if let value = facts.pixelWidth { chunk.append(value, to: index) }
        case .pixelHeight: if let value = facts.pixelHeight { chunk.append(value, to: index) }
        case .orientation: if let value = facts.orientation { chunk.append(value, to: index) }
        case .duration: if let value = facts.duration { chunk.append(value, to: index) }
        case .title: if let value = facts.title { chunk.append(value, to: index) }
        case .description: if let value = facts.description { chunk.append(value, to: index) }
        case .keywords: if let value = facts.keywords { chunk.append(value, to: index) }
        case .rating: if let value = facts.rating { chunk.append(value, to: index) }
        case .asset:
            let kind = MediaKind(rawValue: snapshot.listing.files[file].kind) ?? .jpeg
            chunk.append(snapshot.offer(file, kind.mimeType), to: index)
        case .id: snapshot.withID(file) { chunk.append($0, to: index) }
        default:
            switch snapshot.freeValue(column, file) {
            case .integer(let value): chunk.append(value, to: index)
            case .text(let text): chunk.append(text, to: index)
            case .null: break
            }
        }
    }
}

extension PhotosSpec.Column {
    /// Whether the listing alone knows the value.
    var isFree: Bool { PhotosSpec.photos.columns[rawValue].cost == .free }

    /// Whether a look at the file itself is needed, beside its name.
    var needsStatus: Bool { self == .fileSize || self == .modificationDate }

    /// What must be read for the column.
    var needs: ImageNeeds {
        switch self {
        case .pixelWidth, .pixelHeight, .orientation, .duration: .header
        case .cameraMake, .cameraModel, .creationDate, .latitude, .longitude, .altitude, .title, .description,
            .keywords, .rating:
            [.header, .sideCar]
        default: []
        }
    }
}
