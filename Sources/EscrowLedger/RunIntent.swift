public import EscrowJSON

/// What is written before a run reads any data: who asked for what, computed how, and where the result would go.
public struct RunIntent: Sendable, Equatable {
    /// One table, with the columns that are handed to the plugin and those that only filter, join or sort.
    public struct Table: Sendable, Equatable {
        /// The table's name.
        public let table: String
        /// Columns whose values reach the plugin.
        public let returned: [String]
        /// Columns that are used, but not returned.
        public let used: [String]
        /// Names a table and its columns.
        public init(table: String, returned: [String], used: [String]) {
            self.table = table
            self.returned = returned
            self.used = used
        }
    }

    /// The app that asks, if it named itself.
    public var app: String?
    /// The plugin's id.
    public var plugin: String
    /// The plugin's version, for people.
    public var version: String
    /// `sha256:` and the digest of the exact manifest bytes.
    public var manifestDigest: String
    /// The access, as the app wrote it.
    public var sql: String
    /// `sha256:` and the digest of that text.
    public var sqlDigest: String
    /// The names of the parameters that the app bound. Their values are not recorded: an app could copy data of the
    /// individual into one.
    public var parameters: [String]
    /// What is read.
    public var tables: [Table]
    /// The code of the purpose.
    public var purpose: String
    /// The purpose in the publisher's words, as it was shown.
    public var purposeText: String
    /// Who gets the result.
    public var target: String
    /// Where it is computed.
    public var place: String
    /// `sha256:` and the digest of the result schema.
    public var resultDigest: String
    /// The grant that allows it; nil where it was allowed this once.
    public var grant: String?

    /// Takes everything.
    public init(
        app: String?, plugin: String, version: String, manifestDigest: String, sql: String, sqlDigest: String,
        parameters: [String], tables: [Table], purpose: String, purposeText: String, target: String,
        place: String,
        resultDigest: String, grant: String?
    ) {
        self.app = app
        self.plugin = plugin
        self.version = version
        self.manifestDigest = manifestDigest
        self.sql = sql
        self.sqlDigest = sqlDigest
        self.parameters = parameters
        self.tables = tables
        self.purpose = purpose
        self.purposeText = purposeText
        self.target = target
        self.place = place
        self.resultDigest = resultDigest
        self.grant = grant
    }

    /// The fields of a `run-intent` record.
    public var fields: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        if let app { members.append(("app", .string(app))) }
        members += [
            ("plugin", .string(plugin)), ("version", .string(version)), ("manifest", .string(manifestDigest)),
            ("sql", .string(sql)), ("sqlDigest", .string(sqlDigest)), ("parameters", names(parameters)),
            (
                "reads",
                .array(
                    tables.map {
                        ["table": .string($0.table), "returned": names($0.returned), "used": names($0.used)]
                    })
            ),
            ("purpose", .string(purpose)), ("purposeText", .string(purposeText)), ("target", .string(target)),
            ("place", .string(place)), ("resultSchema", .string(resultDigest)),
        ]
        if let grant { members.append(("grant", .string(grant))) }
        return .object(members)
    }

    private func names(_ names: [String]) -> JSONValue { .array(names.map { .string($0) }) }
}
