internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// `Contacts`, its child tables, and the tables of groups and containers, served from vCard files and address books.
struct ContactsTable: TableSource {
    enum Part: Sendable, Equatable {
        case contacts, phoneNumbers, emailAddresses, postalAddresses
        case groups(ContactGroupScan.Part)
    }

    let part: Part
    let context: SourceContext

    var spec: TableSpec {
        switch part {
        case .contacts: ContactsSpec.contacts
        case .phoneNumbers: ContactsSpec.phoneNumbers
        case .emailAddresses: ContactsSpec.emailAddresses
        case .postalAddresses: ContactsSpec.postalAddresses
        case .groups(.groups): ContactGroupsSpec.groups
        case .groups(.groupMembers): ContactGroupsSpec.groupMembers
        case .groups(.containers): ContactGroupsSpec.containers
        case .groups(.containerMembers): ContactGroupsSpec.containerMembers
        }
    }

    /// Every certain term spares the decoding of the rest of a card; the file is read to its end all the same. Cards come
    /// in the order of the file only.
    func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        try context.fingerprint { $0.kind == ContactFile.cards }
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let kept = try KeptCards.shared(by: assets, context)
        return ContactsSnapshot(part: part, spec: spec, kept: kept, context: context)
    }
}

/// The files as they stood when a statement began.
final class ContactsSnapshot: TableSnapshot {
    private let part: ContactsTable.Part
    private let spec: TableSpec
    private let kept: KeptCards
    private let context: SourceContext
    private lazy var guide = CardGuide(kept, context)

    init(part: ContactsTable.Part, spec: TableSpec, kept: KeptCards, context: SourceContext) {
        self.part = part
        self.spec = spec
        self.kept = kept
        self.context = context
    }

    /// The index may know an order.
    func offer(for request: ScanRequest) throws(Diagnostic) -> ScanOffer? {
        if case .groups = part { return nil }
        return ScanOffer(
            prunes: request.predicates.map { RowFilter.isUsable($0, spec: spec) },
            servesOrder: request.order.isEmpty || part == .contacts && guide.serves(request),
            estimatedRows: context.estimatedRows)
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        let filter = RowFilter(request.predicates, spec: spec)
        func children(_ property: VCardProperty) -> any TableScan {
            let route = guide.route(filter.terms.compactMap(Self.onCard), order: [])
            return ContactChildScan(
                property, request, spec, filter: filter, kept: kept, context: context, route: route)
        }
        switch part {
        case .contacts:
            let route = guide.route(filter.terms, order: request.order)
            return ContactsScan(request, filter: filter, kept: kept, context: context, route: route)
        case .phoneNumbers: return children(.phone)
        case .emailAddresses: return children(.email)
        case .postalAddresses: return children(.address)
        case .groups(let groups):
            return ContactGroupScan(groups, request, spec: spec, kept: kept, context: context)
        }
    }

    /// A term on a child's contact as a term on the contact itself.
    private static func onCard(_ term: Predicate) -> Predicate? {
        guard term.column == ContactsSpec.ChildColumn.contactID.rawValue else { return nil }
        var term = term
        term.column = ContactsSpec.Column.id.rawValue
        return term
    }
}
