internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowTableKit

/// One pass over all cards, a row for each phone number, e-mail address or postal address.
final class ContactChildScan: TableScan {
    private typealias Column = ContactsSpec.ChildColumn

    /// One value of the card at hand.
    private struct Entry {
        var line: VCard.Line
        var parameters: VCardParameters
        var rank: Int
    }

    private let property: VCardProperty
    private var cards: CardStream
    private let filter: RowFilter
    private let columns: ColumnMask
    private let requested: ColumnMask
    private let width: Int
    private var values = CardValues()
    private var text = VCardText()
    private var id: [UInt8] = []
    private var scratch: [UInt8] = []
    private var entries: [Entry] = []
    private var position = 0

    init(
        _ property: VCardProperty, _ request: ScanRequest, filter: RowFilter, kept: KeptCards,
        context: SourceContext, route: CardStream.Route
    ) {
        self.property = property
        self.filter = filter
        requested = request.columns
        columns = ColumnMask(bits: request.columns.bits | filter.columns.bits)
        width = property == .address ? Column.first.rawValue + 7 : Column.first.rawValue + 1
        var wanted: [VCardProperty] = [property]
        if columns.contains(Column.contactID.rawValue) { wanted.append(.uid) }
        cards = CardStream(kept, context: context, wanted: VCardPropertySet(wanted), route: route)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        while !chunk.isFull {
            if position == entries.count, !nextCard() { break }
            while position < entries.count, !chunk.isFull {
                appendRow(position, to: chunk)
                position += 1
            }
        }
        return chunk.rowCount > 0
    }

    /// Collects the values of the next card, the preferred one first.
    private func nextCard() -> Bool {
        guard cards.advance() else { return false }
        if columns.contains(Column.contactID.rawValue) {
            id.removeAll(keepingCapacity: true)
            if !values.appendID(of: cards.card, isRepeated: cards.isRepeated, to: &id) {
                values.appendPlace(of: cards.card, path: cards.path, to: &id)
            }
        }
        entries.removeAll(keepingCapacity: true)
        position = 0
        for line in cards.card.lines where line.property == property {
            guard let parameters = VCardParameters(line, in: cards.card.arena), hasValue(parameters) else {
                continue
            }
            entries.append(Entry(line: line, parameters: parameters, rank: parameters.preference ?? 101))
        }
        // The sort is stable: equals stay in the order of the card.
        if entries.count > 1 { entries.sort { $0.rank < $1.rank } }
        return true
    }

    /// Whether there is anything to show: an empty `TEL:` is no number.
    private func hasValue(_ parameters: VCardParameters) -> Bool {
        let parts = property == .address ? 7 : 1
        for part in 0..<parts where readValue(part, parameters) { return true }
        return false
    }

    /// Reads the value, or a component of an address in the order of RFC 6350, into `scratch`.
    private func readValue(_ part: Int, _ parameters: VCardParameters) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        let component = property == .address ? part : nil
        guard text.append(parameters, component: component, of: cards.card, to: &scratch) else {
            return false
        }
        if property == .phone { CardValues.stripScheme(&scratch, "TEL:") }
        if property == .email { CardValues.stripScheme(&scratch, "MAILTO:") }
        return !scratch.isEmpty
    }

    private func appendRow(_ index: Int, to chunk: ColumnChunk) {
        let entry = entries[index]
        for column in 0..<width where columns.contains(column) {
            let isWanted = requested.contains(column)
            let admitted: Bool
            switch Column(rawValue: column) {
            case .contactID:
                admitted = filter.admits(column, text: id[...])
                if admitted, isWanted { chunk.append(id, to: column) }
            case .position:
                let value = Int64(index + 1)
                admitted = filter.admits(column, integer: value)
                if admitted, isWanted { chunk.append(value, to: column) }
            case .isPreferred:
                let value: Int64 = entry.parameters.preference == nil ? 0 : 1
                admitted = filter.admits(column, integer: value)
                if admitted, isWanted { chunk.append(value, to: column) }
            case .label: admitted = append(readLabel(entry), column, isWanted, chunk)
            default:
                admitted = append(readValue(component(column), entry.parameters), column, isWanted, chunk)
            }
            if !admitted {
                chunk.abandonRow()
                return
            }
        }
        chunk.endRow(id: cards.rowID(entry.line.offset))
    }

    private func append(_ found: Bool, _ column: Int, _ isWanted: Bool, _ chunk: ColumnChunk) -> Bool {
        guard filter.admits(column, text: found ? scratch[...] : nil) else { return false }
        if found, isWanted { chunk.append(scratch, to: column) }
        return true
    }

    /// The component of `ADR` that a column shows: box, extended, street, city, region, code, country.
    private func component(_ column: Int) -> Int {
        guard property == .address else { return 0 }
        let part = column - Column.first.rawValue
        return part < 5 ? part + 2 : part - 5
    }

    /// Reads the label into `scratch`: the person's own word (`item1.X-ABLabel`) before the types.
    private func readLabel(_ entry: Entry) -> Bool {
        scratch.removeAll(keepingCapacity: true)
        let card = cards.card
        if !entry.line.group.isEmpty {
            let group = card.arena[entry.line.group]
            for line in card.lines
            where line.property == .label && card.arena[line.group].elementsEqual(group) {
                guard let parameters = VCardParameters(line, in: card.arena),
                    text.append(parameters, of: card, to: &scratch)
                else { continue }
                // Apple wraps its own words: _$!<HomePage>!$_
                if scratch.starts(with: "_$!<".utf8), scratch.suffix(4).elementsEqual(">!$_".utf8),
                    scratch.count > 8
                {
                    scratch = Array(
                        scratch[4..<scratch.count - 4].map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 })
                }
                return true
            }
        }
        guard let label = entry.parameters.label else { return false }
        label.withUTF8Buffer { scratch.append(contentsOf: $0) }
        return true
    }
}
