internal import EscrowFiles
internal import EscrowSourceFiles
internal import EscrowTableKit
internal import Glibc
internal import Synchronization

/// The places of a person's cards, kept in a file of the escrow home for as long as the card files stay as they are.
///
/// A cache: if anything is wrong with it, all cards are read. The first query that could use it only notes the files'
/// state. A second one that finds the same state collects places and orders while it reads. Later ones read only the cards
/// that they need.
final class CardIndex: Sendable {
    /// More cards than this are read from front to back.
    static let cardLimit = 1 << 20
    /// Files that are smaller in all are read faster than an index.
    static let leastBytes: Int64 = 256 << 10
    /// The most orders that are kept.
    static let orderLimit = 6
    /// The largest file that is read.
    private static let byteLimit = 64 << 20
    private static let header = Array("escrow-cards 2\n".utf8)

    private struct State {
        var places: CardPlaces?
        /// The state of the files that a query met last.
        var noted: UInt64?
        var canWrite = true
    }

    private let path: String
    private let state = Mutex(State())

    /// An index in a file, which need not be there yet; nothing is read before the first question.
    init(path: String) { self.path = path }

    /// The index of an escrow home; nil where nothing is kept.
    static func kept(in memory: SourceMemory?) -> CardIndex? {
        memory.map { memory in memory.kept { CardIndex(path: memory.path(of: name)) } }
    }

    /// Its name among ``SourceAdapter/indexNames``.
    static let name = "cards"

    /// What is known of the files in this state.
    ///
    /// - Returns: nil where nothing is; `isKnown` tells whether an earlier query met the same state, which is noted otherwise.
    func places(_ key: UInt64) -> (places: CardPlaces?, isKnown: Bool) {
        state.withLock { state in
            if state.noted != key { load(&state) }
            if state.noted == key { return (state.places, true) }
            state.noted = key
            state.places = nil
            write(&state)
            return (nil, false)
        }
    }

    /// Keeps what a pass over all files brought together.
    func keep(_ places: CardPlaces) {
        state.withLock { state in
            var places = places
            if let known = state.places, known.key == places.key, known.rowIDs == places.rowIDs {
                let fresh = Set(places.orders.map(\.columns))
                places.orders = known.orders.filter { !fresh.contains($0.columns) } + places.orders
            }
            places.orders = places.orders.suffix(Self.orderLimit)
            state.noted = places.key
            state.places = places
            write(&state)
        }
    }

    private func load(_ state: inout State) {
        // Not there, too large, or perhaps another user's: begun anew.
        guard let bytes = try? PrivateFile.read(path, limit: Self.byteLimit)?.bytes,
            bytes.starts(with: Self.header)
        else { return }
        var reader = Reader(bytes[Self.header.count...])
        guard let sum = reader.word(), sum == Self.sum(reader.rest), let key = reader.word(),
            let cards = reader.count(Self.cardLimit), let orders = reader.count(Self.orderLimit)
        else { return }
        state.noted = key
        state.places = nil
        guard cards > 0, let rowIDs: [Int64] = reader.array(cards),
            let ordinals: [UInt32] = reader.array(cards), let repeated = reader.bits(cards)
        else { return }
        var places = CardPlaces(
            key: key, rowIDs: rowIDs, ordinals: ordinals, repeated: repeated, orders: [])
        for _ in 0..<orders {
            guard let width = reader.count(64), let columns: [Int64] = reader.array(width),
                let positions: [UInt32] = reader.array(cards), let isSame = reader.bits(cards),
                positions.allSatisfy({ $0 < cards }), !isSame[0]
            else { return }
            places.orders.append(
                CardOrder(columns: columns.map { Int($0) }, positions: positions, isSame: isSame))
        }
        state.places = places
    }

    private func write(_ state: inout State) {
        guard state.canWrite, let key = state.noted else { return }
        var body: [UInt8] = []
        func add<T>(_ values: [T]) { values.withUnsafeBytes { body.append(contentsOf: $0) } }
        add([key, UInt64(state.places?.count ?? 0), UInt64(state.places?.orders.count ?? 0)])
        if let places = state.places {
            add(places.rowIDs)
            add(places.ordinals)
            add(places.repeated.words)
            for order in places.orders {
                add([UInt64(order.columns.count)] + order.columns.map { UInt64($0) })
                add(order.positions)
                add(order.isSame.words)
            }
        }
        let sum = withUnsafeBytes(of: Self.sum(body[...])) { Array($0) }
        do {
            // The home itself is not made here: who has none keeps nothing.
            mkdir(SecureFile.parent(of: path), 0o700)
            try SecureFile.replace(path, with: Self.header + sum + body)
        } catch {
            // A full disk or a read-only home: the index stays in memory for this process.
            state.canWrite = false
        }
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt64 { UInt64(bytes.withUnsafeBytes(FNV.sum)) }

    /// Takes the parts of a file's body one after the other; nil where there is not enough of it. Its numbers are the machine's own:
    /// a home does not move to another one without being made anew.
    private struct Reader {
        private(set) var rest: ArraySlice<UInt8>
        init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

        mutating func array<T: FixedWidthInteger>(_ count: Int) -> [T]? {
            let size = count * MemoryLayout<T>.size
            guard rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return rest.withUnsafeBytes { bytes in
                [T](unsafeUninitializedCapacity: count) { buffer, filled in
                    UnsafeMutableRawBufferPointer(buffer).copyMemory(from: .init(rebasing: bytes[..<size]))
                    filled = count
                }
            }
        }

        mutating func word() -> UInt64? { array(1)?[0] }

        mutating func count(_ limit: Int) -> Int? { word().flatMap { $0 <= limit ? Int($0) : nil } }

        mutating func bits(_ count: Int) -> CardBits? { array((count + 63) / 64).map(CardBits.init(words:)) }
    }
}
