/// Where each card of a listing lies, and how the cards stand by some of their columns. It holds numbers alone: no value of any
/// card is in it, so that what is looked up is always read from the file itself.
struct CardPlaces: Sendable {
    /// The state of the files, by ``ContactsSnapshot``.
    let key: UInt64
    /// The cards' row ids in the order of the listing: file and offset.
    let rowIDs: [Int64]
    /// Each card's number in its file.
    let ordinals: [UInt32]
    /// Cards with a UID that a card before them had.
    let repeated: CardBits
    /// The newest last.
    var orders: [CardOrder]

    var count: Int { rowIDs.count }

    func order(by columns: [Int]) -> CardOrder? { orders.last { $0.columns == columns } }

    /// The cards by a column, and then by any other.
    func order(beginningWith column: Int) -> CardOrder? { orders.last { $0.columns.first == column } }
}

/// Cards sorted by columns: ascending bytes, no value first, equals as they stand in the listing.
struct CardOrder: Sendable {
    let columns: [Int]
    let positions: [UInt32]
    /// Whether a card's values equal those of the card before it in this order.
    let isSame: CardBits

    /// The cards in this order, or in the opposite one: equals stand in the listing's order both ways.
    func walk(descending: Bool) -> CardWalk { CardWalk(order: self, descending: descending) }
}

/// Cards on the way through them.
struct CardWalk {
    private let positions: [UInt32]
    private let isSame: CardBits?
    /// Up to here all is delivered, from the front or, descending, from the back.
    private var edge: Int
    private var at = 0
    private var end = 0

    /// The given cards, one after the other.
    init(_ positions: [UInt32]) {
        self.positions = positions
        isSame = nil
        edge = 0
        end = positions.count
    }

    fileprivate init(order: CardOrder, descending: Bool) {
        positions = order.positions
        isSame = descending ? order.isSame : nil
        edge = positions.count
        end = descending ? 0 : positions.count
    }

    mutating func next() -> Int? {
        if at == end {
            guard let isSame, edge > 0 else { return nil }
            // The group of equals before the last one, itself from front to back.
            end = edge
            edge -= 1
            while isSame[edge] { edge -= 1 }
            at = edge
        }
        defer { at += 1 }
        return Int(positions[at])
    }
}

struct CardBits: Sendable, Equatable {
    private(set) var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }
    init(words: [UInt64]) { self.words = words }

    subscript(index: Int) -> Bool { words[index >> 6] >> UInt64(index & 63) & 1 != 0 }

    /// Appends the bit of card number `index`, which follows the last.
    mutating func append(_ bit: Bool, at index: Int) {
        if index >> 6 == words.count { words.append(0) }
        if bit { words[index >> 6] |= 1 << UInt64(index & 63) }
    }
}
