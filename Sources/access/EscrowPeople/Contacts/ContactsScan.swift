internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit

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
        return chunk.isFull || chunk.rowCount > 0
    }

    func omit(_ column: Int) { rows.omit(column) }
}

/// What a scan of contacts is at. A structure, so that its parts are changed in place, without a check of each for
/// whether another has it in hand.
private struct ContactRows {
    private typealias Column = ContactsSpec.Column
    private var cards: CardStream
    private let filter: RowFilter
    private let context: SourceContext
    /// The columns that terms test, then the requested ones but for the id.
    private let tested: [Column]
    private var requested: [Column]
    /// Whether the id is requested, and whether it is read at all.
    private var wantsID: Bool
    private var needsID: Bool
    private var values = CardValues()
    private var scratch: [UInt8] = []
    private var id: [UInt8] = []

    init(
        _ request: ScanRequest, filter: RowFilter, kept: KeptCards, context: SourceContext,
        route: CardStream.Route
    ) {
        self.filter = filter
        self.context = context
        tested = filter.columns.columns.compactMap(Column.init)
        let columns = request.columns.columns.compactMap(Column.init)
        requested = columns.filter { $0 != .id }
        wantsID = columns.contains(.id)
        needsID = wantsID || tested.contains(.id)
        var wanted: [VCardProperty] = []
        for column in tested + columns { wanted += CardValues.properties(for: column) }
        cards = CardStream(kept, context: context, wanted: VCardPropertySet(wanted), route: route)
    }

    mutating func fill(_ chunk: ColumnChunk) {
        while !chunk.isFull, cards.advance() {
            let isAppended = needsID && readID(chunk)
            guard isAdmitted() else {
                chunk.passRecord()
                continue
            }
            if wantsID, !isAppended { chunk.append(id, to: Column.id.rawValue) }
            for column in requested { append(column, to: chunk) }
            chunk.endRow(id: cards.rowID(cards.card.offset))
        }
    }

    /// Reads the card's id. Where no term can rule the card out, it goes to the chunk at once if it can: true then.
    private mutating func readID(_ chunk: ColumnChunk) -> Bool {
        id.removeAll(keepingCapacity: true)
        let isWhole: Bool
        if wantsID, tested.isEmpty {
            guard
                let whole = values.appendID(
                    of: cards.card, isRepeated: cards.isRepeated, to: chunk, column: Column.id.rawValue,
                    otherwiseTo: &id)
            else { return true }
            isWhole = whole
        } else {
            isWhole = values.appendID(of: cards.card, isRepeated: cards.isRepeated, to: &id)
        }
        if !isWhole { values.appendPlace(of: cards.card, path: cards.path, to: &id) }
        return false
    }

    mutating func omit(_ column: Int) {
        requested.removeAll { $0.rawValue == column }
        if column == Column.id.rawValue { wantsID = false }
        needsID = wantsID || tested.contains(.id)
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
        case .id: break
        case .contactType: chunk.append(values.contactType(of: cards.card), to: column.rawValue)
        case .imageDataAvailable: chunk.append(Int64(cards.card.hasPhoto ? 1 : 0), to: column.rawValue)
        default:
            scratch.removeAll(keepingCapacity: true)
            guard values.append(column, of: cards.card, to: &scratch) else { return }
            guard scratch.count <= ColumnChunk.valueCapacity else {
                return context.onSkip(cards.path, .longValue)
            }
            chunk.append(scratch, to: column.rawValue)
        }
    }
}
