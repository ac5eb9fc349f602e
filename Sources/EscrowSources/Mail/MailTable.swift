internal import EscrowDiagnostics
internal import EscrowSchema

/// `Messages` or `MessageRecipients`, served from the headers of mail.
struct MailTable: TableSource {
    /// Which of the tables.
    enum Part: Sendable { case messages, recipients }

    let part: Part
    let context: SourceContext

    var spec: TableSpec { part == .messages ? MailSpec.messages : MailSpec.recipients }

    /// A term on the folder spares files, one on a Maildir's flags or sizes the opening of each mail, every other one the
    /// decoding of the rest of the headers. Rows come in the order of the files only.
    func offer(for request: ScanRequest) -> ScanOffer {
        ScanOffer(
            prunes: request.predicates.map { RowFilter.isUsable($0, spec: spec) },
            servesOrder: request.order.isEmpty, estimatedRows: context.estimatedRows)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? { try context.fingerprint() }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let listing = try context.list()
        // A mail in an mbox takes 10 KB or so; in a Maildir each is a file.
        let bytes = listing.files.lazy.filter { $0.kind >= MailAdapter.FileKind.mbox }
            .reduce(Int64(0)) { $0.addingReportingOverflow($1.size).partialValue }
        context.estimatedRows = listing.files.count + Int(clamping: bytes / 10_000)
        return MailSnapshot(part: part, spec: spec, listing: listing, context: context)
    }
}

/// The mail folders as they stood when a statement began.
final class MailSnapshot: TableSnapshot {
    let part: MailTable.Part
    let spec: TableSpec
    let listing: FileListing
    let folders: MailFolder
    let context: SourceContext

    init(part: MailTable.Part, spec: TableSpec, listing: FileListing, context: SourceContext) {
        self.part = part
        self.spec = spec
        self.listing = listing
        self.context = context
        folders = MailFolder(listing)
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { MailScan(request, of: self) }
}
