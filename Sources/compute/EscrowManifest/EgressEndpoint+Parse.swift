import EscrowDiagnostics
import EscrowJSON
import EscrowLocationPrivacy

extension EgressEndpoint {
    /// Reads the member `egress`; columns that fields come from must be among `reads`, unless that is nil.
    static func list(_ reader: inout ManifestReader, reads: [TableReads]?) throws(Diagnostic)
        -> [EgressEndpoint]
    {
        guard let node = reader.optional("egress") else { return [] }
        var endpoints: [EgressEndpoint] = []
        for (index, item) in try reader.list(node, path: "egress", maximum: 8).enumerated() {
            endpoints.append(
                try EgressEndpoint(
                    ManifestReader(item, path: "egress[\(index)]", file: reader.file), reads: reads))
        }
        try reader.checkUnique(endpoints.map(\.name), path: "egress", at: node)
        try checkTogether(endpoints, reader, at: node)
        return endpoints
    }

    private init(_ reader: consuming ManifestReader, reads: [TableReads]?) throws(Diagnostic) {
        name = try reader.label("name")
        // A grant keeps what a manifest said when it was made.
        why = try reads == nil ? reader.text("why", maximum: 200) : reader.sentence("why", maximum: 200)
        let method: Method = try reader.word("method")
        self.method = method
        let urlNode = try reader.required("url")
        let url = try reader.string(urlNode, path: reader.path(of: "url"))
        let template: EgressTemplate
        do throws(EgressTemplate.Problem) {
            template = try EgressTemplate(url)
        } catch {
            throw reader.failure(
                .templateNotAllowed, "\"\(reader.path(of: "url"))\" \(error.words)", at: urlNode,
                help: "https://HOST/part/{field}: one host that data cannot move, by its name in DNS")
        }
        self.template = template
        let destinationNode = reader.optional("destination")
        guard (destinationNode != nil) == (method == .move) else {
            throw reader.failure(
                .membersContradict, "\"\(reader.path)\" has a \"destination\" if and only if it is a MOVE",
                at: destinationNode?.position ?? reader.position, help: "\"destination\": \"/folder/{field}\""
            )
        }
        destination = try destinationNode.map { node throws(Diagnostic) in
            let text = try reader.string(node, path: reader.path(of: "destination"))
            do throws(EgressTemplate.Problem) { return try EgressTemplate.path(text) } catch {
                throw reader.failure(
                    .templateNotAllowed, "\"\(reader.path(of: "destination"))\" \(error.words)", at: node,
                    help: "a path on the same server: /folder/{field}")
            }
        }
        fields = try Self.fields(
            &reader, path: template.path + (destination ?? []), method: method, reads: reads)
        let placeNode = reader.optional("place")
        place = try placeNode.map { node throws(Diagnostic) in
            try EgressPlace(ManifestReader(node, path: reader.path(of: "place"), file: reader.file))
        }
        var response = try reader.object("response")
        self.response = EgressResponse(
            mediaType: try response.mediaType(response.required("type"), path: response.path(of: "type")),
            maxBytes: Int(try response.integer("maxBytes", in: 1...(16 << 20))),
            members: try Self.members(&response))
        try response.finish()
        maxCalls = Int(try reader.integer("maxCalls", in: 1...1_000))
        maxBytes = try reader.optionalInteger("maxBytes", in: 1...(64 << 20)).map { Int($0) }
        // Requests that tell a place and dummies must not be told apart by the connection that they share.
        isUnlinkable = try reader.optionalBool("unlinkable") ?? false || placeNode != nil
        isTogether = try reader.optionalBool("together") ?? false
        pins = try Self.pins(&reader)
        let bodyNode = reader.optional("body")
        body =
            try bodyNode.map { node throws(Diagnostic) in
                try EgressBody(ManifestReader(node, path: reader.path(of: "body"), file: reader.file))
            } ?? .json
        hasCredential = try reader.optionalBool("credential") ?? false
        try checkBody(reader, isNamed: bodyNode != nil)
        try checkForm(reader)
        try checkPlace(reader, at: placeNode)
        try reader.finish()
    }

    /// `main.temp`: names with dots between them.
    private static func members(_ response: inout ManifestReader) throws(Diagnostic) -> [String]? {
        guard let node = response.optional("members") else { return nil }
        let path = response.path(of: "members")
        var members: [String] = []
        for (index, item) in try response.list(node, path: path, maximum: 64).enumerated() {
            let text = try response.string(item, path: "\(path)[\(index)]")
            guard text.utf8.count <= 200,
                text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy({
                    Spelling.isIdentifier(String($0))
                })
            else {
                throw response.failure(
                    .notAName, "\"\(path)[\(index)]\" is not names with dots between them", at: item)
            }
            members.append(text)
        }
        try response.checkUnique(members, path: path, at: node)
        return members
    }

