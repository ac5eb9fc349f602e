internal import EscrowMediaFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Rows of pictures: what their headers and side-cars say.
///
/// A file is opened only if a column of its header is asked for. A header that cannot be read leaves its columns null: which
/// rows there are never depends on which columns were asked for.
final class PhotoRows: FileRows, RowReader {
    private typealias Column = PhotosSpec.Column
    let isOneRowEach = true
    private let snapshot: PhotosSnapshot
    private let needs: ImageNeeds
    private var opener = FileOpener()
    private var reading: FactsReading<ImageFacts>
    private var file = 0

    init(_ request: ScanRequest, of snapshot: PhotosSnapshot) {
        self.snapshot = snapshot
        let tested = RowFilter(request.predicates, spec: PhotosSpec.photos).columns
        needs = ColumnMask(bits: request.columns.bits | tested.bits).columns.compactMap(Column.init)
            .reduce(into: []) { $0.formUnion($1.needs) }
        reading = FactsReading(snapshot.files)
    }

    var needsStatus: Bool { !needs.isEmpty }

    func open(_ file: Int, done: Int) -> (any RowReader)? {
        self.file = file
        reading.done = max(done, reading.done)
        return self
    }

    func end(done: Int) {
        reading.done = max(done, reading.done)
        reading.end()
    }

    func next(_ row: RowBuilder) -> Bool {
        guard !needs.isEmpty else { return true }
        var facts = readFacts(file) ?? ImageFacts()
        if needs.contains(.sideCar) { snapshot.addSideCars(to: &facts, of: file) }
        facts.settleDate()
        row.set(Column.creationDate, facts.creationDate)
        row.set(Column.pixelWidth, facts.pixelWidth)
        row.set(Column.pixelHeight, facts.pixelHeight)
        row.set(Column.latitude, facts.latitude)
        row.set(Column.longitude, facts.longitude)
        row.set(Column.altitude, facts.altitude)
        row.set(Column.cameraMake, facts.cameraMake)
        row.set(Column.cameraModel, facts.cameraModel)
        row.set(Column.orientation, facts.orientation)
        row.set(Column.duration, facts.duration)
        row.set(Column.title, facts.title)
        row.set(Column.description, facts.description)
        row.set(Column.keywords, facts.keywords)
        row.set(Column.rating, facts.rating)
        return true
    }

    /// When a picture was taken; nil if it is not there.
    ///
    /// - Parameter done: how many pictures were read for their dates.
    func date(_ file: Int, done: Int) -> PhotoDate? {
        guard snapshot.files.know(file) else { return nil }
        reading.done = done
        var isWhole = true
        var facts = ImageFacts()
        let kept = snapshot.context.memory?.index(ImageFacts.self)
            .facts(snapshot.listing.key(file), read: ImageFacts.dates)
        if let found = kept ?? readFacts(file) { facts = found } else { isWhole = false }
        let hasHeaderDate = facts.creationDate != nil
        if !hasHeaderDate, !snapshot.addSideCars(to: &facts, of: file) { isWhole = false }
        isWhole = isWhole && snapshot.isSettled(file, withSideCars: !hasHeaderDate)
        return PhotoDate(
            facts.creationDate ?? facts.changeDate,
            basis: !isWhole ? .moment : hasHeaderDate ? .header : .sideCars)
    }

    /// Nil if the header cannot be read.
    private func readFacts(_ index: Int) -> ImageFacts? {
        // What is damaged is not kept, so that it is told each time.
        var damaged: ImageFacts?
        let facts = reading.facts(of: index) {
            let (facts, problem) = readHeader(index)
            guard let problem else { return facts }
            snapshot.files.tell(index, problem)
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
}

extension PhotosSpec.Column {
    /// What must be read for the column.
    fileprivate var needs: ImageNeeds {
        switch self {
        case .pixelWidth, .pixelHeight, .orientation, .duration: .header
        case .cameraMake, .cameraModel, .creationDate, .latitude, .longitude, .altitude, .title, .description,
            .keywords, .rating:
            [.header, .sideCar]
        default: []
        }
    }
}
