import EscrowJSON

/// Reads `preferences.json` in a closed world: what is not known is an error, since passing it over could pass over a
/// forbid.
enum PreferencesReader {
    /// The whole file.
    static func preferences(_ node: JSONNode) throws(JSONError) -> Preferences {
        var object = try JSONObjectReader(node)
        _ = try object.optional("$schema")?.requireString()
        let version = try object.required("escrow-preferences")
        guard try version.requireInteger() == Preferences.version else {
            throw JSONError(.wrongType(expected: "version 1 of this file"), at: version.position)
        }
        var preferences = Preferences()
        if let zone = object.optional("trustZone") { preferences.trustZone = try trustZone(zone) }
        if let unmatched = object.optional("unmatched") {
            preferences.unmatched = try unmatched.requireWord()
        }
        if let list = object.optional("rules") { preferences.rules = try rules(list) }
        try object.finish()
        return preferences
    }

    /// An array of rules, each with an id of its own.
    static func rules(_ node: JSONNode) throws(JSONError) -> [Rule] {
        let items = try node.requireArray()
        guard items.count <= Preferences.maximumRules else {
            throw JSONError(
                .wrongType(expected: "at most \(Preferences.maximumRules) rules"), at: node.position)
        }
        var rules: [Rule] = []
        var ids: Set<String> = []
        for item in items {
            let rule = try rule(item)
            guard ids.insert(rule.id).inserted else {
                throw JSONError(.wrongType(expected: "an id that no other rule has"), at: item.position)
            }
            rules.append(rule)
        }
        return rules
    }

    /// One rule.
    static func rule(_ node: JSONNode) throws(JSONError) -> Rule {
        var object = try JSONObjectReader(node)
        let idNode = try object.required("id")
        let id = try idNode.requireString()
        guard isRuleID(id) else {
            throw JSONError(
                .wrongType(expected: "an id of 1 to 64 characters a-z, 0-9 and '-'"), at: idNode.position)
        }
        let effect: Rule.Effect = try object.required("effect").requireWord()
        let when = try object.optional("when").map { (node) throws(JSONError) in
            try ConditionReader.conditions(node, resourcesOnly: false)
        }
        let why = try object.optional("why").map { (node) throws(JSONError) in
            try text(node, longest: 200)
        }
        var needs: [Condition] = []
        var missing = Rule.Missing.refuse
        var asks = true
        var goal: Rule.Goal?
        switch effect {
        case .permit:
            if let node = object.optional("prompt") {
                let prompt: Prompt = try node.requireWord()
                asks = prompt == .ask
            }
        case .forbid: break
        case .prefer: goal = try object.required("for").requireWord()
        case .require:
            let node = try object.required("needs")
            needs = try ConditionReader.conditions(node, resourcesOnly: true)
            guard !needs.isEmpty else {
                throw JSONError(.wrongType(expected: "at least one resource"), at: node.position)
            }
            missing = try object.required("missing").requireWord()
        }
        try object.finish()
        return Rule(
            id: id, effect: effect, when: when ?? [], needs: needs, missing: missing, asks: asks, why: why,
            goal: goal)
    }

    /// What a permit says about the prompt.
    enum Prompt: String, CaseIterable {
        case ask
        case skip
    }

    static func isRuleID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
            }
    }

    private static func trustZone(_ node: JSONNode) throws(JSONError) -> TrustZone {
        var object = try JSONObjectReader(node)
        var zone = TrustZone()
        if let list = object.optional("servers") { zone.servers = try texts(list) }
        if let list = object.optional("apps") { zone.apps = try texts(list) }
        if let list = object.optional("endpoints") { zone.endpoints = try texts(list) }
        try object.finish()
        return zone
    }

    private static func texts(_ node: JSONNode) throws(JSONError) -> [String] {
        let items = try node.requireArray()
        guard items.count <= ConditionReader.maximumWords else {
            throw JSONError(
                .wrongType(expected: "at most \(ConditionReader.maximumWords) names"), at: node.position)
        }
        var texts: [String] = []
        for item in items { texts.append(try text(item, longest: 255)) }
        return texts
    }

    static func text(_ node: JSONNode, longest: Int) throws(JSONError) -> String {
        let text = try node.requireString()
        guard (1...longest).contains(text.utf8.count) else {
            throw JSONError(.wrongType(expected: "a text of 1 to \(longest) bytes"), at: node.position)
        }
        return text
    }
}

/// Reads `when` and `needs`.
enum ConditionReader {
    /// The most words in one list.
    static let maximumWords = 256