    /// `sha256/` and the Base64 of a digest, as RFC 7469 section 2.4 computes it and most tools print it.
    private static func pins(_ reader: inout ManifestReader) throws(Diagnostic) -> [[UInt8]] {
        let path = reader.path(of: "pins")
        var pins: [[UInt8]] = []
        for (index, item) in try reader.list("pins", maximum: 8).enumerated() {
            let text = try reader.string(item, path: "\(path)[\(index)]")
            guard text.hasPrefix("sha256/"), let digest = Base64.decode(String(text.dropFirst(7))),
                digest.count == 32
            else {
                throw reader.failure(
                    .membersContradict, "\"\(path)[\(index)]\" is not sha256/ and the Base64 of 32 bytes",
                    at: item,
                    help: "it is the SHA-256 of the server's public key: SubjectPublicKeyInfo, RFC 7469")
            }
            guard !pins.contains(digest) else {
                throw reader.failure(.namedTwice, "\"\(path)\" lists a key twice", at: item)
            }
            pins.append(digest)
        }
        return pins
    }

    /// A name stands on the wire once in its place, unless each further field joins the one just before it.
    private static func checkJoins(
        _ fields: [EgressField], path: String, _ reader: borrowing ManifestReader, at node: JSONNode
    ) throws(Diagnostic) {
        for (index, field) in fields.enumerated() where field.location != .path {
            let earlier = fields[..<index].filter {
                $0.location == field.location && $0.wireName == field.wireName
            }
            let joins = field.separator != nil
            guard joins == !earlier.isEmpty, !joins || fields[index - 1].wireName == field.wireName else {
                throw reader.failure(
                    .namedTwice,
                    joins
                        ? "\"\(path).\(field.name)\" joins no field just before it"
                        : "\"\(path).\(field.name)\" has the name of another field on the wire", at: node,
                    help:
                        "fields that make one query item have the same \"as\"; all but the first say \"joinedBy\""
                )
            }
        }
    }

    private static func fields(
        _ reader: inout ManifestReader, path placed: [EgressTemplate.Segment], method: Method,
        reads: [TableReads]?
    ) throws(Diagnostic) -> [EgressField] {
        let node = reader.optional("fields")
        let path = reader.path(of: "fields")
        var fields: [EgressField] = []
        if let node {
            for member in try reader.map(node, path: path, maximum: 32) {
                fields.append(
                    try EgressField(
                        name: member.name, at: member.position,
                        ManifestReader(member.value, path: "\(path).\(member.name)", file: reader.file),
                        reads: reads))
            }
            try reader.checkUnique(fields.map(\.name), path: path, at: node)
            try checkJoins(fields, path: path, reader, at: node)
        }
        let position = node?.position ?? reader.position
        let inPath = fields.filter { $0.location == .path }.map(\.name)
        let names = Set(
            placed.compactMap { segment -> String? in if case .field(let name) = segment { name } else { nil }
            })
        let count = placed.count { if case .field = $0 { true } else { false } }
        guard Set(inPath) == names, method == .move || count == names.count else {
            throw reader.failure(
                .templateNotAllowed,
                "the fields in the path and the {places} of \"\(reader.path(of: "url"))\" are not the same",
                at: position,
                help: "each field with \"in\": \"path\" stands in the URL once, and the other way round")
        }
        guard method.hasBody || !fields.contains(where: { $0.location == .body }) else {
            throw reader.failure(
                .membersContradict, "a \(method.rawValue) request has no body", at: position)
        }
        return fields
    }
}

