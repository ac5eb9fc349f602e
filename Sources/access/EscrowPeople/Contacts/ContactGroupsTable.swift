internal import EscrowDiagnostics
internal import EscrowFormats
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// The groups and containers of contacts, and which contacts they hold.
struct ContactGroupsTable: TableSource {
    /// Which of the tables.
    enum Part: Sendable { case groups, groupMembers, containers, containerMembers }

    let part: Part
    let context: SourceContext

    var spec: TableSpec {
        switch part {
        case .groups: ContactGroupsSpec.groups
        case .groupMembers: ContactGroupsSpec.groupMembers
        case .containers: ContactGroupsSpec.containers
        case .containerMembers: ContactGroupsSpec.containerMembers
        }
    }

    func offer(for request: ScanRequest) -> ScanOffer {
        context.offerInFileOrder(request, spec: spec)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? {
        try context.fingerprint { $0.kind == ContactsAdapter.cards }
    }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let kept = try KeptCards.shared(by: assets, context)
        return ContactGroupsSnapshot(part: part, spec: spec, kept: kept, context: context)
    }
}

private final class ContactGroupsSnapshot: TableSnapshot {
    private let part: ContactGroupsTable.Part
    private let spec: TableSpec
    private let kept: KeptCards
    private let context: SourceContext

    init(part: ContactGroupsTable.Part, spec: TableSpec, kept: KeptCards, context: SourceContext) {
        self.part = part
        self.spec = spec
        self.kept = kept
        self.context = context
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        ContactGroupScan(part, request, spec: spec, kept: kept, context: context)
    }
}

/// The address books among the listed files.
struct ContactContainers {
    private let listing: FileListing

    init(_ listing: FileListing) { self.listing = listing }

    /// What tells a file's container from others: the path of a folder of vCards, and else of the file itself.
    func path(of file: Int) -> String {
        let listed = listing.files[file]
        guard listed.kind == ContactsAdapter.cards, listed.directory >= 0 else { return listing.path(file) }
        return listing.directories[Int(listed.directory)].path
    }

    /// The name of a file's container, which is never empty.
    func name(of file: Int) -> String {
        let path = path(of: file)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let isFile = path == listing.path(file)
        guard isFile, let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The first file of each container.
    var firstFiles: [Int] {
        var seen: Set<String> = []
        return listing.files.indices.filter { seen.insert(path(of: $0)).inserted }
    }
}
