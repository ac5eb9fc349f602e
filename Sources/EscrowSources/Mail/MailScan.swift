internal import EscrowDiagnostics
internal import EscrowSchema

/// One pass over all mail.
///
/// A file of one mail is one row of `Messages` whether it can be read or not, so it is opened only for what its headers
/// say; where they cannot be read their columns are null.
final class MailScan: TableScan {
    private let request: ScanRequest
    private let snapshot: MailSnapshot
    private let filter: RowFilter
    private let fields: MailFieldSet
    private var opener = FileOpener()
    private var nextFile = 0
    private var mbox: MboxReader?
    private var message: MailMessage
    private var folder: [UInt8]?
    private var values = MailValues()
    private var recipients: MailRecipients?
    private var recipientCount: Int64 = 0
    private var row: (builder: RowBuilder, chunk: ColumnChunk)?

    init(_ request: ScanRequest, of snapshot: MailSnapshot) {
        self.request = request
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: snapshot.spec)
        fields = MailValues.fields(
            for: ColumnMask(bits: request.columns.bits | filter.columns.bits), of: snapshot.part)
        message = MailMessage(fields.union(.inMbox))
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = builder(for: chunk)
        while !chunk.isFull {
            if let recipient = recipients?.next() {
                recipientCount += 1
                row.place = recipientCount
                values.set(recipient, folder: folder, in: row)
                row.end(file: nextFile - 1)
                continue
            }
            recipients = nil
            guard nextMessage(row) else { break }
        }
        return chunk.rowCount > 0
    }

    func omit(_ column: Int) { row?.builder.omit(column) }

    private func builder(for chunk: ColumnChunk) -> RowBuilder {
        if let row, row.chunk === chunk { return row.builder }
        let builder = RowBuilder(request, filter: filter, chunk: chunk, spec: snapshot.spec)
        row = (builder, chunk)
        return builder
    }

    /// Takes up the next mail; false after the last.
    private func nextMessage(_ row: RowBuilder) -> Bool {
        if mbox != nil {
            guard mbox!.next(into: &message) else {
                mbox = nil
                return true
            }
            let flags = MailFlags(message.headers)
            if flags.contains(.expunged) { return true }
            emit(flags, place: snapshot.listing.path(nextFile - 1), part: Int(message.offset), row)
            return true
        }
        guard nextFile < snapshot.listing.files.count else { return false }
        let file = nextFile
        nextFile += 1
        recipientCount = 0
        folder = snapshot.folders.name(file, of: snapshot.listing)
        let column =
            snapshot.part == .messages
            ? MailSpec.Message.folder.rawValue : MailSpec.Recipient.folder.rawValue
        guard filter.admits(column, text: folder?[...]) else { return true }
        if snapshot.listing.files[file].kind >= MailAdapter.FileKind.mbox {
            openMbox(file)
        } else {
            readSingle(file, row)
        }
        return true
    }

    private func emit(_ flags: MailFlags, place: String, part: Int?, _ row: RowBuilder) {
        if message.headers.isTooLong {
            tell(FileProblem("more than 1 MiB of headers; the rest was passed over", partial: true))
        }
        switch snapshot.part {
        case .messages:
            values.set(message, flags, folder: folder, place: place, part: part, in: row)
            row.place = message.offset
            row.end(file: nextFile - 1)
        case .recipients:
            values.prepare(message.headers, place: place, part: part, in: row)
            recipients = MailRecipients(message.headers)
        }
    }

    // MARK: - Files of many mails

    private func openMbox(_ file: Int) {
        let listed = snapshot.listing.files[file]
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            let (context, path) = (snapshot.context, snapshot.listing.path(file))
            var reader = MboxReader(descriptor, size: listed.size) { context.onSkip(path, $0) }
            if reader.begin() {
                mbox = consume reader
            } else if listed.kind == MailAdapter.FileKind.mbox {
                tell(FileProblem("its first line does not begin with 'From '"))
            }
        }
    }

    // MARK: - Files of one mail

    private func readSingle(_ file: Int, _ row: RowBuilder) {
        let listed = snapshot.listing.files[file]
        let flags =
            listed.kind == MailAdapter.FileKind.seen
            ? MailFlags(maildirName: snapshot.listing.nameBytes(file)) : []
        message.headers.removeAll()
        message.offset = 0
        message.size = listed.size
        // What the listing tells is tested before anything is opened.
        if snapshot.part == .messages {
            for column in MailValues.listed where filter.columns.contains(column.rawValue) {
                let value = MailValues.listed(column, size: listed.size, flags)
                guard filter.admits(column.rawValue, integer: value) else { return }
            }
        }
        let isRead = fields.isEmpty || readHeaders(file)
        if isRead || snapshot.part == .messages {
            emit(flags, place: snapshot.folders.place(file, of: snapshot.listing), part: nil, row)
        }
    }

    private func readHeaders(_ file: Int) -> Bool {
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem):
            tell(problem)
            return false
        case .opened(let descriptor):
            // Most headers fit into one such block.
            var reader = BlockReader(descriptor, limit: snapshot.listing.files[file].size, blockSize: 8 << 10)
            while let piece = reader.next() {
                let progress = message.headers.take(
                    reader.buffer[piece.range], continuesLine: piece.continuesLine, endsLine: piece.endsLine)
                if progress != .inside { break }
            }
            if let failure = reader.failure { tell(.unreadable(errno: failure)) }
            return true
        }
    }

    private func tell(_ problem: FileProblem) {
        snapshot.context.onSkip(snapshot.listing.path(nextFile - 1), problem)
    }
}
