public import EscrowDiagnostics
import EscrowJSON

extension Manifest {
    /// Reads a manifest as it was signed: every rule of docs/spec/manifest.md, nothing optional to understand.
    ///
    /// Verify the signature over these very bytes first. Throws E0101–E0120 with line and column in `file`.
    public static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Manifest {
        try parse(bytes, file: file, form: .signed)
    }

    /// Reads a manifest as its author writes it: `$schema` is allowed; digests and sizes of artifacts, `files`, `issued`
    /// and `expires` may be missing, and stand in the result as nil, empty and the epoch.
    public static func parseAuthored(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Manifest {
        try parse(bytes, file: file, form: .authored)
    }

    /// Who wrote the text that is read.
    enum Form {
        case authored
        case signed
    }

    static func parse(_ bytes: [UInt8], file: String, form: Form) throws(Diagnostic) -> Manifest {
        let root: JSONNode
        do {
            root = try JSONParser.parse(bytes, limits: .init(depth: 16, bytes: maximumBytes, values: 20_000))
        } catch { throw .manifest(error, path: "", file: file) }
        var reader = try ManifestReader(root, path: "", file: file)
        reader.ignoreNotes()
        if form == .authored { _ = reader.optional("$schema") }
        return try Manifest(&reader, form: form)
    }

    private init(_ reader: inout ManifestReader, form: Form) throws(Diagnostic) {
        // What is read is gone from the reader, and a grant keeps some of it as it was written.
        var written = reader
        try Self.checkSchema(&reader)
        id = try Self.id(&reader)
        version = try Self.version(&reader)
        sequence = try reader.integer("sequence", in: 1...Int64.max - 1)
        title = try reader.sentence("title", maximum: 80)
        purpose = try Purpose(reader.object("purpose"))
        publisher = try Publisher(reader.object("publisher"))
        license = try reader.optionalText("license", maximum: 120)
        host = try Self.host(&reader)
        plugin = try PluginProtocol(reader.object("protocol"))
        accepts = try Accepts(reader.object("accepts"))
        parameters = try ParameterSchema(&reader)
        guard purpose.code == .advertising || !parameters.identifiers.contains(.advertising) else {
            throw reader.failure(
                .identifierNotAllowed,
                "only a plugin whose purpose is advertising is told the advertising identifier",
                at: reader.position, help: "ask for \"application\" or \"vendor\" instead")
        }
        defaultAccess = try Self.defaultAccess(&reader)
        result = try ResultSchema(reader.object("result"))
        egress = try EgressEndpoint.list(&reader, reads: accepts.reads)
        let columns = accepts.columns.map(\.name)
        pick = try reader.optionalObject("pick").map { inner throws(Diagnostic) in
            try PickRule(inner, columns: columns)
        }
        reach = Reach(&written, egress: egress, parameters: parameters, pick: pick)
        limits = try PluginLimits(reader.optionalObject("limits"), resultBytes: result.maxBytes)
        server = try ServerNeeds(reader.optionalObject("server"))
        profile = try Self.profile(&reader)
        artifacts = try Artifact.list(&reader, profile: profile, form: form)
        files = try PackagedFile.list(&reader, artifacts: artifacts, form: form)
        build = try reader.optionalObject("build").map(BuildRecord.init)
        (issued, expires) = try Self.validity(&reader, form: form)
        audience = try Self.audience(&reader)
        try reader.finish()
    }

    private static func checkSchema(_ reader: inout ManifestReader) throws(Diagnostic) {
        let node = try reader.required("schema")
        guard try reader.string(node, path: "schema").utf8.elementsEqual(schema.utf8) else {
            throw reader.failure(
                .unknownSchema, "this is not a manifest of schema \"\(schema)\"", at: node,
                help: "this host reads \"\(schema)\" only; a newer schema needs a newer host")
        }
    }

    private static func id(_ reader: inout ManifestReader) throws(Diagnostic) -> String {
        let node = try reader.required("id")
        let id = try reader.string(node, path: "id")
        guard PluginID.isValid(id) else {
            throw reader.failure(
                .notAName, "\"id\" is not a plugin id", at: node,
                help: "write it like a domain name in reverse, in lower case: org.example.phone-check")
        }
        return id
    }

    private static func version(_ reader: inout ManifestReader) throws(Diagnostic) -> SemanticVersion {
        let node = try reader.required("version")
        guard let version = SemanticVersion(try reader.string(node, path: "version")) else {
            throw reader.failure(
                .notAVersion, "\"version\" is not a semantic version", at: node, help: "for example \"1.2.0\""
            )
        }
        return version
    }

    private static func host(_ reader: inout ManifestReader) throws(Diagnostic) -> HostRange {
        let node = try reader.required("host")
        guard let range = HostRange(try reader.string(node, path: "host")) else {
            throw reader.failure(
                .notAVersion, "\"host\" is not a range of host versions", at: node,
                help: "name both ends: \">=0.1.0 <1.0.0\"")
        }
        return range
    }

    private static func defaultAccess(_ reader: inout ManifestReader) throws(Diagnostic) -> String? {
        guard var access = try reader.optionalObject("defaultAccess") else { return nil }
        let node = try access.required("sql")
        let sql = try access.string(node, path: "defaultAccess.sql")
        guard (1...8_192).contains(sql.utf8.count) else {
            throw access.failure(.textNotAllowed, "\"defaultAccess.sql\" must have 1 to 8192 bytes", at: node)
        }
        guard sql.unicodeScalars.allSatisfy({ $0.isDisplayable || $0 == "\n" || $0 == "\t" }) else {
            throw access.failure(
                .textNotAllowed, "\"defaultAccess.sql\" holds a control or invisible character", at: node)
        }
        try access.finish()
        return sql
    }

    private static func profile(_ reader: inout ManifestReader) throws(Diagnostic) -> SandboxProfile {
        var sandbox = try reader.object("sandbox")
        let profile: SandboxProfile = try sandbox.word("profile")
        try sandbox.finish()
        return profile
    }

    private static func validity(
        _ reader: inout ManifestReader, form: Form
    ) throws(Diagnostic) -> (issued: Moment, expires: Moment) {
        let issued = try moment("issued", &reader, form: form)
        let expiresNode = reader.optional("expires")
        let expires = try moment(expiresNode, "expires", reader, form: form)
        if let issued, let expires, let expiresNode {
            guard issued < expires else {
                throw reader.failure(.notAMomentInUTC, "\"expires\" is not after \"issued\"", at: expiresNode)
            }
            guard expires <= issued.adding(days: 731) else {
                throw reader.failure(
                    .notAMomentInUTC, "\"expires\" is more than 2 years after \"issued\"", at: expiresNode,
                    help: "a signature that never ends cannot be taken back; sign again before it ends")
            }
        }
        return (issued ?? Moment(seconds: 0), expires ?? Moment(seconds: 0))
    }

    private static func moment(
        _ name: String, _ reader: inout ManifestReader, form: Form
    ) throws(Diagnostic) -> Moment? {
        try moment(reader.optional(name), name, reader, form: form)
    }

    private static func moment(
        _ node: JSONNode?, _ name: String, _ reader: ManifestReader, form: Form
    ) throws(Diagnostic) -> Moment? {
        guard let node else {
            guard form == .signed else { return nil }
            throw .manifest(JSONError(.missingMember(name), at: reader.position), path: "", file: reader.file)
        }
        guard let moment = Moment(try reader.string(node, path: name)) else {
            throw reader.failure(
                .notAMomentInUTC, "\"\(name)\" is not a moment in UTC", at: node,
                help: "write it as \"2026-11-21T00:00:00Z\"")
        }
        return moment
    }

    private static func audience(_ reader: inout ManifestReader) throws(Diagnostic) -> [String] {
        guard let node = reader.optional("audience") else { return [] }
        let items = try reader.list(node, path: "audience", maximum: 64)
        // An empty audience would mean "nobody" to one reader and "everybody" to another.
        guard !items.isEmpty else {
            throw reader.failure(
                .listEmptyOrTooLong, "\"audience\" is empty", at: node,
                help: "leave it out if the plugin is for every installation")
        }
        var ids: [String] = []
        for (index, item) in items.enumerated() {
            let id = try reader.text(item, path: "audience[\(index)]", maximum: 128)
            guard id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw reader.failure(.notAName, "\"audience[\(index)]\" is not an installation id", at: item)
            }
            ids.append(id)
        }
        return ids
    }
}

