internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Leads a scan through the pictures by their dates: in an order of dates, or those of a span of dates alone.
final class PhotosByDate: FileLead {
    private let rows: PhotoRows?
    /// Where all dates are kept; nil where those that the scan needs are found out for it alone.
    private let store: PhotoDates?
    /// Whether rows come by date; in the order of the listing otherwise.
    let isOrdered: Bool
    private let isDescending: Bool
    /// Terms that narrow the dates.
    private let terms: [Predicate]
    private var reading: PhotoDatesReading?
    private var walk: DateWalk?
    private var chosen: ArraySlice<Int32> = []

    /// So many dates are read in one step: the engine checks its budgets in between.
    private static let datesAtOnce = 512

    /// A limit pays only below one in this many pictures: otherwise it is faster to read all of them and to sort.
    private static let leastShare = 16

    /// Nil where dates do not lead: they are not asked for, or it costs more than to read from front to back.
    ///
    /// - Parameter rows: reads the dates; not needed for an offer.
    init?(_ request: ScanRequest, of snapshot: PhotosSnapshot, _ rows: PhotoRows? = nil) {
        self.rows = rows
        let usable = request.predicates.filter { RowFilter.isUsable($0, spec: PhotosSpec.photos) }
        terms = usable.filter(KnownDates.narrows)
        isOrdered = request.order.map(\.column) == [PhotosSpec.Column.creationDate.rawValue]
        isDescending = request.order.first?.descending ?? false
        guard isOrdered || request.order.isEmpty && !terms.isEmpty, let memory = snapshot.context.memory
        else {
            return nil
        }
        let kept =
            snapshot.listing.state == nil ? nil : PhotoDates.kept(in: memory, snapshot.context.roots)
        // A query for the pictures of one folder must not read the others.
        let isNarrow = usable.contains { Self.isNarrow($0) }
        let known = kept?.known
        if known != nil || kept != nil && !isNarrow {
            store = kept
        } else {
            guard isOrdered, let limit = request.limit,
                limit <= snapshot.listing.files.count / Self.leastShare
            else { return nil }
            store = nil
        }
        if let known, known.isCurrent(for: snapshot.listing) {
            begin(known)
        } else {
            reading = PhotoDatesReading(snapshot.listing, from: known)
        }
    }

    /// Whether a term picks few pictures before any is opened; one on the kind of media picks most of a folder.
    private static func isNarrow(_ term: Predicate) -> Bool {
        guard let column = PhotosSpec.Column(rawValue: term.column) else { return false }
        return PhotosSpec.listed.decides(term.column) && column != .mediaType && column != .mimeType
    }

    /// Finds out dates that are not known, some at a time. Where none is kept, only those of pictures that may be rows.
    func prepare(admits: (_ file: Int) -> Bool) -> Bool {
        guard reading != nil, let rows else { return true }
        var done = reading!.done
        let isOver = reading!.advance(Self.datesAtOnce) { file in
            done += 1
            return store == nil && !admits(file) ? nil : rows.date(file, done: done)
        }
        guard isOver else { return false }
        let known = reading!.finish()
        reading = nil
        store?.keep(known)
        begin(known)
        return true
    }

    /// The next picture's position in the listing, once all dates are known.
    func next() -> Int? { isOrdered ? walk?.next() : chosen.popFirst().map { Int($0) } }

    private func begin(_ known: KnownDates) {
        let places = known.places(terms) ?? known.order.indices
        if isOrdered {
            walk = DateWalk(known, places, descending: isDescending)
        } else {
            chosen = known.order[places].sorted()[...]
        }
    }
}
