public import EscrowDiagnostics
public import EscrowJSON
import Glibc

/// A result as the host writes it: the only form in which it leaves.
public struct NormalizedResult: Sendable {
    /// The value: an object for a record, an array of row arrays for a table, a string for text; nil for bytes.
    public let json: JSONValue?
    /// Exactly what leaves: compact JSON for a record or a table, else the text or the bytes themselves.
    public let bytes: [UInt8]
    /// What kind of bytes they are.
    public let mediaType: String

    /// How many bytes leave.
    public var size: Int { bytes.count }
}

extension ResultSchema {
    /// Checks what a plugin returned and writes it out again from the typed values.
    ///
    /// A record is `{"n":12}`, a table `{"rows":[[…],…]}`, text `{"text":"…"}`, as in the protocol. Throws E0523 when the
    /// shape is another than declared, E0524 when a value or the whole is out of its bounds. Messages name fields and
    /// sizes, never values, and never names that the plugin made up: those could be data.
    public func normalize(_ node: JSONNode) throws(Diagnostic) -> NormalizedResult {
        switch kind {
        case .record(let fields):
            guard case .object(let members) = node.content else { throw Self.shape("it must be an object") }
            let found = members.map { ($0.name, $0.value) }
            var record: [(name: String, value: JSONValue)] = []
            for field in fields {
                guard let value = found.first(where: { $0.0.utf8.elementsEqual(field.name.utf8) })?.1 else {
                    throw Self.shape("the field \"\(field.name)\" is missing")
                }
                record.append((field.name, try field.normalize(value.value, row: nil)))
            }
            guard found.count == fields.count else {
                throw Self.shape("it has \(found.count) fields; \(fields.count) are declared")
            }
            return try encode(.object(record))
        case .table:
            guard case .object(let members) = node.content, members.count == 1, members[0].name == "rows",
                case .array(let rows) = members[0].value.content
            else { throw Self.shape("a table must be an object with \"rows\" alone") }
            var values: [[JSONValue]] = []
            values.reserveCapacity(rows.count)
            for row in rows {
                guard case .array(let cells) = row.content else {
                    throw Self.shape("each row must be an array")
                }
                values.append(cells.map(\.value))
            }
            return try normalize(rows: values)
        case .text:
            guard case .object(let members) = node.content, members.count == 1, members[0].name == "text",
                case .string(let text) = members[0].value.content
            else { throw Self.shape("a text must be an object with \"text\" alone") }
            return try normalize(bytes: Array(text.utf8))
        case .bytes: throw Self.shape("bytes were declared, and an object came")
        }
    }

    /// The same for a table whose rows came as Arrow, NDJSON or CSV.
    public func normalize(rows: [[JSONValue]]) throws(Diagnostic) -> NormalizedResult {
        guard case .table(let table) = kind else { throw Self.shape("rows came, and none were declared") }
        guard rows.count <= table.maxRows else {
            throw Self.bounds("it has \(rows.count) rows; at most \(table.maxRows) are declared")
        }
        var output: [[JSONValue]] = []
        output.reserveCapacity(rows.count)
        for (index, row) in rows.enumerated() {
            guard row.count == table.columns.count else {
                throw Self.shape(
                    "row \(index + 1) has \(row.count) cells; \(table.columns.count) are declared")
            }
            var cells: [JSONValue] = []
            for (column, cell) in zip(table.columns, row) {
                cells.append(try column.normalize(cell, row: index + 1))
            }
            output.append(cells)
        }
        table.sort(&output)
        return try encode(.array(output.map(JSONValue.array)))
    }

    /// The same for text or bytes, which the host can only measure.
    public func normalize(bytes: [UInt8], mediaType given: String? = nil) throws(Diagnostic)
        -> NormalizedResult
    {
        let declared: String
        var json: JSONValue?
        switch kind {
        case .text(let mediaType, let maxLength):
            declared = mediaType
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Self.shape("it is not UTF-8 text")
            }
            let count = text.unicodeScalars.count
            guard count <= maxLength else {
                throw Self.bounds("it has \(count) characters; at most \(maxLength) are declared")
            }
            guard ResultText.isVisible(text) else { throw Self.invisible("the text") }
            json = .string(text)
        case .bytes(let mediaType): declared = mediaType
        case .record, .table: throw Self.shape("bytes came, and a \(kindWord) was declared")
        }
        guard given == nil || given == declared else {
            throw Self.shape("its media type is another than \(declared)")
        }
        guard bytes.count <= maxBytes else {
            throw Self.bounds("it has \(bytes.count) bytes; at most \(maxBytes) are declared")
        }
        return NormalizedResult(json: json, bytes: bytes, mediaType: declared)
    }

    private func encode(_ value: JSONValue) throws(Diagnostic) -> NormalizedResult {
        let bytes = JSONWriter.line(value)
        guard bytes.count <= maxBytes else {
            throw Self.bounds("it has \(bytes.count) bytes; at most \(maxBytes) are declared")
        }
        return NormalizedResult(json: value, bytes: bytes, mediaType: "application/json")
    }

    static func shape(_ what: String) -> Diagnostic {
        Diagnostic(
            .resultNotAsDeclared, "the plugin's result is not what its manifest declares: \(what)",
            help: "plugin authors: compare \"result\" in plugin.json with what compute() returns")
    }

    static func bounds(_ what: String) -> Diagnostic {
        Diagnostic(
            .resultOutOfBounds,
            "the plugin's result is out of the bounds that its manifest declares: \(what)",
            help: "plugin authors: return less, or declare more under \"result\" in plugin.json")
    }

    static func invisible(_ place: String) -> Diagnostic {
        Diagnostic(
            .invisibleLetters, "the plugin's result holds letters that cannot be seen: in \(place)",
            notes: ["they would carry what nobody who reads the result can notice"],
            help: "plugin authors: leave them out, or declare \"invisible\": true for a field that needs them"
        )
    }
}