extension Purpose {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        code = try reader.word("code")
        text = try reader.sentence("text", maximum: 200)
        try reader.finish()
    }
}

extension Manifest.Publisher {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        name = try reader.sentence("name", maximum: 80)
        contact = try reader.optionalText("contact", maximum: 200)
        let privacy = try reader.optionalText("privacy", maximum: 300)
        // Shown as it is and never opened: plain letters, so that it names the place that it seems to name.
        let isAddress = privacy.map { address in
            address.hasPrefix("https://") && address.utf8.count > 8
                && address.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#""<>\^`{|}"#.utf8.contains($0) }
        }
        guard isAddress ?? true else {
            throw reader.failure(
                .textNotAllowed,
                "\"\(reader.path(of: "privacy"))\" must be an https:// address in plain ASCII",
                at: reader.position)
        }
        self.privacy = privacy
        try reader.finish()
    }
}

extension Manifest.BuildRecord {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        source = try reader.optionalText("source", maximum: 400)
        revision = try reader.optionalText("revision", maximum: 128)
        toolchain = try reader.optionalText("toolchain", maximum: 128)
        recipe = try reader.optionalText("recipe", maximum: 64)
        reproducible = try reader.optionalBool("reproducible") ?? false
        try reader.finish()
    }
}

extension PluginProtocol {
    init(_ reader: consuming ManifestReader) throws(Diagnostic) {
        major = Int(try reader.integer("major", in: 1...1))
        let modeNode = try reader.required("mode")
        let word: ModeWord = try reader.word(modeNode, path: "protocol.mode")
        let inputNode = reader.optional("input")
        switch (word, inputNode) {
        case (.ask, nil): mode = .ask
        case (.filter, let node?): mode = .filter(try reader.word(node, path: "protocol.input"))
        case (.filter, nil):
            throw reader.failure(
                .membersContradict, "a filter must say in which form it takes its rows", at: modeNode,
                help: "add \"input\": \"arrow\", \"ndjson\" or \"csv\"")
        case (.ask, let node?):
            throw reader.failure(
                .membersContradict, "\"protocol.input\" belongs to the mode \"filter\" only", at: node)
        }
        var features: [Feature] = []
        for (index, node) in try reader.list("features", maximum: 8).enumerated() {
            let feature: Feature = try reader.word(node, path: "protocol.features[\(index)]")
            guard !features.contains(feature) else {
                throw reader.failure(
                    .namedTwice, "\"protocol.features\" names \"\(feature.rawValue)\" twice", at: node)
            }
            guard word == .ask || feature == .rows else {
                throw reader.failure(
                    .membersContradict, "a filter cannot ask, so it cannot use \"\(feature.rawValue)\"",
                    at: node)
            }
            features.append(feature)
        }
        self.features = features
        try reader.finish()
    }

    private enum ModeWord: String, CaseIterable {
        case ask
        case filter
    }
}
