import EscrowHashing
import EscrowHome
public import EscrowJSON
public import EscrowLocationPrivacy

/// `location.json` of a home: the secret that noise is keyed by, and the individual's rules. Strict, versioned, replaced in
/// one step.
struct LocationFile {
    /// What noise is keyed by; another one is other noise everywhere.
    var secret = SipHash()
    var rules: [LocationRule] = []
    var lists: [PlaceListEntry] = []

    static let maximumBytes = 1 << 20
    static let mostRules = 1_000
    static let mostLists = 100

    init() {}

    /// The noise of an app.
    func key(of app: String) -> MaskKey { MaskKey(home: secret, app: app, resets: 0) }

    /// The rules, with how much each list tells that they name.
    var knownRules: [LocationRule] {
        rules.map { rule in
            guard let name = rule.exactness.list, let list = lists.first(where: { $0.name == name }) else {
                return rule
            }
            var rule = rule
            rule.exactness = Telling(snap: name, apart: list.apart)
            return rule
        }
    }

    var bytes: [UInt8] {
        var members: [(name: String, value: JSONValue)] = [
            ("escrow-location", 1),
            ("secret", .array([secret.first, secret.second].map { .string(String($0, radix: 16)) })),
            ("rules", .array(rules.map(\.json))),
        ]
        if !lists.isEmpty { members.append(("lists", .array(lists.map(\.json)))) }
        return JSONWriter.document(.object(members))
    }

    /// Reads a file; whatever is not as it is written is an error.
    init(_ bytes: [UInt8]) throws(JSONError) {
        var file = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 6, bytes: Self.maximumBytes, values: 50_000)))
        let version = try file.required("escrow-location")
        guard try version.requireInteger() == 1 else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        let node = try file.required("secret")
        let halves = try node.requireArray().map { half throws(JSONError) in
            UInt64(try half.requireString(), radix: 16)
        }
        guard halves.count == 2, let first = halves[0], let second = halves[1] else {
            throw JSONError(.wrongType(expected: "two numbers in hexadecimal"), at: node.position)
        }
        secret = SipHash(first, second)
        let list = try file.required("rules")
        for item in try list.requireArray() { rules.append(try LocationRule(item)) }
        guard Set(rules.map(\.id)).count == rules.count, rules.count <= Self.mostRules else {
            throw JSONError(.wrongType(expected: "rules with names of their own"), at: list.position)
        }
        if let node = file.optional("lists") {
            for item in try node.requireArray() { lists.append(try PlaceListEntry(item)) }
            guard Set(lists.map(\.name)).count == lists.count, lists.count <= Self.mostLists else {
                throw JSONError(.wrongType(expected: "lists with names of their own"), at: node.position)
            }
        }
        try file.finish()
    }
}

extension LocationRule {
    /// The rule as the file and `--format json` have it.
    public var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [("id", .string(id))]
        if let app { members.append(("app", .string(app))) }
        if let service { members.append(("service", .string(service.rawValue))) }
        if let hours {
            members.append(("from", .integer(Int64(hours.from))))
            members.append(("until", .integer(Int64(hours.until))))
        }
        if let near {
            members.append(
                (
                    "near",
                    [
                        "latitude": .real(near.centre.latitude), "longitude": .real(near.centre.longitude),
                        "metres": .real(near.metres),
                    ]
                ))
        }
        members.append(("tell", .string(exactness.spelling)))
        if let budget { members.append(("budget", .real(budget))) }
        return .object(members)
    }

    /// What a day's budget may be.
    public static let budgetRange = 0.000_01...100.0

    private static func telling(_ node: JSONNode) throws(JSONError) -> Telling {
        guard let telling = Telling(try node.requireString()) else {
            throw JSONError(.wrongType(expected: "a step or a mechanism"), at: node.position)
        }
        return telling
    }

    /// The rule as the ledger has it: that it is about a place, and not which.
    public var impersonalJSON: JSONValue {
        .object((json.members ?? []).map { $0.name == "near" ? ("near", .bool(true)) : $0 })
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        self.init(
            id: try object.required("id").requireString(),
            app: try object.optional("app")?.requireString(),
            service: try object.optional("service").map { (node) throws(JSONError) in try node.requireWord()
            },
            exactness: try Self.telling(try object.required("tell")))
        if let node = object.optional("budget") {
            let budget = try node.requireReal()
            guard case .planarLaplace? = exactness.mechanism, Self.budgetRange.contains(budget) else {
                throw JSONError(.wrongType(expected: "a budget of planar Laplace"), at: node.position)
            }
            self.budget = budget
        }
        if let from = object.optional("from") {
            let until = try object.required("until").requireInteger()
            guard
                let hours = Hours(
                    from: Int(clamping: try from.requireInteger()), until: Int(clamping: until))
            else { throw JSONError(.wrongType(expected: "two minutes of the day"), at: from.position) }
            self.hours = hours
        }
        if let node = object.optional("near") {
            var near = try JSONObjectReader(node)
            let point = Coordinates(
                latitude: try near.required("latitude").requireReal(),
                longitude: try near.required("longitude").requireReal())
            guard let point, let circle = Circle(point, metres: try near.required("metres").requireReal())
            else { throw JSONError(.wrongType(expected: "a place and a distance"), at: node.position) }
            self.near = circle
            try near.finish()
        }
        try object.finish()
    }
}
