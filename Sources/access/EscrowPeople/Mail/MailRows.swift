internal import EscrowSchema
internal import EscrowSourceFiles
internal import EscrowTableKit

/// Rows of mail.
///
/// A file of one mail is one row of `Messages` whether it can be read or not, so it is opened only for what its headers
/// say; where they cannot be read their columns are null.
final class MailRows: FileRows, RowReader {
    private let snapshot: MailSnapshot
    private let filter: RowFilter
    private let fields: MailFieldSet
    private var opener = FileOpener()
    private var file = 0
    private var mbox: MboxReader?
    private var message: MailMessage
    /// A file of one mail that was taken up.
    private var single: (message: MailMessage, flags: MailFlags)?
    private var folder: [UInt8]?
    private var values = MailValues()
    private var recipients: MailRecipients?
    private var recipientCount: Int64 = 0
    /// Whether sizes are asked for, or headers, before which a file is looked at.
    private let needsLook: Bool
    private var reading: FactsReading<MailHeaders>

    init(_ request: ScanRequest, of snapshot: MailSnapshot) {
        self.snapshot = snapshot
        filter = RowFilter(request.predicates, spec: snapshot.spec)
        let columns = ColumnMask(bits: request.columns.bits | filter.columns.bits)
        fields = MailValues.fields(for: columns, of: snapshot.part)
        needsLook =
            !fields.isEmpty
            || snapshot.part == .messages && columns.contains(MailSpec.Message.size.rawValue)
        reading = FactsReading(snapshot.files)
        message = MailMessage(fields.union(.inMbox))
    }

    func open(_ file: Int, done: Int) -> (any RowReader)? {
        self.file = file
        reading.done = done
        recipientCount = 0
        let listed = snapshot.listing.files[file].kind
        guard listed == MailAdapter.FileKind.perhaps else { return open(as: listed) }
        let kinds = [MailAdapter.FileKind.mbox, MailAdapter.FileKind.single]
        guard kinds.contains(where: admitsFolder), let kind = kind() else { return nil }
        return open(as: kind)
    }

    private func open(as kind: UInt8) -> (any RowReader)? {
        guard admitsFolder(as: kind) else { return nil }
        return (kind == MailAdapter.FileKind.mbox ? openMbox() : openSingle()) ? self : nil
    }

    /// Finds the name of the file's folder; false if a term rules it out.
    private func admitsFolder(as kind: UInt8) -> Bool {
        folder = snapshot.folders.name(file, as: kind, of: snapshot.listing)
        let column =
            snapshot.part == .messages
            ? MailSpec.Message.folder.rawValue : MailSpec.Recipient.folder.rawValue
        return filter.admits(column, text: folder?[...])
    }

    /// What a file is whose name does not say so: an mbox, one mail, or nil for something else.
    private func kind() -> UInt8? {
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

    func end(done: Int) {
        reading.done = done
        reading.end()
    }

    func next(_ row: RowBuilder) -> Bool {
        while true {
            if let recipient = recipients?.next() {
                recipientCount += 1
                row.place = recipientCount
                values.set(recipient, folder: folder, in: row)
                return true
            }
            if recipients != nil {
                // A mail may have no recipient, and so may any number of mails: the scan gets each back.
                recipients = nil
                row.ruleOut()
                return true
            }
            if let (message, flags) = single {
                single = nil
                let place = snapshot.folders.place(file, of: snapshot.listing)
                if take(message, flags, place: place, part: nil, row) { return true }
                continue
            }
            guard mbox != nil, mbox!.next(into: &message) else {
                mbox = nil
                return false
            }
            let flags = MailFlags(message.headers)
            if flags.contains(.expunged) {
                row.ruleOut()
                return true
            }
            let place = snapshot.listing.path(file)
            if take(message, flags, place: place, part: Int(message.offset), row) { return true }
        }
    }

    /// Takes up a mail; false if its rows are yet to come, one for each recipient.
    private func take(
        _ message: MailMessage, _ flags: MailFlags, place: String, part: Int?, _ row: RowBuilder
    ) -> Bool {
        if message.headers.isTooLong {
            tell(FileProblem("more than 1 MiB of headers; the rest was passed over", partial: true))
        }
        switch snapshot.part {
        case .messages:
            values.set(message, flags, folder: folder, place: place, part: part, in: row)
            row.place = message.offset
            return true
        case .recipients:
            values.prepare(message.headers, place: place, part: part, in: row)
            recipients = MailRecipients(message.headers)
            return false
        }
    }

    private func openMbox() -> Bool {
        switch opener.open(file, of: snapshot.listing) {
        case .problem(let problem): tell(problem)
        case .opened(let descriptor):
            let (context, path) = (snapshot.files.context, snapshot.listing.path(file))
            var reader = MboxReader(descriptor, size: snapshot.listing.files[file].size) {
                context.onSkip(path, $0)
            }
            if reader.begin() {
                mbox = consume reader
                return true
            }
            tell(FileProblem("its first line does not begin with 'From '"))
        }
        return false
    }

    private func openSingle() -> Bool {
        if needsLook, !snapshot.files.know(file) { return false }
        let listed = snapshot.listing.files[file]
        let flags =
            listed.kind == MailAdapter.FileKind.seen || listed.kind == MailAdapter.FileKind.perhaps
            ? MailFlags(maildirName: snapshot.listing.nameBytes(file)) : []
        // What the listing tells is tested before anything is opened.
        if snapshot.part == .messages {
            for column in MailValues.listed where filter.columns.contains(column.rawValue) {
                let value = MailValues.listed(column, size: listed.size, flags)
                guard filter.admits(column.rawValue, integer: value) else { return false }
            }
        }
        var message = MailMessage(fields)
        message.size = listed.size
        let found = fields.isEmpty ? message.headers : headers()
        guard found != nil || snapshot.part == .messages else { return false }
        if let found { message.headers = found }
        single = (message, flags)
        return true
    }

    /// The headers of a file of one mail, as they are kept or read now; nil where they cannot be read.
    private func headers() -> MailHeaders? {
        guard snapshot.part == .messages, snapshot.files.context.memory != nil else {
            return readHeaders(fields)
        }
        // All of them, so that later queries need not open the file.
        return reading.facts(of: file) { readHeaders(MailHeaders.kept) }
    }

    private func readHeaders(_ wanted: MailFieldSet) -> MailHeaders? {
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

    private func tell(_ problem: FileProblem) { snapshot.files.tell(file, problem) }
}
