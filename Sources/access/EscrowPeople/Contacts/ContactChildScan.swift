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
    private let request: ScanRequest
    private let filter: RowFilter
    private let spec: TableSpec
    private let needsID: Bool
    private let width: Int
    private var row: RowBuilder?
    private var values = CardValues()
    private var text = VCardText()
    private var id: [UInt8] = []
    private var scratch: [UInt8] = []
    private var entries: [Entry] = []
    private var position = 0

    init(
        _ property: VCardProperty, _ request: ScanRequest, _ spec: TableSpec, filter: RowFilter,
        kept: KeptCards, context: SourceContext, route: CardStream.Route
    ) {
        self.property = property
        self.filter = filter
        self.request = request
        self.spec = spec
        needsID = ColumnMask(bits: request.columns.bits | filter.columns.bits)
            .contains(Column.contactID.rawValue)
        width = property == .address ? Column.first.rawValue + 7 : Column.first.rawValue + 1
        var wanted: [VCardProperty] = [property]
        if needsID { wanted.append(.uid) }
        cards = CardStream(kept, context: context, wanted: VCardPropertySet(wanted), route: route)
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: spec)
        while !chunk.isFull {
            guard position < entries.count else {
                guard nextCard() else { break }
                chunk.passRecord()
                continue
            }
            set(entries[position], row)
            row.end(file: cards.file)
            position += 1
        }
        return chunk.isFull || chunk.rowCount > 0
    }

    func omit(_ column: Int) { row?.omit(column) }

    /// Collects the values of the next card, the preferred one first.
    private func nextCard() -> Bool {
        guard cards.advance() else { return false }
        if needsID {
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

    private func set(_ entry: Entry, _ row: RowBuilder) {
        row.place = entry.line.offset
        row.set(Column.contactID, id[...])
        row.set(Column.position, Int64(position + 1))
        row.set(Column.isPreferred, entry.parameters.preference != nil)
        row.set(Column.label, readLabel(entry) ? scratch[...] : nil)
        for column in Column.first.rawValue..<width where row.wants(column) {
            row.set(column, readValue(component(column), entry.parameters) ? scratch[...] : nil)
        }
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
