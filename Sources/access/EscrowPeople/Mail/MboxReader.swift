internal import EscrowSourceFiles

struct MailMessage {
    /// Where it begins in its file.
    var offset: Int64 = 0
    /// The number of bytes of headers and text.
    var size: Int64 = 0
    var headers: MailHeaders

    init(_ wanted: MailFieldSet) { headers = MailHeaders(wanted) }
}

/// Reads the headers of the mails of an mbox file, one after another, and passes over the texts, in memory that does not
/// depend on either.
///
/// A mail begins behind a line `From …`. Texts hold such lines too: mboxrd and mboxo write them as `>From `, some programs do
/// not. So the line is taken for a separator only if it holds a date as C's `asctime` writes it, or stands behind an empty line
/// and before a header field. The first line of the file is one in any case.
struct MboxReader: ~Copyable {
    private typealias Piece = BlockReader.Piece
    private var reader: BlockReader
    private let size: Int64
    private let onProblem: (FileProblem) -> Void
    /// A piece that was read, but belongs to the next mail.
    private var held: Piece?
    /// The separator of the next mail.
    private var separator: Int64?
    private var hasBegun = false

    init(_ file: consuming Descriptor, size: Int64, onProblem: @escaping (FileProblem) -> Void) {
        reader = BlockReader(file, limit: size)
        self.size = size
        self.onProblem = onProblem
    }

    /// Whether a line may stand before a mail.
    static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: "From ".utf8) }

    /// Finds the first mail. False, with nothing told, if the file is no mbox; an empty file is one without mail.
    mutating func begin() -> Bool {
        hasBegun = true
        while let piece = reader.next() {
            let line = reader.buffer[piece.range]
            if !piece.continuesLine, piece.endsLine, line.isEmpty { continue }
            guard Self.isSeparator(line) else { return false }
            separator = piece.offset
            passOver(piece)
            return true
        }
        return true
    }

    /// Reads the next mail; false at the end of the file.
    mutating func next(into message: inout MailMessage) -> Bool {
        if !hasBegun { _ = begin() }
        guard let offset = separator else { return false }
        separator = nil
        message.headers.removeAll()
        message.offset = offset
        var start: Int64?
        var inHeaders = true
        // The empty line just read, and what may be a separator behind one.
        var emptyLine: Int64?
        var candidate: (offset: Int64, end: Int64)?
        while let piece = held ?? reader.next() {
            held = nil
            if start == nil { start = piece.offset }
            let line = reader.buffer[piece.range]
            if !piece.continuesLine {
                if let found = candidate {
                    candidate = nil
                    if MailHeaders.beginsField(line) {
                        held = piece
                        return finish(&message, start, found.end, next: found.offset)
                    }
                }
                if Self.isSeparator(line) {
                    if Self.holdsDate(line.prefix(256)) {
                        passOver(piece)
                        return finish(&message, start, emptyLine ?? piece.offset, next: piece.offset)
                    }
                    if !inHeaders, let end = emptyLine {
                        candidate = (piece.offset, end)
                        emptyLine = nil
                        passOver(piece)
                        continue
                    }
                }
            }
            if inHeaders {
                let progress = message.headers.take(
                    line, continuesLine: piece.continuesLine, endsLine: piece.endsLine)
                inHeaders = progress == .inside
            }
            emptyLine = !piece.continuesLine && piece.endsLine && line.isEmpty ? piece.offset : nil
        }
        if let failure = reader.failure { onProblem(.unreadable(errno: failure)) }
        return finish(&message, start, emptyLine ?? size, next: nil)
    }

    private mutating func finish(
        _ message: inout MailMessage, _ start: Int64?, _ end: Int64, next: Int64?
    ) -> Bool {
        message.size = max(0, end - (start ?? end))
        separator = next
        return true
    }

    /// Reads to the end of a line that is longer than a block.
    private mutating func passOver(_ piece: Piece) {
        var ends = piece.endsLine
        while !ends, let next = reader.next() { ends = next.endsLine }
    }

    /// Whether a line holds a month, a clock and a year of four digits, as the separators of most programs do.
    static func holdsDate(_ line: ArraySlice<UInt8>) -> Bool {
        var parts = (month: false, clock: false, year: false)
        for word in line.split(separator: 0x20) {
            if word.count == 4, word.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { parts.year = true }
            if word.count == 3, months.contains(where: { word.elementsEqual($0.utf8) }) { parts.month = true }
            if word.count >= 4, let first = word.first, first >= 0x30, first <= 0x39,
                word.dropFirst().prefix(2).contains(UInt8(ascii: ":"))
            {
                parts.clock = true
            }
        }
        return parts == (true, true, true)
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