extension EgressField {
    fileprivate init(
        name: String, at position: JSONPosition, _ reader: consuming ManifestReader, reads: [TableReads]?
    ) throws(Diagnostic) {
        self.name = name
        let location: Location = try reader.word("in")
        self.location = location
        guard location == .header ? RequestHeader(rawValue: name) != nil : Spelling.isIdentifier(name) else {
            throw reader.failure(
                .notAName,
                "\"\(Spelling.quotable(name))\" is not a name for a field in the \(location.rawValue)",
                at: position,
                help: location == .header
                    ? "allowed are \(RequestHeader.allCases.map(\.rawValue).joined(separator: ", ")); "
                        + "what else a service needs goes into the path, the query or the body" : nil)
        }
        let asNode = reader.optional("as")
        let wireName = try asNode.map { node throws(Diagnostic) in
            try reader.string(node, path: reader.path(of: "as"))
        }
        guard
            wireName == nil
                || (location == .query && wireName.map(Spelling.isIdentifier) == true)
                || (location == .body && wireName.map(BodyPath.isPath) == true)
        else {
            throw reader.failure(
                .notAName,
                "\"\(reader.path(of: "as"))\" is not a name for a field in the \(location.rawValue)",
                at: asNode?.position ?? reader.position)
        }
        self.wireName = wireName ?? name
        let part: PlacePart? = try reader.optionalWord("place")
        self.part = part
        // A place field has no type of its own: `type` and its bounds are then unknown members.
        if let part {
            bounds = part.bounds
        } else {
            bounds = try ScalarBounds(&reader, textNeedsBound: true)
        }
        let separator: Separator? = try reader.optionalWord("joinedBy")
        guard separator == nil || (location == .query && (bounds.type == .real || bounds.type == .integer))
        else {
            throw reader.failure(
                .membersContradict, "only numbers in the query are joined, so \"joinedBy\" has no place here",
                at: reader.position)
        }
        self.separator = separator
        most = try reader.optionalInteger("list", in: 1...10_000).map { Int($0) }
        guard most == nil || (location == .body && part == nil) else {
            throw reader.failure(
                .membersContradict, "\"\(reader.path)\" is no list: only a field in the body is",
                at: reader.position)
        }
        if let part {
            (pattern, decimals, derivedFrom) = (nil, part.decimals, [])
            try reader.finish()
            return
        }
        let pattern: Pattern? = try reader.optionalWord("pattern")
        guard pattern == nil || bounds.type == .text else {
            throw reader.failure(.membersContradict, "only text has a \"pattern\"", at: reader.position)
        }
        self.pattern = pattern
        let decimals = try reader.optionalInteger("decimals", in: 0...9).map { Int($0) }
        self.decimals = decimals
        try Self.checkNumber(bounds, decimals, reader)
        let path = reader.path(of: "derivedFrom")
        var sources: [String] = []
        for (index, item) in try reader.list("derivedFrom", maximum: 64).enumerated() {
            let text = try reader.string(item, path: "\(path)[\(index)]")
            let known =
                reads?.contains { table in table.columns.contains { "\(table.table).\($0)" == text } } ?? true
            guard known else {
                throw reader.failure(
                    .membersContradict,
                    "\"\(path)[\(index)]\" is not a column that \"accepts.reads\" declares",
                    at: item,
                    help: "write Table.column, as in \"Contacts.birthday\"")
            }
            guard !sources.contains(text) else {
                throw reader.failure(.namedTwice, "\"\(path)\" lists a column twice", at: item)
            }
            sources.append(text)
        }
        derivedFrom = sources
        try reader.finish()
    }

    /// A number has a range, and one that is not whole a number of decimals: without them nobody could say how much it
    /// carries.
    private static func checkNumber(
        _ bounds: ScalarBounds, _ decimals: Int?, _ reader: borrowing ManifestReader
    ) throws(Diagnostic) {
        if decimals != nil, bounds.type != .real || bounds.oneOf != nil {
            throw reader.failure(
                .membersContradict, "only numbers of the type \"real\" without \"oneOf\" have \"decimals\"",
                at: reader.position)
        }
        guard bounds.oneOf == nil, bounds.type == .integer || bounds.type == .real else { return }
        guard let low = bounds.minimum, let high = bounds.maximum, bounds.type == .integer || decimals != nil
        else {
            throw reader.failure(
                .membersContradict,
                bounds.type == .integer
                    ? "the number \"\(reader.path)\" lacks \"min\" or \"max\""
                    : "the number \"\(reader.path)\" lacks \"min\", \"max\" or \"decimals\"",
                at: reader.position, help: "say its range, so that people can see how much it can carry")
        }
        // Beyond it a Double no longer tells neighbours apart, and what is sent would not be what was meant.
        guard bounds.type == .integer || max(abs(low), abs(high)) <= 1e9 else {
            throw reader.failure(
                .membersContradict, "the number \"\(reader.path)\" may be beyond ±1000000000",
                at: reader.position,
                help: "narrow \"min\" and \"max\"")
        }
        if let decimals, Capacity.steps(from: low, to: high, decimals: decimals) == nil {
            throw reader.failure(
                .membersContradict,
                "no number of \(decimals) decimals lies in the range of \"\(reader.path)\"",
                at: reader.position, help: "widen \"min\" and \"max\", or give more \"decimals\"")
        }
    }
}
