internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

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
        context.offerInFileOrder(request, spec: spec)
    }

    func fingerprint() throws(Diagnostic) -> TableFingerprint? { try context.fingerprint() }

    func snapshot(assets: AssetTable) throws(Diagnostic) -> any TableSnapshot {
        let files = LookedUpListing(try context.list(leavesStatus: true), onProblem: context.onSkip)
        // A mail in an mbox takes 10 KB or so; in a Maildir each is a file.
        var rows = 0
        for index in files.listing.files.indices {
            guard files.listing.files[index].kind >= MailAdapter.FileKind.mbox else {
                rows += 1
                continue
            }
            if files.know(index) { rows += max(1, Int(clamping: files.listing.files[index].size / 10_000)) }
        }
        context.estimatedRows = rows
        return MailSnapshot(part: part, spec: spec, files: files, context: context)
    }
}

/// The mail folders as they stood when a statement began.
final class MailSnapshot: TableSnapshot {
    let part: MailTable.Part
    let spec: TableSpec
    /// The names; a Maildir's files are looked at when their headers or sizes are needed.
    let files: LookedUpListing
    let folders: MailFolder
    let context: SourceContext

    var listing: FileListing { files.listing }

    init(part: MailTable.Part, spec: TableSpec, files: LookedUpListing, context: SourceContext) {
        self.part = part
        self.spec = spec
        self.files = files
        self.context = context
        folders = MailFolder(files.listing)
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan { MailScan(request, of: self) }
}
