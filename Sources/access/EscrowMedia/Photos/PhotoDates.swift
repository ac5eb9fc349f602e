internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular
internal import Synchronization

/// When the pictures of some folders were taken, kept between the queries of a process that watches the folders.
///
/// It keeps what a scan of all pictures found. The next scan reads again what may have changed: ``PhotoDatesReading``.
final class PhotoDates: Sendable {
    private let state = Mutex<KnownDates?>(nil)

    /// What was found last; nil before anything was.
    var known: KnownDates? { state.withLock { $0 } }

    /// Those of some folders.
    static func kept(in memory: SourceMemory, _ roots: [String]) -> PhotoDates {
        memory.kept(about: roots) { PhotoDates() }
    }

    func keep(_ known: KnownDates) { state.withLock { $0 = known } }
}

/// When one picture was taken, and what that hangs on.
struct PhotoDate {
    /// What must be as it was for the date to be so still.
    enum Basis: UInt8 {
        /// The picture itself: its header tells.
        case header
        /// The picture and what lies beside it: its header does not tell.
        case sideCars
        /// Nothing that can be compared: something could not be read, or changed a moment ago.
        case moment
    }

    /// Stands for a picture that does not tell: nulls come first.
    static let null = Int64.min
    /// Milliseconds since 1970, as times are spelled; or ``null``.
    let time: Int64
    let basis: Basis

    init(_ date: Timestamp?, basis: Basis) {
        time = date.map { Self.milliseconds($0.microseconds) } ?? Self.null
        self.basis = basis
    }

    /// Milliseconds as ``Timestamp/iso8601`` cuts them: towards the past.
    static func milliseconds(_ microseconds: Int64) -> Int64 {
        let whole = microseconds / 1_000
        return microseconds % 1_000 < 0 ? whole - 1 : whole
    }
}

/// The dates of the pictures of one listing, and the pictures in the order of their dates.
final class KnownDates: Sendable {
    let listing: FileListing
    /// By the file's position; only those in `order` mean anything.
    let times: [Int64]
    let bases: [PhotoDate.Basis]
    /// The files' positions; equals in the order of the listing.
    let order: [Int32]
    /// The files that must be read again, ascending.
    let momentary: [Int32]

    init(
        _ listing: FileListing, times: [Int64], bases: [PhotoDate.Basis], order: [Int32], momentary: [Int32]
    ) {
        self.listing = listing
        self.times = times
        self.bases = bases
        self.order = order
        self.momentary = momentary
    }

    /// Whether all of it is so still for a listing.
    func isCurrent(for listing: FileListing) -> Bool {
        listing.state != nil && listing.state == self.listing.state && momentary.isEmpty
    }

    /// The places in `order` that may meet all terms on the date; nil if no term narrows them.
    func places(_ terms: [Predicate]) -> Range<Int>? {
        var found: Range<Int>?
        for term in terms {
            guard let range = places(term) else { continue }
            let known = found ?? 0..<order.count
            let lower = max(range.lowerBound, known.lowerBound)
            found = lower..<max(lower, min(range.upperBound, known.upperBound))
        }
        return found
    }

    /// Whether a term narrows the places by itself.
    static func narrows(_ term: Predicate) -> Bool {
        guard term.column == PhotosSpec.Column.creationDate.rawValue else { return false }
        switch term.operation {
        case .isNull, .notNull: return true
        case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard term.collation == .binary, term.values.count == 1, case .text = term.values[0] else {
                return false
            }
            return true
        case .notEqual, .is, .isNot, .like, .glob, .in: return false
        }
    }

    private func places(_ term: Predicate) -> Range<Int>? {
        guard Self.narrows(term) else { return nil }
        let firstDate = partition { $0 == PhotoDate.null }
        guard case .text(let text)? = term.values.first else {
            return term.operation == .isNull ? 0..<firstDate : firstDate..<order.count
        }
        let bytes = Array(text.utf8)
        // Spelled times are of one length and sort as moments do.
        func before(_ time: Int64) -> Bool { time == PhotoDate.null || Self.order(time, bytes) < 0 }
        func notAfter(_ time: Int64) -> Bool { time == PhotoDate.null || Self.order(time, bytes) <= 0 }
        switch term.operation {
        case .less: return firstDate..<partition(before)
        case .lessOrEqual: return firstDate..<partition(notAfter)
        case .greater: return partition(notAfter)..<order.count
        case .greaterOrEqual: return partition(before)..<order.count
        default: return partition(before)..<partition(notAfter)
        }
    }

    private static func order(_ time: Int64, _ text: [UInt8]) -> Int {
        guard let moment = Timestamp(microseconds: time * 1_000) else { return -1 }
        let own = moment.iso8601Bytes
        if own == text { return 0 }
        return own.lexicographicallyPrecedes(text) ? -1 : 1
    }

    /// How many places from the first on meet a condition that none behind them meets.
    private func partition(_ belongs: (Int64) -> Bool) -> Int {
        var (low, high) = (0, order.count)
        while low < high {
            let middle = (low + high) / 2
            if belongs(times[Int(order[middle])]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// A walk through pictures by their dates.
struct DateWalk {
    private let known: KnownDates
    private let isDescending: Bool
    private var rest: Range<Int>
    /// Pictures of one date, which come in the order of the listing either way.
    private var equals = 0..<0

    /// Walks through some places of an order.
    init(_ known: KnownDates, _ places: Range<Int>, descending: Bool) {
        self.known = known
        isDescending = descending
        rest = places
    }

    /// The next picture's position in the listing.
    mutating func next() -> Int? {
        guard isDescending else { return rest.popFirst().map { Int(known.order[$0]) } }
        if equals.isEmpty {
            guard let last = rest.last else { return nil }
            var first = last
            while first > rest.lowerBound, time(first - 1) == time(last) { first -= 1 }
            equals = first..<last + 1
            rest = rest.lowerBound..<first
        }
        return equals.popFirst().map { Int(known.order[$0]) }
    }

    private func time(_ place: Int) -> Int64 { known.times[Int(known.order[place])] }
}