extension ResultField {
    fileprivate func normalize(_ value: JSONValue, row: Int?) throws(Diagnostic) -> JSONValue {
        let place = row.map { "\"\(name)\" in row \($0)" } ?? "\"\(name)\""
        if case .null = value {
            guard nullable else { throw ResultSchema.shape("\(place) is null") }
            return .null
        }
        return try type.normalize(value, place: place, mayHoldInvisible: mayHoldInvisible)
    }
}

extension ResultType {
    fileprivate func normalize(_ value: JSONValue, place: String, mayHoldInvisible: Bool) throws(Diagnostic)
        -> JSONValue
    {
        switch self {
        case .integer(let range, let oneOf):
            guard let number = Self.integer(value) else {
                throw ResultSchema.shape("\(place) is not a whole number")
            }
            guard range.contains(number), oneOf?.contains(number) ?? true else {
                throw ResultSchema.bounds("\(place) is a whole number that is not allowed")
            }
            return .integer(number)
        case .real(let minimum, let maximum, let decimals):
            guard let number = value.real, number.isFinite else {
                throw ResultSchema.shape("\(place) is not a number")
            }
            guard number >= minimum ?? -.infinity, number <= maximum ?? .infinity else {
                throw ResultSchema.bounds("\(place) is a number that is not allowed")
            }
            return .real(round(number, decimals, minimum, maximum))
        case .text(let maxLength, let oneOf):
            guard var text = value.string else { throw ResultSchema.shape("\(place) is not text") }
            if let oneOf {
                guard oneOf.contains(where: { $0.utf8.elementsEqual(text.utf8) }) else {
                    throw ResultSchema.bounds("\(place) is none of the \(oneOf.count) texts that are allowed")
                }
            } else {
                guard mayHoldInvisible || ResultText.isVisible(text) else {
                    throw ResultSchema.invisible(place)
                }
                text = ResultText.composed(text)
            }
            let count = text.unicodeScalars.count
            guard count <= maxLength else {
                throw ResultSchema.bounds(
                    "\(place) has \(count) characters; at most \(maxLength) are declared")
            }
            return .string(text)
        case .boolean:
            // SQL has no truth values, so that 0 and 1 are what a plugin often holds.
            switch value {
            case .bool(let flag): return .bool(flag)
            case .integer(0): return false
            case .integer(1): return true
            default: throw ResultSchema.shape("\(place) is neither true nor false")
            }
        case .blob(_, let maxLength):
            guard let members = value.members, members.count == 1, members[0].name == "b64",
                let text = members[0].value.string, let bytes = Base64.decode(text)
            else { throw ResultSchema.shape("\(place) is not {\"b64\":\"…\"}") }
            guard bytes.count <= maxLength else {
                throw ResultSchema.bounds(
                    "\(place) has \(bytes.count) bytes; at most \(maxLength) are declared")
            }
            return ["b64": .string(text)]
        case .list(let item, let maxItems):
            guard let values = value.array else { throw ResultSchema.shape("\(place) is not a list") }
            guard values.count <= maxItems else {
                throw ResultSchema.bounds(
                    "\(place) has \(values.count) items; at most \(maxItems) are declared")
            }
            if case .text(let maxLength, nil) = item,
                values.allSatisfy({ $0.isPlainText(ofBytes: maxLength) })
            {
                // As they are: a list may have a hundred thousand, and a phrase made for each took longer than all else.
                return value
            }
            var output: [JSONValue] = []
            for value in values {
                output.append(
                    try item.normalize(
                        value, place: "an item of \(place)", mayHoldInvisible: mayHoldInvisible))
            }
            return .array(output)
        }
    }

    /// A whole number, or `{"i64":"…"}`, which languages use whose numbers end at 2^53.
    private static func integer(_ value: JSONValue) -> Int64? {
        if let number = value.integer { return number }
        guard let members = value.members, members.count == 1, members[0].name == "i64",
            let text = members[0].value.string, let number = Int64(text), String(number) == text
        else { return nil }
        return number
    }

    /// Rounds half away from zero to the declared digits. What bounds with more digits leave is the nearest number within
    /// them that has the declared digits, never a bound itself: it would be one more number than people were told.
    /// Negative zero becomes zero: its sign would be a bit that nobody declared.
    private func round(_ number: Double, _ decimals: Int?, _ low: Double?, _ high: Double?) -> Double {
        var rounded = number
        if let decimals, let steps {
            let scale = pow(10, Double(decimals))
            let step = (number * scale).rounded()
            rounded = max(Double(steps.lowerBound), min(Double(steps.upperBound), step)) / scale
            return rounded == 0 ? 0 : rounded
        }
        if let decimals {
            let scale = pow(10, Double(decimals))
            // From 2^53 on a Double has no digits after the point, and the product could overflow.
            if abs(number) * scale < 0x1p53 { rounded = (number * scale).rounded() / scale }
        }
        rounded = max(low ?? -.infinity, min(high ?? .infinity, rounded))
        return rounded == 0 ? 0 : rounded
    }
}

extension JSONValue {
    /// Whether it is plain text of no more bytes, and so of no more characters.
    fileprivate func isPlainText(ofBytes count: Int) -> Bool {
        if case .string(let text) = self {
            text.utf8.count <= count && ResultText.isPlain(text)
        } else {
            false
        }
    }
}
