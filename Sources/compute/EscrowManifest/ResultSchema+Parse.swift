import EscrowDiagnostics
import EscrowJSON

extension ResultSchema {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        let word: KindWord = try reader.word("kind")
        switch word {
        case .record:
            let node = try reader.required("fields")
            var fields: [ResultField] = []
            for member in try reader.map(node, path: reader.path(of: "fields"), maximum: 64) {
                let path = "\(reader.path(of: "fields")).\(member.name)"
                try reader.checkIdentifier(member.name, path: path, at: member.position)
                fields.append(
                    try ResultField(
                        name: member.name, ManifestReader(member.value, path: path, file: reader.file)))
            }
            try Self.checkNames(fields, reader.path(of: "fields"), node, reader)
            kind = .record(fields)
        case .table: kind = .table(try Table(&reader))
        case .text:
            let mediaType = try reader.mediaType(
                reader.required("mediaType"), path: reader.path(of: "mediaType"))
            kind = .text(
                mediaType: mediaType,
                maxLength: Int(try reader.integer("maxLength", in: 1...Int64(Self.maximumBytes))))
        case .bytes:
            kind = .bytes(
                mediaType: try reader.mediaType(
                    reader.required("mediaType"), path: reader.path(of: "mediaType")))
        }
        maxBytes = Int(try reader.integer("maxBytes", in: 1...Int64(Self.maximumBytes)))
        learns =
            switch word {
            case .record, .table: nil
            case .text, .bytes: try reader.optionalSentence("learns", maximum: Self.longestLearns)
            }
        try reader.finish()
    }

    fileprivate static func checkNames(
        _ fields: [ResultField], _ path: String, _ node: JSONNode, _ reader: ManifestReader
    ) throws(Diagnostic) {
        guard !fields.isEmpty else {
            throw reader.failure(
                .listEmptyOrTooLong, "\"\(path)\" is empty: there would be nothing to return", at: node)
        }
        try reader.checkUnique(fields.map(\.name), path: path, at: node)
    }

    private enum KindWord: String, CaseIterable {
        case record
        case table
        case text
        case bytes
    }
}

extension ResultSchema.Table {
    fileprivate init(_ reader: inout ManifestReader) throws(Diagnostic) {
        let node = try reader.required("columns")
        let path = reader.path(of: "columns")
        var columns: [ResultField] = []
        for (index, item) in try reader.list(node, path: path, maximum: 64).enumerated() {
            var column = try ManifestReader(item, path: "\(path)[\(index)]", file: reader.file)
            let name = try column.identifier(column.required("name"), path: column.path(of: "name"))
            columns.append(try ResultField(name: name, column))
        }
        try ResultSchema.checkNames(columns, path, node, reader)
        self.columns = columns
        maxRows = Int(try reader.integer("maxRows", in: 1...1_000_000))
        var orders: [ResultSchema.Order] = []
        let orderPath = reader.path(of: "orderBy")
        for (index, item) in try reader.list("orderBy", maximum: 64).enumerated() {
            let text = try reader.string(item, path: "\(orderPath)[\(index)]")
            // "visits" or "visits desc", as in SQL.
            let descending = text.hasSuffix(" desc")
            let name = descending ? String(text.dropLast(5)) : text
            guard let column = columns.first(where: { $0.name == name }) else {
                throw reader.failure(
                    .membersContradict, "\"\(orderPath)[\(index)]\" names no column of the table", at: item)
            }
            if case .list = column.type {
                throw reader.failure(
                    .membersContradict, "\"\(orderPath)[\(index)]\" names a list, which has no order",
                    at: item)
            }
            guard !orders.contains(where: { $0.column == name }) else {
                throw reader.failure(.namedTwice, "\"\(orderPath)\" names \"\(name)\" twice", at: item)
            }
            orders.append(ResultSchema.Order(column: name, descending: descending))
        }
        orderBy = orders
    }
}

