internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit
internal import EscrowTabular

/// Finds the cards that may meet a query's terms, by binary search in an order. What it compares with, it reads from the cards.
struct CardFinder {
    let places: CardPlaces
    let kept: KeptCards
    let context: SourceContext

    /// Whether an order by the term's column would tell which cards meet it: comparisons of text as it is.
    static func isSearchable(_ term: Predicate) -> Bool {
        guard term.collation == .binary, let column = ContactsSpec.Column(rawValue: term.column),
            column.isText, !term.values.isEmpty,
            term.values.allSatisfy({ if case .text = $0 { true } else { false } })
        else { return false }
        switch term.operation {
        case .equal, .is, .in, .less, .lessOrEqual, .greater, .greaterOrEqual: return true
        case .notEqual, .isNot, .isNull, .notNull, .like, .glob: return false
        }
    }

    /// The positions of the cards that may meet all terms, as they stand in the listing; nil where no order helps, or where they
    /// are so many that reading all cards in a row is as good.
    func find(_ terms: [Predicate]) -> [UInt32]? {
        var best: [UInt32]?
        for column in Set(terms.map(\.column)) {
            guard let order = places.order(beginningWith: column) else { continue }
            let own = terms.filter { $0.column == column && Self.isSearchable($0) }
            guard !own.isEmpty, let ranges = ranges(of: own, in: order, column) else { continue }
            let count = ranges.reduce(0) { $0 + $1.count }
            guard count <= places.count / 8, count < best?.count ?? .max else { continue }
            best = ranges.flatMap { order.positions[$0] }
        }
        return best?.sorted()
    }

    /// Where the cards lie in an order that meet the terms on its first column; nil if a card cannot be read.
    private func ranges(of terms: [Predicate], in order: CardOrder, _ column: Int) -> [Range<Int>]? {
        guard let probe = CardProbe(self, column) else { return nil }
        var (low, high) = (0, order.positions.count)
        var points: [Range<Int>]?
        for term in terms {
            var values: [[UInt8]] = []
            for case .text(let text) in term.values { values.append(Array(text.utf8)) }
            switch term.operation {
            case .less: high = min(high, probe.lower(values[0], in: order))
            case .lessOrEqual: high = min(high, probe.upper(values[0], in: order))
            case .greater: low = max(low, probe.upper(values[0], in: order))
            case .greaterOrEqual: low = max(low, probe.lower(values[0], in: order))
            case .equal, .is, .in:
                // Two lists on one column are rare; the engine tests the other one.
                guard points == nil else { continue }
                points = Set(values).map {
                    let start = probe.lower($0, in: order)
                    return start..<max(start, probe.upper($0, in: order, from: start))
                }
            default: continue
            }
        }
        guard !probe.hasFailed else { return nil }
        return (points ?? [0..<order.positions.count])
            .map { $0.clamped(to: low..<max(low, high)) }.filter { !$0.isEmpty }
    }
}

/// Reads one column of single cards, to compare with.
private final class CardProbe {
    private let places: CardPlaces
    private var cards: CardStream
    private let column: ContactsSpec.Column
    private var values = CardValues()
    private var known: [Int: [UInt8]?] = [:]
    /// Whether a card could not be read: its file changed in between.
    private(set) var hasFailed = false

    init?(_ finder: CardFinder, _ column: Int) {
        guard let column = ContactsSpec.Column(rawValue: column) else { return nil }
        places = finder.places
        self.column = column
        cards = CardStream(
            finder.kept, context: finder.context,
            wanted: VCardPropertySet(CardValues.properties(for: column)),
            route: .chosen(finder.places, CardWalk([])))
    }

    /// The first place in an order whose card is not less than the value.
    func lower(_ value: [UInt8], in order: CardOrder) -> Int { partition(order, from: 0, value) { $0 < 0 } }

    /// The first place in an order, from a given one on, whose card is greater than the value.
    func upper(_ value: [UInt8], in order: CardOrder, from start: Int = 0) -> Int {
        // Most values are those of a few cards: steps of growing width find their end sooner than halves of all.
        var step = 1
        while start + step < order.positions.count, compare(start + step, value, in: order) <= 0 { step *= 2 }
        let end = min(start + step, order.positions.count)
        return partition(order, from: start, to: end, value) { $0 <= 0 }
    }

    /// How many cards from `start` on meet the condition, which no later one does.
    private func partition(
        _ order: CardOrder, from start: Int, to end: Int? = nil, _ value: [UInt8], _ belongs: (Int) -> Bool
    ) -> Int {
        var (low, high) = (start, end ?? order.positions.count)
        while low < high, !hasFailed {
            let middle = (low + high) / 2
            if belongs(compare(middle, value, in: order)) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func compare(_ place: Int, _ value: [UInt8], in order: CardOrder) -> Int {
        read(Int(order.positions[place])).map { $0[...].compared(to: value[...]) } ?? -1
    }

    private func read(_ position: Int) -> [UInt8]? {
        if let known = known[position] { return known }
        guard cards.read(position, of: places) else {
            hasFailed = true
            return nil
        }
        var value: [UInt8] = []
        let found: Bool
        if column == .id {
            values.appendWholeID(of: cards.card, path: cards.path, isRepeated: cards.isRepeated, to: &value)
            found = true
        } else {
            found = values.append(column, of: cards.card, to: &value)
        }
        known[position] = .some(found ? value : nil)
        return found ? value : nil
    }
}
