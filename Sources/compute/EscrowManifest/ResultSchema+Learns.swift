public import EscrowDiagnostics

/// What the app learns by a result: what the publisher says, and what the schema lets through.
extension ResultSchema {
    /// The most characters of one sentence.
    static let longestLearns = 120

    /// The publisher's sentences, in order; in the place of one that is missing, the field and its type.
    public var learned: [String] {
        switch kind {
        case .record, .table: fields.map { $0.learns ?? "\($0.name): \($0.type.words)" }
        case .text(let mediaType, _), .bytes(let mediaType): [learns ?? mediaType]
        }
    }

    /// Each sentence beside what the schema really lets through under it, so that an author sees a promise that it does not keep.
    public var readBack: [(field: String, learns: String, allows: String)] {
        switch kind {
        case .record, .table: zip(fields, learned).map { ($0.name, $1, $0.type.words) }
        case .text, .bytes: [("result", learned[0], allowance)]
        }
    }

    /// The members that have no sentence, as an author names them.
    var unsaid: [String] {
        switch kind {
        case .record, .table: fields.filter { $0.learns == nil }.map { "result.\($0.name)" }
        case .text, .bytes: learns == nil ? ["result"] : []
        }
    }

    /// What the schema really lets through at most, in the plainest words: "16 MiB of text".
    public var allowance: String {
        switch kind {
        case .text: return "\(size) of text"
        case .bytes(let mediaType): return "\(size) of \(mediaType)"
        case .record, .table: break
        }
        let free = fields.filter(\.type.isFree)
        var kinds = free.contains { $0.type.isFreeText } ? ["text"] : []
        if free.contains(where: { $0.type.holdsBytes }) { kinds.append("files") }
        if free.contains(where: { !$0.type.isFreeText && !$0.type.holdsBytes }) { kinds.append("numbers") }
        let what = kinds.joined(separator: " and ")
        guard case .table(let table) = kind else {
            return free.isEmpty ? Self.values(fields.count) : "\(size) of \(what)"
        }
        let rows = "\(table.maxRows.grouped) \(table.maxRows == 1 ? "row" : "rows")"
        return free.isEmpty ? "\(rows) of \(Self.values(fields.count))" : "\(rows), \(size) of \(what)"
    }

    private static func values(_ count: Int) -> String {
        count == 1 ? "1 number or word of a list" : "\(count) numbers or words of a list"
    }

    /// The most bytes, by the schema's own limits as well.
    private var size: String {
        let bytes = min(maxBytes, capacityBits / 8 + 1)
        if bytes >= 1 << 20 { return "\((bytes + (1 << 20) - 1) >> 20) MiB" }
        if bytes >= 1 << 10 { return "\((bytes + (1 << 10) - 1) >> 10) KiB" }
        return "\(bytes) bytes"
    }
}

extension Int {
    /// `40,000`.
    var grouped: String {
        var text = ""
        for (index, digit) in String(self).reversed().enumerated() {
            if index > 0, index % 3 == 0 { text = "," + text }
            text = String(digit) + text
        }
        return text
    }
}

extension ResultType {
    /// Whether it holds more than one number or one word of a list.
    fileprivate var isFree: Bool {
        switch self {
        case .integer, .real, .boolean, .text(_, .some): false
        case .text(_, nil), .blob, .list: true
        }
    }

    fileprivate var holdsBytes: Bool {
        switch self {
        case .blob: true
        case .list(let item, _): item.holdsBytes
        case .integer, .real, .text, .boolean: false
        }
    }
}

extension Manifest {
    /// Holds an author to a sentence for each thing that the app learns. A signed manifest without them stays readable.
    public func checkLearns() throws(Diagnostic) {
        guard let first = result.unsaid.first else { return }
        throw Diagnostic(
            .missingMember, "\"\(first)\" does not say what the app learns by it",
            notes: result.unsaid.count == 1
                ? [] : ["the same of: \(result.unsaid.dropFirst().joined(separator: ", "))"],
            help:
                "add \"learns\": a sentence of at most \(ResultSchema.longestLearns) characters, which people read first"
        )
    }
}
