internal import EscrowDiagnostics
internal import EscrowSchema

/// One pass over all cards, a row each.
final class ContactsScan: TableScan {
    private var rows: ContactRows

    init(
        _ request: ScanRequest, filter: RowFilter, kept: KeptCards, context: SourceContext,
        route: CardStream.Route
    ) {
        rows = ContactRows(request, filter: filter, kept: kept, context: context, route: route)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        rows.fill(chunk)
        return chunk.rowCount > 0
    }

    func omit(_ column: Int) { rows.omit(column) }
}

/// What a scan of contacts is at. A structure, so that its parts are changed in place, without a check of each for
/// whether another has it in hand.
private struct ContactRows {
    private typealias Column = ContactsSpec.Column
    private var cards: CardStream
    private let filter: RowFilter
    /// The columns that terms test, then the other requested ones.
    private let tested: [Column]
    private var requested: [Column]
    private var needsID: Bool
    private var values = CardValues()
    private var scratch: [UInt8] = []
    private var id: [UInt8] = []

    init(
        _ request: ScanRequest, filter: RowFilter, kept: KeptCards, context: SourceContext,
        route: CardStream.Route
    ) {
        self.filter = filter
        tested = filter.columns.columns.compactMap(Column.init)
        requested = request.columns.columns.compactMap(Column.init)
        needsID = tested.contains(.id) || requested.contains(.id)
        var wanted: [VCardProperty] = []
        for column in tested + requested { wanted += CardValues.properties(for: column) }
        cards = CardStream(kept, context: context, wanted: VCardPropertySet(wanted), route: route)
    }

    mutating func fill(_ chunk: ColumnChunk) {
        while !chunk.isFull, cards.advance() {
            if needsID {
                id.removeAll(keepingCapacity: true)
                if !values.appendID(of: cards.card, isRepeated: cards.isRepeated, to: &id) {
                    values.appendPlace(of: cards.card, path: cards.path, to: &id)
                }
            }
            guard isAdmitted() else { continue }
            for column in requested { append(column, to: chunk) }
            chunk.endRow(id: cards.rowID(cards.card.offset))
        }
    }

    mutating func omit(_ column: Int) {
        requested.removeAll { $0.rawValue == column }
        needsID = tested.contains(.id) || requested.contains(.id)
    }

    private mutating func isAdmitted() -> Bool {
        for column in tested where !admits(column) { return false }
        return true
    }

    private mutating func admits(_ column: Column) -> Bool {
        switch column {
        case .id: return filter.admits(column.rawValue, text: id[...])
        case .contactType: return filter.admits(column.rawValue, integer: values.contactType(of: cards.card))
        case .imageDataAvailable: return filter.admits(column.rawValue, integer: cards.card.hasPhoto ? 1 : 0)
        default:
            scratch.removeAll(keepingCapacity: true)
            let found = values.append(column, of: cards.card, to: &scratch)
            return filter.admits(column.rawValue, text: found ? scratch[...] : nil)
        }
    }

    private mutating func append(_ column: Column, to chunk: ColumnChunk) {
        switch column {
        case .id: chunk.append(id, to: column.rawValue)
        case .contactType: chunk.append(values.contactType(of: cards.card), to: column.rawValue)
        case .imageDataAvailable: chunk.append(Int64(cards.card.hasPhoto ? 1 : 0), to: column.rawValue)
        default:
            scratch.removeAll(keepingCapacity: true)
            if values.append(column, of: cards.card, to: &scratch) {
                chunk.append(scratch, to: column.rawValue)
            }
        }
    }
}