extension ResultField {
    init(name: String, _ reader: consuming ManifestReader) throws(Diagnostic) {
        self.name = name
        type = try ResultType(&reader, depth: 0)
        nullable = try reader.optionalBool("nullable") ?? false
        mayHoldInvisible = try reader.optionalBool("invisible") ?? false
        guard !mayHoldInvisible || type.isFreeText else {
            throw reader.failure(.membersContradict, "only free text has \"invisible\"", at: reader.position)
        }
        // Its former name is `why`.
        let former = try reader.optionalSentence("why", maximum: 200)
        learns = try reader.optionalSentence("learns", maximum: ResultSchema.longestLearns) ?? former
        try reader.finish()
    }
}

extension ResultType {
    fileprivate init(_ reader: inout ManifestReader, depth: Int) throws(Diagnostic) {
        let word: Word = try reader.word("type")
        switch word {
        case .integer:
            let bounds = try reader.integerBounds()
            let values = try reader.choices(.integer)?.compactMap { value -> Int64? in
                if case .integer(let number) = value { number } else { nil }
            }
            self = .integer(bounds, oneOf: values)
        case .real:
            let minimum = try reader.optionalReal("min")
            let maximum = try reader.optionalReal("max")
            if let minimum, let maximum, minimum > maximum {
                throw reader.failure(
                    .membersContradict, "\"min\" is greater than \"max\"", at: reader.position)
            }
            let decimals = try reader.optionalInteger("decimals", in: 0...15).map(Int.init)
            self = .real(minimum: minimum, maximum: maximum, decimals: decimals)
            if let minimum, let maximum, let decimals, Self.areTold(minimum, maximum, decimals), steps == nil
            {
                throw reader.failure(
                    .membersContradict,
                    "no number of \(decimals) decimals lies in the range of \"\(reader.path)\"",
                    at: reader.position, help: "widen \"min\" and \"max\", or give more \"decimals\"")
            }
        case .text:
            let length = try reader.optionalInteger("maxLength", in: 1...Int64(ResultSchema.maximumBytes))
            let values = try reader.choices(.text)?.compactMap { value -> String? in
                if case .text(let text) = value { text } else { nil }
            }
            guard let most = length.map(Int.init) ?? values?.map(\.unicodeScalars.count).max() else {
                throw reader.failure(
                    .membersContradict, "the text \"\(reader.path)\" has neither \"maxLength\" nor \"oneOf\"",
                    at: reader.position,
                    help: "say how long it can be, so that people can see how much it can carry")
            }
            self = .text(maxLength: most, oneOf: values)
        case .boolean: self = .boolean
        case .blob:
            let mediaType = try reader.optional("mediaType").map { node throws(Diagnostic) in
                try reader.mediaType(node, path: reader.path(of: "mediaType"))
            }
            self = .blob(
                mediaType: mediaType,
                maxLength: Int(try reader.integer("maxLength", in: 1...Int64(ResultSchema.maximumBytes))))
        case .list:
            guard depth == 0 else {
                throw reader.failure(
                    .membersContradict, "a list within a list is not allowed", at: reader.position)
            }
            var items = try reader.object("items")
            let item = try ResultType(&items, depth: depth + 1)
            try items.finish()
            self = .list(item, maxItems: Int(try reader.integer("maxItems", in: 1...1_000_000)))
        }
    }

    private enum Word: String, CaseIterable {
        case integer
        case real
        case text
        case boolean
        case blob
        case list
    }
}

extension ResultType {
    /// Text of any letters, or a list of such.
    var isFreeText: Bool {
        switch self {
        case .text(_, nil): true
        case .list(let item, _): item.isFreeText
        default: false
        }
    }
}

extension ManifestReader {
    fileprivate mutating func integerBounds() throws(Diagnostic) -> ClosedRange<Int64> {
        let low = try optionalInteger("min", in: .min ... .max) ?? .min
        let high = try optionalInteger("max", in: .min ... .max) ?? .max
        guard low <= high else {
            throw failure(.membersContradict, "\"min\" is greater than \"max\"", at: position)
        }
        return low...high
    }
}
