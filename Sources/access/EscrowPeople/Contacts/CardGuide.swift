internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import EscrowTabular

/// Chooses how a scan reads the cards: all in a row, or by the index, which a scan makes where it will pay.
final class CardGuide {
    private let kept: KeptCards
    private let context: SourceContext
    private let places: CardPlaces?
    /// The state of the files; nil where it is not to be relied on, or where an index is of no use yet.
    private let key: UInt64?
    /// An order that was asked for and not known.
    private var missedOrder: [Int]?

    init(_ kept: KeptCards, _ context: SourceContext) {
        self.kept = kept
        self.context = context
        guard let cards = CardIndex.kept(in: context.memory), let key = Self.key(of: kept.listing) else {
            self.places = nil
            self.key = nil
            return
        }
        let known = cards.places(key)
        self.places = known.places
        self.key = known.isKnown ? key : nil
    }

    /// Whether the cards come in the order asked for. Only with a small limit and without terms: to read all cards in a row
    /// and to sort them is faster than many single reads.
    func serves(_ request: ScanRequest) -> Bool {
        missedOrder = nil
        guard request.predicates.isEmpty, let limit = request.limit,
            let columns = Self.columns(request.order)
        else { return false }
        guard let places, places.order(by: columns) != nil else {
            missedOrder = columns
            return false
        }
        return limit <= places.count / 16
    }

    /// The way of a scan.
    ///
    /// - Parameter order: none, or one that ``serves(_:)`` said yes to.
    func route(_ terms: [Predicate], order: [OrderTerm]) -> CardStream.Route {
        if let places {
            if let columns = Self.columns(order), let known = places.order(by: columns) {
                return .chosen(places, known.walk(descending: order[0].descending))
            }
            if let found = CardFinder(places: places, kept: kept, context: context).find(terms) {
                return .chosen(places, CardWalk(found))
            }
        }
        guard let key, let cards = CardIndex.kept(in: context.memory) else { return .all(nil) }
        var wanted: [[Int]] = []
        if let missedOrder { wanted.append(missedOrder) }
        if let term = terms.first(where: CardFinder.isSearchable),
            places?.order(beginningWith: term.column) == nil, missedOrder?.first != term.column
        {
            wanted.append([term.column])
        }
        missedOrder = nil
        return .all(wanted.isEmpty ? nil : CardCollector(cards, key: key, orders: wanted))
    }

    /// The columns of an order that an index can have: of text, all up or all down.
    private static func columns(_ order: [OrderTerm]) -> [Int]? {
        guard let first = order.first,
            order.allSatisfy({
                $0.descending == first.descending
                    && ContactsSpec.Column(rawValue: $0.column)?.isText ?? false
            })
        else { return nil }
        return order.map(\.column)
    }

    /// A number for the state of all files; nil for address books, whose files do not tell, for archives, whose members would be
    /// unpacked for each card, for files that changed so recently that they might change again within one step of the clock, and where there is too little to index.
    private static func key(of listing: FileListing) -> UInt64? {
        guard listing.archives.isEmpty else { return nil }
        let settled = Timestamp.currentTime.microseconds - FileListing.clockStep
        var bytes: Int64 = 0
        var hash = FNV.hash([])
        for (index, file) in listing.files.enumerated() {
            guard file.kind == ContactFile.cards, file.latest < settled else { return nil }
            bytes &+= file.size
            hash = FNV.hash(listing.path(index).utf8, from: hash &+ 1)
            hash = FNV.hash(words: listing.status(index)?.words ?? [], from: hash)
        }
        return bytes >= CardIndex.leastBytes ? hash : nil
    }
}

extension ContactsSpec.Column {
    /// Whether the values are text, compared byte by byte.
    var isText: Bool {
        switch ContactsSpec.contacts.columns[rawValue].type {
        case .text, .timestamp: true
        case .integer, .real, .blob, .boolean, .asset: false
        }
    }
}
