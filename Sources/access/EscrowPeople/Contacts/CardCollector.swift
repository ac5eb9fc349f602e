internal import EscrowFormats

/// Brings the places of all cards together while a query reads them anyway, and sorts them at the end.
final class CardCollector {
    /// Bytes of values that are held to be sorted; beyond, there will be no index.
    static let byteLimit = 64 << 20

    private let index: CardIndex
    private let key: UInt64
    private let orders: [[Int]]
    private var columns: [KeyColumn]
    private var rowIDs: [Int64] = []
    private var ordinals: [UInt32] = []
    private var repeated = CardBits(count: 0)
    private var values = CardValues()
    private var isSpoilt = false

    /// - Parameter orders: the columns to sort by, for each order.
    init(_ index: CardIndex, key: UInt64, orders: [[Int]]) {
        self.index = index
        self.key = key
        self.orders = orders
        columns = Set(orders.joined()).sorted().map { KeyColumn(column: $0) }
    }

    /// What must be read of the cards.
    var properties: [VCardProperty] {
        [.uid]
            + columns.compactMap { ContactsSpec.Column(rawValue: $0.column) }
            .flatMap { CardValues.properties(for: $0) }
    }

    /// Takes a card; all must come, in the order of the listing.
    func add(_ card: VCard, rowID: Int64, path: String) {
        guard !isSpoilt else { return }
        guard rowIDs.count < CardIndex.cardLimit, columns.allSatisfy({ $0.bytes.count < Self.byteLimit })
        else { return spoil() }
        var id: [UInt8] = []
        repeated.append(
            values.appendWholeID(of: card, path: path, isRepeated: nil, to: &id), at: rowIDs.count)
        for place in columns.indices {
            guard let column = ContactsSpec.Column(rawValue: columns[place].column) else { continue }
            var value: [UInt8] = []
            let found = column == .id || values.append(column, of: card, to: &value)
            columns[place].append(found ? (column == .id ? id : value) : nil)
        }
        rowIDs.append(rowID)
        ordinals.append(UInt32(clamping: card.ordinal))
    }

    /// Part of a file was left out, and each query that meets it is to say so: there will be no index.
    func spoil() {
        isSpoilt = true
        columns = []
        rowIDs = []
    }

    func finish() {
        guard !isSpoilt, !rowIDs.isEmpty else { return }
        index.keep(
            CardPlaces(
                key: key, rowIDs: rowIDs, ordinals: ordinals, repeated: repeated,
                orders: orders.map { sorted($0) }))
        spoil()
    }

    private func sorted(_ names: [Int]) -> CardOrder {
        let keys = names.compactMap { name in columns.first { $0.column == name } }
        func compare(_ left: Int, _ right: Int) -> Int {
            for key in keys {
                let order = key.compare(left, right)
                if order != 0 { return order }
            }
            return 0
        }
        var cards = rowIDs.indices.map { (prefix: keys[0].prefix($0), position: UInt32($0)) }
        cards.sort { left, right in
            if left.prefix != right.prefix { return left.prefix < right.prefix }
            let order = compare(Int(left.position), Int(right.position))
            return order == 0 ? left.position < right.position : order < 0
        }
        var isSame = CardBits(count: 0)
        for at in cards.indices {
            isSame.append(
                at > 0 && compare(Int(cards[at - 1].position), Int(cards[at].position)) == 0, at: at)
        }
        return CardOrder(columns: names, positions: cards.map(\.position), isSame: isSame)
    }

    private struct KeyColumn {
        let column: Int
        var bytes: [UInt8] = []
        private var ends: [Int] = []
        private var isThere: [Bool] = []

        init(column: Int) { self.column = column }

        mutating func append(_ value: [UInt8]?) {
            bytes.append(contentsOf: value ?? [])
            ends.append(bytes.count)
            isThere.append(value != nil)
        }

        private func value(_ card: Int) -> ArraySlice<UInt8> {
            bytes[(card == 0 ? 0 : ends[card - 1])..<ends[card]]
        }

        /// A number that sorts as the value does, as far as it goes: no value, or its first seven bytes.
        func prefix(_ card: Int) -> UInt64 {
            guard isThere[card] else { return 0 }
            var prefix: UInt64 = 1
            let value = value(card).prefix(7)
            for byte in value { prefix = prefix << 8 | UInt64(byte) }
            return prefix << UInt64(8 * (7 - value.count))
        }

        func compare(_ left: Int, _ right: Int) -> Int {
            guard isThere[left], isThere[right] else {
                return isThere[left] == isThere[right] ? 0 : isThere[left] ? 1 : -1
            }
            return value(left).compared(to: value(right))
        }
    }
}

extension ArraySlice<UInt8> {
    /// Negative, zero or positive, as SQLite's BINARY has it: byte by byte, then by length.
    func compared(to other: ArraySlice<UInt8>) -> Int {
        var (at, there) = (startIndex, other.startIndex)
        while at < endIndex, there < other.endIndex {
            if self[at] != other[there] { return self[at] < other[there] ? -1 : 1 }
            at += 1
            there += 1
        }
        return count - other.count
    }
}
