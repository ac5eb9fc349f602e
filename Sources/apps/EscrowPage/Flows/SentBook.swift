public import EscrowHome
import EscrowJSON
public import EscrowLedger

/// The requests to the network, as the ledger tells them: the latest one by one, with what a list of them shows.
///
/// It takes entries one after the other, as a ``FlowBook`` does.
public struct SentBook: Sendable {
    /// A request.
    public struct Item: Sendable {
        /// The entry that tells it, and that of its end.
        public let entry: UInt64
        public internal(set) var answer: UInt64?
        /// Without headers, body and values, which can be long.
        public internal(set) var record: EgressRecord
    }

    /// The most that are kept, so that an app that sends much fills no memory.
    static let most = 2048

    /// The latest, oldest first.
    public private(set) var items: [Item] = []
    /// How many there were.
    public private(set) var count = 0
    /// The entries of the first and of the last request that told a place.
    public private(set) var places: ClosedRange<UInt64>?

    public init() {}

    /// Takes in the next entry.
    public mutating func take(_ entry: LedgerEntry) {
        switch entry.kind {
        case .egressSent:
            add(entry, id: entry.fields["id"]?.string ?? "")
            if let place = entry.fields["place"], place != .null {
                places = (places?.lowerBound ?? entry.sequence)...entry.sequence
            }
        case .egressRefused: add(entry, id: nil)
        case .egressAnswered:
            let id = entry.fields["id"]?.string ?? ""
            guard let index = items.lastIndex(where: { $0.record.id == id }) else { return }
            items[index].answer = entry.sequence
            items[index].record.end = Self.some(["status", "code", "bytes"], of: entry.fields)
            items[index].record.endTime = entry.time
        default: break
        }
    }

    private mutating func add(_ entry: LedgerEntry, id: String?) {
        count += 1
        var fields =
            Self.some(["app", "plugin", "endpoint", "code", "bytes"], of: entry.fields).members ?? []
        if let url = entry.fields["url"]?.string {
            let place = url.dropFirst("https://".count).prefix { $0 != "/" }
            fields.append(("url", .string("https://\(place)/")))
        }
        items.append(
            Item(
                entry: entry.sequence,
                record: EgressRecord(
                    id: id, run: entry.run ?? "", time: entry.time, sent: .object(fields))))
        if items.count > Self.most * 2 { items.removeFirst(items.count - Self.most) }
    }

    private static func some(_ names: [String], of fields: JSONValue) -> JSONValue {
        .object((fields.members ?? []).filter { names.contains($0.name) })
    }
}
