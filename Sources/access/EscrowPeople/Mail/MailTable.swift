internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// `Messages` or `MessageRecipients`, served from the headers of mail.
struct MailTable: TableSource {
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
        let files = ListedFiles(try context.list(leavesStatus: true), context, assets)
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
        return MailSnapshot(part: part, files: files)
    }
}

/// The mail folders as they stood when a statement began.
final class MailSnapshot: TableSnapshot {
    let part: MailTable.Part
    /// The names; a Maildir's files are looked at when their headers or sizes are needed.
    let files: ListedFiles
    let folders: MailFolder

    var listing: FileListing { files.listing }
    var spec: TableSpec { part == .messages ? MailSpec.messages : MailSpec.recipients }

    init(part: MailTable.Part, files: ListedFiles) {
        self.part = part
        self.files = files
        folders = MailFolder(files.listing)
    }

    func scan(_ request: ScanRequest) throws(Diagnostic) -> any TableScan {
        FileScan(request, spec, files, ListedColumns(), rows: MailRows(request, of: self))
    }
}
