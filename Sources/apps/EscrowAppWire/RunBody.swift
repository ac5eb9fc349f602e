public import EscrowJSON

/// What an app asks for: `run(access(), compute())`.
public struct RunBody: Sendable {
    /// A name and its value.
    public typealias Named = (name: String, value: JSONValue)

    /// Who asks, for example `org.example.notes`.
    public var app: String
    /// access(): one `SELECT`; nil takes the plugin's own query.
    public var sql: String?
    /// Values for the `:name` parameters of `sql`, names without the colon: text, numbers, true, false, null.
    public var bindings: [Named]
    /// compute(): a plugin's id, or its last label where that is unique.
    public var compute: String
    /// Values for the parameters that the plugin declares: text, numbers, true, false.
    public var arguments: [Named]
    /// Why the app asks, in at most two sentences of its own; shown to the individual as the app's word.
    public var says: String?
    /// What the app says of a service that is told the individual's place; nil where it says nothing.
    public var place: PlaceWish?
    /// Where it computes: a server by the individual's own name for it, or `auto`; nil, or `device`, is the individual's own device.
    public var server: String?

    /// Stands for an app that did not say who it is.
    package static let nameless = "-"

    /// Describes a request. Nothing is checked here: ``AppRequest/line()`` and the host do.
    public init(
        app: String, sql: String? = nil, bindings: [Named] = [], compute: String, arguments: [Named] = []
    ) {
        self.app = app
        self.sql = sql
        self.bindings = bindings
        self.compute = compute
        self.arguments = arguments
    }

    init(_ node: JSONNode, member: String) throws(AppWireError) {
        guard case .object(let members) = node.content else {
            throw AppWireError(.wrongShape, member: member)
        }
        try self.init(members, isNamed: true)
    }

    private init(_ members: [JSONNode.Member], isNamed: Bool) throws(AppWireError) {
        var reader = MemberReader(members)
        app = isNamed ? try reader.requiredString("app") : Self.nameless
        sql = try reader.string("sql")
        bindings = try Self.named(reader.take("bindings"), member: "bindings")
        compute = try reader.requiredString("compute")
        arguments = try Self.named(reader.take("arguments"), member: "arguments")
        says = try reader.string("says")
        place = try reader.take("place").map { (node) throws(AppWireError) in try PlaceWish(node) }
        server = try reader.string("server")
        try reader.finish()
        try check()
    }

    /// A document of its own, as the service takes it. `app` may be left out there, where the app is known otherwise.
    package static func read(_ document: [UInt8]) throws(AppWireError) -> (body: RunBody, isNamed: Bool) {
        let members = try AppWire.object(document, cap: AppWire.requestCap)
        let isNamed = members.contains { $0.name == "app" }
        return (try RunBody(members, isNamed: isNamed), isNamed)
    }

    private static func named(_ node: JSONNode?, member: String) throws(AppWireError) -> [Named] {
        guard let node else { return [] }
        guard case .object(let members) = node.content else {
            throw AppWireError(.wrongShape, member: member)
        }
        return members.map { ($0.name, $0.value.value) }
    }

    /// The rules that both sides keep: an app hears of its mistake before anything is sent.
    func check() throws(AppWireError) {
        guard Self.isName(app, more: ".-_") else { throw AppWireError(.badValue, member: "app") }
        guard Self.isName(compute, more: ".-_") else { throw AppWireError(.badValue, member: "compute") }
        if let says, !Self.isShort(says) { throw AppWireError(.badValue, member: "says") }
        if let sql, sql.isEmpty || sql.utf8.contains(0) { throw AppWireError(.badValue, member: "sql") }
        try Self.check(bindings, allowsNull: true, member: "bindings")
        try Self.check(arguments, allowsNull: false, member: "arguments")
        guard place?.words.allSatisfy({ Self.isName($0, more: ".-") }) ?? true else {
            throw AppWireError(.badValue, member: "place")
        }
        guard server.map({ Self.isName($0, more: "-") }) ?? true else {
            throw AppWireError(.badValue, member: "server")
        }
    }

    private static func check(_ values: [Named], allowsNull: Bool, member: String) throws(AppWireError) {
        guard values.count <= AppWire.valueCap else { throw AppWireError(.badValue, member: member) }
        var seen: Set<String> = []
        for (name, value) in values {
            guard isName(name, more: "_-"), seen.insert(name).inserted else {
                throw AppWireError(.badValue, member: member)
            }
            let isTaken =
                switch value {
                case .bool, .integer: true
                case .real(let number): number.isFinite
                case .string(let text): !text.utf8.contains(0)
                case .null: allowsNull
                case .array, .object: false
                }
            guard isTaken else { throw AppWireError(.badValue, member: member) }
        }
    }

    /// One line of at most two sentences and 300 characters (Unicode scalars): what is longer nobody reads before they answer.
    private static func isShort(_ text: String) -> Bool {
        guard (1...300).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: { $0.value < 0x20 })
        else { return false }
        let ends = text.unicodeScalars.split(separator: " ").count { word in
            word.last.map { ".!?…。！？".unicodeScalars.contains($0) } ?? false
        }
        let isOpen = text.unicodeScalars.last.map { !".!?…。！？".unicodeScalars.contains($0) } ?? false
        return ends + (isOpen ? 1 : 0) <= 2
    }

    /// ASCII letters and digits and a few marks: two names that look alike are then the same.
    private static func isName(_ name: String, more: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= AppWire.nameCap else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: more.utf8.contains(byte)
            }
        }
    }

    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = app == Self.nameless ? [] : [("app", .string(app))]
        if let sql { members.append(("sql", .string(sql))) }
        if !bindings.isEmpty { members.append(("bindings", .object(bindings))) }
        members.append(("compute", .string(compute)))
        if !arguments.isEmpty { members.append(("arguments", .object(arguments))) }
        if let says { members.append(("says", .string(says))) }
        if let place { members.append(("place", place.json)) }
        if let server { members.append(("server", .string(server))) }
        return .object(members)
    }
}

extension RunBody: Equatable {
    /// Equal when they ask for the same in the same order.
    public static func == (left: RunBody, right: RunBody) -> Bool { left.json == right.json }
}
