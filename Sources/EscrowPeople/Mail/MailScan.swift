internal import EscrowDiagnostics
internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

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
    private var row: RowBuilder?
    /// Whether sizes are asked for, or headers, before which a file is looked at.
    private let needsStatus: Bool
    private var meter: ReadingMeter

    init(_ request: ScanRequest, of snapshot: MailSnapshot) {
        self.request = request
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: snapshot.spec)
        let columns = ColumnMask(bits: request.columns.bits | filter.columns.bits)
        fields = MailValues.fields(for: columns, of: snapshot.part)
        needsStatus =
            !fields.isEmpty
            || snapshot.part == .messages && columns.contains(MailSpec.Message.size.rawValue)
        meter = ReadingMeter(snapshot.context.memory, total: snapshot.listing.files.count)
        message = MailMessage(fields.union(.inMbox))
    }

    func next(into chunk: ColumnChunk) throws(Diagnostic) -> Bool {
        chunk.removeAll()
        let row = RowBuilder.aim(&row, at: chunk, request, filter, spec: snapshot.spec)
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

    deinit {
        meter.end(done: nextFile)
        guard snapshot.part == .messages, !fields.isEmpty else { return }
        snapshot.context.memory?.index(MailHeaders.self).flush(fileCount: snapshot.listing.files.count)
    }

    func omit(_ column: Int) { row?.omit(column) }

    /// Takes up the next mail; false after the last.
    private func nextMessage(_ row: RowBuilder) -> Bool {
        if mbox != nil {
            guard mbox!.next(into: &message) else {
                mbox = nil
                return true
            }
            let flags = MailFlags(message.headers)
            if flags.contains(.expunged) { return true }
            emit(message, flags, place: snapshot.listing.path(nextFile - 1), part: Int(message.offset), row)
            return true
        }
        guard nextFile < snapshot.listing.files.count else { return false }
        let file = nextFile
        nextFile += 1
        recipientCount = 0
        let listed = snapshot.listing.files[file].kind
        guard listed == MailAdapter.FileKind.perhaps else {
            read(file, as: listed, row)
            return true
        }
        let kinds = [MailAdapter.FileKind.mbox, MailAdapter.FileKind.single]
        if kinds.contains(where: { admitsFolder(file, as: $0) }), let kind = kind(of: file) {
            read(file, as: kind, row)
        }
        return true
    }

    /// Finds the name of a file's folder; false if a term rules it out.
    private func admitsFolder(_ file: Int, as kind: UInt8) -> Bool {
        folder = snapshot.folders.name(file, as: kind, of: snapshot.listing)
        let column =
            snapshot.part == .messages
            ? MailSpec.Message.folder.rawValue : MailSpec.Recipient.folder.rawValue
        return filter.admits(column, text: folder?[...])
    }

    private func read(_ file: Int, as kind: UInt8, _ row: RowBuilder) {
        guard admitsFolder(file, as: kind) else { return }
        if kind == MailAdapter.FileKind.mbox { openMbox(file) } else { readSingle(file, row) }
    }

    /// What a file is whose name does not say so: an mbox, one mail, or nil for something else.
    private func kind(of file: Int) -> UInt8? {
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            var headers = MailHeaders(MailFieldSet([MailField.from, .to, .subject]))
            var reader = BlockReader(descriptor, limit: snapshot.listing.files[file].size, blockSize: 8 << 10)
            var isEmpty = true
            while let piece = reader.next() {
                let line = reader.buffer[piece.range]
                if isEmpty, line.isEmpty { continue }
                if isEmpty, MboxReader.isSeparator(line) { return MailAdapter.FileKind.mbox }
                isEmpty = false
                guard
                    headers.take(line, continuesLine: piece.continuesLine, endsLine: piece.endsLine)
                        == .inside
                else { break }
            }
            if let failure = reader.failure {
                tell(.unreadable(errno: failure))
            } else if headers.hasFields {
                return MailAdapter.FileKind.single
            } else if !isEmpty {
                tell(.notThisKind)
            }
        }
        return nil
    }

    private func emit(
        _ message: MailMessage, _ flags: MailFlags, place: String, part: Int?, _ row: RowBuilder
    ) {
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
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            let (context, path) = (snapshot.context, snapshot.listing.path(file))
            var reader = MboxReader(descriptor, size: snapshot.listing.files[file].size) {
                context.onSkip(path, $0)
            }
            if reader.begin() {
                mbox = consume reader
            } else {
                tell(FileProblem("its first line does not begin with 'From '"))
            }
        }
    }

    // MARK: - Files of one mail

    private func readSingle(_ file: Int, _ row: RowBuilder) {
        if needsStatus, !snapshot.files.know(file) { return }
        let listed = snapshot.listing.files[file]
        let flags =
            listed.kind == MailAdapter.FileKind.seen || listed.kind == MailAdapter.FileKind.perhaps
            ? MailFlags(maildirName: snapshot.listing.nameBytes(file)) : []
        // What the listing tells is tested before anything is opened.
        if snapshot.part == .messages {
            for column in MailValues.listed where filter.columns.contains(column.rawValue) {
                let value = MailValues.listed(column, size: listed.size, flags)
                guard filter.admits(column.rawValue, integer: value) else { return }
            }
        }
        var single = MailMessage(fields)
        single.size = listed.size
        let found = fields.isEmpty ? single.headers : headers(file)
        guard found != nil || snapshot.part == .messages else { return }
        if let found { single.headers = found }
        emit(single, flags, place: snapshot.folders.place(file, of: snapshot.listing), part: nil, row)
    }

    /// The headers of a file of one mail, as they are kept or read now; nil where they cannot be read.
    private func headers(_ file: Int) -> MailHeaders? {
        guard snapshot.part == .messages, snapshot.context.memory != nil else {
            return readHeaders(file, fields)
        }
        return snapshot.context.facts(MailHeaders.self, of: file, in: snapshot.listing) {
            meter.countRead(done: nextFile)
            // All of them, for the queries to come.
            return readHeaders(file, MailHeaders.kept)
        }
    }

    private func readHeaders(_ file: Int, _ wanted: MailFieldSet) -> MailHeaders? {
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem):
            tell(problem)
            return nil
        case .opened(let descriptor):
            var headers = MailHeaders(wanted)
            // Most headers fit into one such block.
            var reader = BlockReader(descriptor, limit: snapshot.listing.files[file].size, blockSize: 8 << 10)
            while let piece = reader.next() {
                let progress = headers.take(
                    reader.buffer[piece.range], continuesLine: piece.continuesLine, endsLine: piece.endsLine)
                if progress != .inside { break }
            }
            guard let failure = reader.failure else { return headers }
            tell(.unreadable(errno: failure))
            return nil
        }
    }

    private func tell(_ problem: FileProblem) {
        snapshot.context.onSkip(snapshot.listing.path(nextFile - 1), problem)
    }
}
