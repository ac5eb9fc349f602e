internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// One pass over all cards for a table of groups or containers.
final class ContactGroupScan: TableScan {
    /// Which of the tables.
    enum Part: Sendable { case groups, groupMembers, containers, containerMembers }

    /// The most categories of a card that are read.
    static let categoryLimit = 256
    /// The most categories of all cards that become groups.
    private static let groupLimit = 65_536

    private let part: Part
    private let request: ScanRequest
    private let filter: RowFilter
    private let spec: TableSpec
    private let kept: KeptCards
    private let context: SourceContext
    private let containers: ContactContainers
    private var cards: CardStream
    private var row: RowBuilder?
    private var values = CardValues()
    private var text = VCardText()
    /// The rows of the last card, and how many of them were served.
    private var pending: [(file: Int, values: [[UInt8]?])] = []
    private var served = 0
    /// The number of rows of the last file so far.
    private var place: (file: Int, count: Int64) = (-1, 0)
    private var known: Set<String> = []
    private lazy var memberships = ContactMemberships(kept, context)

    init(
        _ part: Part, _ request: ScanRequest, spec: TableSpec, kept: KeptCards,
        context: SourceContext
    ) {
        self.part = part
        self.request = request
        self.spec = spec
        self.kept = kept
        self.context = context
        filter = RowFilter(request.predicates, spec: spec)
        containers = ContactContainers(kept.listing)
        cards = CardStream(
            kept, context: context, wanted: VCardPropertySet([.uid, .fullName, .name, .categories]),
            includesGroups: part == .groups)
        if part == .containers {
            pending = containers.firstFiles.map {
                ($0, [id(ofContainer: $0), Array(containers.name(of: $0).utf8)])
            }
        }
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: spec)
        while !chunk.isFull {
            if served == pending.count {
                guard part != .containers, cards.advance() else { break }
                pending = rows().map { (cards.file, $0) }
                served = 0
                chunk.passRecord()
                continue
            }
            let (file, values) = pending[served]
            served += 1
            place = (file, file == place.file ? place.count + 1 : 0)
            row.place = place.count
            for (column, value) in values.enumerated() { row.set(column, value?[...]) }
            row.end(file: file)
            if row.hasLongValue {
                row.hasLongValue = false
                context.onSkip(kept.listing.path(file), .longValue)
            }
        }
        return chunk.isFull || chunk.rowCount > 0
    }

    func omit(_ column: Int) { row?.omit(column) }

    /// The rows that the card at hand gives.
    private func rows() -> [[[UInt8]?]] {
        let container = id(ofContainer: cards.file)
        if cards.isGroup {
            var name: [UInt8] = []
            let hasName = values.append(.fullName, of: cards.card, to: &name)
            return [[cards.groupID(&values), hasName ? name : nil, container]]
        }
        guard part != .groups else {
            return categories().compactMap { name in
                let group = id(ofCategory: name)
                guard known.count < Self.groupLimit, known.insert(group).inserted else { return nil }
                return [Array(group.utf8), name, container]
            }
        }
        var contact: [UInt8] = []
        let isRepeated = values.appendWholeID(
            of: cards.card, path: cards.path, isRepeated: nil, to: &contact)
        guard part == .groupMembers else { return [[container, contact]] }
        let groups = isRepeated ? [] : memberships.groups(of: cards.card, &text)
        return (groups + categories().map { Array(id(ofCategory: $0).utf8) }).map { [$0, contact] }
    }

    /// The categories of the card, each once.
    private func categories() -> [[UInt8]] {
        var found: [[UInt8]] = []
        for line in cards.card.lines where line.property == .categories {
            guard let parameters = VCardParameters(line, in: cards.card.arena) else { continue }
            let left = Self.categoryLimit - found.count
            for item in text.items(parameters, of: cards.card, limit: left) where !found.contains(item) {
                found.append(item)
            }
        }
        return found
    }

    private func id(ofContainer file: Int) -> [UInt8] {
        Array(StableID.name(containers.path(of: file)).utf8)
    }

    /// A category is a group of its container. No path holds a NUL.
    private func id(ofCategory name: [UInt8]) -> String {
        StableID.name(containers.path(of: cards.file) + "\0" + String(decoding: name, as: UTF8.self))
    }
}

extension CardStream {
    /// The id of the group that the card is.
    func groupID(_ values: inout CardValues) -> [UInt8] {
        var id: [UInt8] = []
        values.appendWholeID(of: card, path: path, isRepeated: false, to: &id)
        return id
    }
}

/// Which groups name which contacts as their members.
struct ContactMemberships {
    /// The most memberships that are kept.
    private static let limit = 1 << 20
    private var groups: [[UInt8]: [[UInt8]]] = [:]

    /// Reads all group cards. What cannot be read is told by the pass over the contacts.
    init(_ kept: KeptCards, _ context: SourceContext) {
        let quiet = SourceContext(context.adapter, roots: context.roots, listing: kept.listing) { _, _ in }
        var cards = CardStream(
            kept, context: quiet, wanted: VCardPropertySet([.uid, .member, .email]), includesGroups: true)
        var values = CardValues()
        var text = VCardText()
        var count = 0
        while cards.advance() {
            guard cards.isGroup else { continue }
            let group = cards.groupID(&values)
            for line in cards.card.lines where line.property == .member || line.property == .email {
                guard let key = Self.member(line, of: cards.card, &text), groups[key]?.last != group
                else { continue }
                guard count < Self.limit else {
                    context.onSkip(
                        cards.path, FileProblem("more than \(Self.limit) members of groups", partial: true))
                    return
                }
                count += 1
                groups[key, default: []].append(group)
            }
        }
    }

    /// The ids of the groups that a contact is a member of.
    func groups(of card: VCard, _ text: inout VCardText) -> [[UInt8]] {
        guard !groups.isEmpty, let line = card.first(.uid),
            let parameters = VCardParameters(line, in: card.arena)
        else { return [] }
        var uid: [UInt8] = []
        return text.append(parameters, of: card, to: &uid) ? groups[Self.key(uid[...])] ?? [] : []
    }

    /// The member that a line of a group names: by its UID (RFC 6350, 6.6.5), or as Evolution's lists do.
    private static func member(_ line: VCard.Line, of card: VCard, _ text: inout VCardText) -> [UInt8]? {
        guard let parameters = VCardParameters(line, in: card.arena) else { return nil }
        if line.property == .email { return parameters.contactUID.map { key(card.arena[$0].unquoted) } }
        var uid: [UInt8] = []
        return text.append(parameters, of: card, to: &uid) ? key(uid[...]) : nil
    }

    /// A UID as it is compared: some programs write `urn:uuid:` before one and not before the other.
    private static func key(_ uid: ArraySlice<UInt8>) -> [UInt8] {
        let scheme = Array("urn:uuid:".utf8)
        let lower = uid.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
        return lower.starts(with: scheme) ? Array(lower.dropFirst(scheme.count)) : lower
    }
}