    /// The conditions of an object. `needs` may only look at resources: what a requirement is about belongs in `when`.
    static func conditions(_ node: JSONNode, resourcesOnly: Bool) throws(JSONError) -> [Condition] {
        var object = try JSONObjectReader(node)
        var conditions: [Condition] = []
        if !resourcesOnly {
            if let list = object.optional("purpose") { conditions.append(try purpose(list)) }
            for subject in Condition.Subject.allCases {
                guard let list = object.optional(subject.rawValue) else { continue }
                conditions.append(.words(subject, try words(list, subject)))
            }
            if let hours = object.optional("hour") { conditions.append(.hours(try hourRange(hours))) }
        }
        for flag in Condition.Flag.allCases where !resourcesOnly || flag.isResource {
            guard let value = object.optional(flag.rawValue) else { continue }
            conditions.append(.flag(flag, try value.requireBool()))
        }
        for quantity in Condition.Quantity.allCases where !resourcesOnly || quantity.isResource {
            guard let value = object.optional(quantity.rawValue) else { continue }
            conditions.append(.quantity(quantity, try range(value, within: quantity.bounds)))
        }
        try object.finish()
        return conditions
    }

    private static func purpose(_ node: JSONNode) throws(JSONError) -> Condition {
        var codes: [String] = []
        for item in try items(node) {
            guard let code = PurposeTree.code(try item.requireString()) else {
                throw JSONError(
                    .wrongType(expected: "a purpose, as `escrow preferences purposes` prints them"),
                    at: item.position)
            }
            codes.append(code)
        }
        return .purpose(PurposeTree.bits(codes), codes: codes)
    }

    private static func words(_ node: JSONNode, _ subject: Condition.Subject) throws(JSONError) -> WordList {
        var words: [String] = []
        for item in try items(node) {
            let word = try PreferencesReader.text(item, longest: 255)
            let isStarred = word.contains("*") && !(subject == .column && word.hasSuffix(".count(*)"))
            guard subject.allows(word),
                !isStarred || (subject.hasPatterns && word.hasSuffix(".*") && !word.dropLast().contains("*"))
            else { throw JSONError(.wrongType(expected: subject.expected), at: item.position) }
            words.append(word)
        }
        return WordList(words, hasPatterns: subject.hasPatterns)
    }

    /// The items of a list; an empty one would match nothing, or everything, and is refused.
    private static func items(_ node: JSONNode) throws(JSONError) -> [JSONNode] {
        let items = try node.requireArray()
        guard (1...maximumWords).contains(items.count) else {
            throw JSONError(.wrongType(expected: "a list of 1 to \(maximumWords) words"), at: node.position)
        }
        return items
    }

    private static func range(
        _ node: JSONNode, within bounds: ClosedRange<Int>
    ) throws(JSONError) -> ClosedRange<Int> {
        var object = try JSONObjectReader(node)
        let expected = JSONError(
            .wrongType(expected: "atLeast and atMost from \(bounds.lowerBound) to \(bounds.upperBound)"),
            at: node.position)
        func bound(_ node: JSONNode?) throws(JSONError) -> Int? {
            guard let node else { return nil }
            guard let value = Int(exactly: try node.requireInteger()), bounds.contains(value) else {
                throw expected
            }
            return value
        }
        let least = try bound(object.optional("atLeast"))
        let most = try bound(object.optional("atMost"))
        try object.finish()
        guard least != nil || most != nil, least ?? bounds.lowerBound <= most ?? bounds.upperBound else {
            throw expected
        }
        return (least ?? bounds.lowerBound)...(most ?? bounds.upperBound)
    }

    private static func hourRange(_ node: JSONNode) throws(JSONError) -> HourRange {
        var object = try JSONObjectReader(node)
        func minute(_ node: JSONNode) throws(JSONError) -> Int {
            guard let minute = (try? node.requireString()).flatMap(HourRange.minute) else {
                throw JSONError(
                    .wrongType(expected: "a time of day in quotes such as \"22:00\""), at: node.position)
            }
            return minute
        }
        let range = HourRange(
            from: try minute(try object.required("from")), to: try minute(try object.required("to")))
        try object.finish()
        return range
    }
}

extension Condition.Flag {
    /// Whether the device tells it.
    var isResource: Bool { self == .charging || self == .metered }
}

extension Condition.Quantity {
    /// Whether it changes while a dataflow waits.
    var isResource: Bool { self != .cpuSeconds }
}
