import EscrowDiagnostics
import EscrowJSON
import EscrowMinimisation
import EscrowTabular

extension Accepts {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        let columnsNode = try reader.required("columns")
        var columns: [AcceptedColumn] = []
        for (index, node) in try reader.list(columnsNode, path: "accepts.columns", maximum: 64).enumerated() {
            columns.append(
                try AcceptedColumn(
                    ManifestReader(node, path: "accepts.columns[\(index)]", file: reader.file)))
        }
        guard !columns.isEmpty else {
            throw reader.failure(.listEmptyOrTooLong, "\"accepts.columns\" is empty", at: columnsNode)
        }
        try reader.checkUnique(columns.map(\.name), path: "accepts.columns", at: columnsNode)
        self.columns = columns
        var minimisation = Minimisation()
        reads = try Self.reads(reader.required("reads"), reader, &minimisation)
        self.minimisation = minimisation
        rows = try RowBounds(reader.optionalObject("rows"))
        try reader.finish()
    }

    private static func reads(
        _ node: JSONNode, _ reader: ManifestReader, _ minimisation: inout Minimisation
    ) throws(Diagnostic) -> [TableReads] {
        let members = try reader.map(node, path: "accepts.reads", maximum: 32)
        guard !members.isEmpty else {
            throw reader.failure(
                .listEmptyOrTooLong, "\"accepts.reads\" is empty: no query could read anything", at: node)
        }
        var reads: [TableReads] = []
        for member in members {
            try reader.checkIdentifier(member.name, path: "accepts.reads", at: member.position)
            let path = "accepts.reads.\(member.name)"
            var columns: [String] = []
            // A column may stand in several terms, but not both in one and as it is.
            var coarse: Set<String> = []
            for (index, item) in try reader.list(member.value, path: path, maximum: 64).enumerated() {
                let place = "\(path)[\(index)]"
                guard try reader.string(item, path: place).contains("(") else {
                    columns.append(try reader.identifier(item, path: place))
                    continue
                }
                let column = try reader.term(item, path: place, table: member.name, &minimisation)
                if let column, coarse.insert(column.lowercased()).inserted { columns.append(column) }
            }
            guard !columns.isEmpty else {
                throw reader.failure(
                    .listEmptyOrTooLong, "\"\(path)\" is empty", at: member.value,
                    help: "an empty list means none: name the columns, or drop the table")
            }
            try reader.checkUnique(columns, path: path, at: member.value)
            reads.append(TableReads(table: member.name, columns: columns))
        }
        try reader.checkUnique(reads.map(\.table), path: "accepts.reads", at: node)
        return reads
    }
}

extension AcceptedColumn {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        name = try reader.identifier(reader.required("name"), path: reader.path(of: "name"))
        let type: ColumnType = try reader.word("type")
        self.type = type
        let mediaNode = reader.optional("mediaTypes")
        switch (type, mediaNode) {
        case (.asset, let node?):
            var types: [String] = []
            let path = reader.path(of: "mediaTypes")
            for (index, item) in try reader.list(node, path: path, maximum: 32).enumerated() {
                types.append(try reader.mediaType(item, path: "\(path)[\(index)]"))
            }
            guard !types.isEmpty else {
                throw reader.failure(.listEmptyOrTooLong, "\"\(path)\" is empty", at: node)
            }
            try reader.checkUnique(types, path: path, at: node)
            mediaTypes = types
        case (.asset, nil):
            throw reader.failure(
                .membersContradict, "the asset column \"\(name)\" lists no media types", at: reader.position,
                help: "add for example \"mediaTypes\": [\"image/jpeg\"]")
        case (_, nil): mediaTypes = []
        case (_, let node?):
            throw reader.failure(
                .membersContradict, "only a column of type \"asset\" has media types", at: node)
        }
        category = try reader.optionalLabel("category")
        why = try reader.optionalSentence("why", maximum: 200)
        try reader.finish()
    }
}

extension RowBounds {
    init(_ reader: consuming ManifestReader?) throws(Diagnostic) {
        guard var reader else {
            self = .standard
            return
        }
        let most = Int64(Self.hostMaximum)
        let minimum = Int(try reader.optionalInteger("min", in: 0...most) ?? 0)
        let maximumNode = reader.optional("max")
        var maximum = Self.standard.maximum
        if let maximumNode {
            maximum = Int(try reader.integer(maximumNode, path: reader.path(of: "max"), in: 1...most))
        }
        guard minimum <= maximum else {
            throw reader.failure(
                .membersContradict, "\"accepts.rows.min\" is greater than \"max\"",
                at: maximumNode?.position ?? reader.position)
        }
        (self.minimum, self.maximum) = (minimum, maximum)
        try reader.finish()
    }
}

extension ManifestReader {
    /// A column or a table's rows, coarser than they are: `round(latitude, 1)`, `sample(0.1)`. Returns the column.
    func term(
        _ node: JSONNode, path: String, table: String, _ minimisation: inout Minimisation
    ) throws(Diagnostic) -> String? {
        let text = try string(node, path: path)
        guard !text.hasPrefix("drop(") else {
            throw failure(
                .noCoarserReading, "\"\(path)\" drops a column that nobody needs to declare", at: node,
                help: "leave the column out of \"accepts.reads\"")
        }
        do throws(Minimisation.SpellingError) {
            return try minimisation.add(text, table: table)
        } catch {
            throw failure(
                .noCoarserReading, "\"\(path)\" is no way to read data more coarsely: \(error.why)", at: node,
                help: "for example \"round(latitude, 1)\", \"deresolve(timestamp, hour)\", \"sample(0.1)\"")
        }
    }

    func mediaType(_ node: JSONNode, path: String) throws(Diagnostic) -> String {
        let text = try string(node, path: path)
        guard Spelling.isMediaType(text) else {
            throw failure(
                .notAName, "\"\(path)\" is not a media type", at: node,
                help: "for example \"image/jpeg\", in lower case; there are no wildcards")
        }
        return text
    }

    mutating func label(_ name: String) throws(Diagnostic) -> String {
        try label(required(name), path: path(of: name))
    }

    mutating func optionalLabel(_ name: String) throws(Diagnostic) -> String? {
        guard let node = optional(name) else { return nil }
        return try label(node, path: path(of: name))
    }

    func label(_ node: JSONNode, path: String) throws(Diagnostic) -> String {
        let text = try string(node, path: path)
        guard Spelling.isLabel(text) else {
            throw failure(
                .notAName, "\"\(path)\" is not a short name", at: node,
                help: "use lower-case letters, digits and \"-\", beginning with a letter")
        }
        return text
    }
}
