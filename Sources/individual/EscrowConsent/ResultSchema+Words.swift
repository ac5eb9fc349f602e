public import EscrowManifest

extension ResultSchema {
    /// One sentence: how much at most, and the fields with their bounds.
    public var sentence: String {
        let what =
            switch kind {
            case .record(let fields): fields.map(\.phrase).joined(separator: ", ")
            case .table(let table):
                "up to \(table.maxRows) rows of " + table.columns.map(\.phrase).joined(separator: ", ")
            case .text(_, let maxLength):
                "a text of up to \(maxLength) characters that the host cannot read"
            case .bytes(let mediaType): "\(mediaType), bytes that the host cannot read"
            }
        return "at most \(Self.size(maxBytes)): \(what)"
    }

    private static func size(_ bytes: Int) -> String {
        if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
        if bytes >= 1 << 10, bytes % (1 << 10) == 0 { return "\(bytes >> 10) KiB" }
        return "\(bytes) bytes"
    }
}

extension ResultField {
    /// The field as the consent text has it: `mean_age`, `city (text)`.
    fileprivate var phrase: String {
        switch type {
        case .text, .list, .blob:
            "\(name) (\(type.phrase)\(mayHoldInvisible ? ", also letters that cannot be seen" : ""))"
        case .integer, .real, .boolean: name
        }
    }
}

extension ResultType {
    fileprivate var phrase: String {
        switch self {
        case .text(_, let words?): "one of \(words.count) words"
        case .text(let length, nil): "text of up to \(length) characters"
        case .list(let item, let count): "up to \(count) items: \(item.phrase)"
        case .blob(let mediaType, let length): "\(mediaType ?? "bytes") of up to \(length) bytes"
        case .integer: "whole number"
        case .real: "number"
        case .boolean: "true or false"
        }
    }
}
