import EscrowConsent
import EscrowJSON

/// Random rules, as they stand in the file, and random facts. All draw from the same few words, so that rules match, miss
/// and cannot be evaluated about as often.
struct RandomPreferences {
    var generator: SeededGenerator
    /// How often a fact is not known, of 100.
    var unknownPercent = 15

    static let tables = ["Contacts", "Photos", "Location"]
    static let columns = [
        "Contacts.id", "Contacts.birthday", "Photos.asset", "Location.latitude", "Photos.count(*)",
    ]
    static let hosts = ["api.example.org", "tiles.example.org", "ads.example.com"]
    static let apps = ["org.example.notes", "org.example.maps", "com.example.game"]
    static let appPatterns = apps + ["org.example.*", "org.*"]
    static let publishers = ["A", "B"].map { "SHA256:" + String(repeating: $0, count: 43) }

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// A file of up to `count` rules.
    mutating func rules(_ count: Int) -> [JSONValue] {
        (0..<Int.random(in: 0...count, using: &generator)).map { rule("r\($0)") }
    }

    mutating func rule(_ id: String) -> JSONValue {
        var members: [(name: String, value: JSONValue)] = [("id", .string(id))]
        let effect = ["permit", "permit", "forbid", "require"].randomElement(using: &generator) ?? "forbid"
        members.append(("effect", .string(effect)))
        let when = conditions(resourcesOnly: false, most: 3)
        if !when.isEmpty { members.append(("when", .object(when))) }
        switch effect {
        case "permit":
            if Bool.random(using: &generator) { members.append(("prompt", one(["ask", "skip"]))) }
        case "require":
            var needs: [(name: String, value: JSONValue)] = []
            while needs.isEmpty { needs = conditions(resourcesOnly: true, most: 3) }
            members.append(("needs", .object(needs)))
            members.append(("missing", one(["wait", "refuse"])))
        default: break
        }
        return .object(members)
    }

    private mutating func conditions(
        resourcesOnly: Bool, most: Int
    ) -> [(name: String, value: JSONValue)] {
        let resources = ["charging", "metered", "battery", "cpuPressure", "cpuSecondsToday", "bytesToday"]
        let others = [
            "purpose", "purpose", "table", "column", "endpoint", "app", "plugin", "publisher", "target",
            "place",
            "pattern", "sends", "crosses", "cpuSeconds", "hour",
        ]
        let names = (resourcesOnly ? resources : resources + others).shuffled(using: &generator)
            .prefix(Int.random(in: 0...most, using: &generator))
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.map { ($0, condition($0)) }
    }

    private mutating func condition(_ name: String) -> JSONValue {
        switch name {
        case "purpose": some(PurposeTree.nodes.map(\.code))
        case "table": some(Self.tables)
        case "column": some(Self.columns)
        case "endpoint": some(Self.hosts)
        case "app", "plugin": some(Self.appPatterns)
        case "publisher": some(Self.publishers)
        case "target": some(Self.apps.map { "app:\($0)" })
        case "place": some(["device", "server:home"])
        case "pattern": some(DataflowPattern.allCases.map(\.rawValue))
        case "sends", "crosses", "charging", "metered": .bool(Bool.random(using: &generator))
        case "hour":
            ["from": one(["00:00", "07:30", "22:00"]), "to": one(["06:00", "22:00", "23:59", "24:00"])]
        default: range(name == "battery" || name == "cpuPressure" ? 100 : 1000)
        }
    }

    private mutating func range(_ most: Int) -> JSONValue {
        let first = Int.random(in: 0...most, using: &generator)
        let second = Int.random(in: 0...most, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: return ["atLeast": .integer(Int64(first))]
        case 1: return ["atMost": .integer(Int64(first))]
        default:
            return [
                "atLeast": .integer(Int64(min(first, second))), "atMost": .integer(Int64(max(first, second))),
            ]
        }
    }

    private mutating func one(_ words: [String]) -> JSONValue {
        .string(words.randomElement(using: &generator) ?? "")
    }

    private mutating func some(_ words: [String]) -> JSONValue {
        .array(
            words.shuffled(using: &generator).prefix(Int.random(in: 1...2, using: &generator)).map(
                JSONValue.string))
    }

    /// A dataflow of which something may not be known.
    mutating func facts() -> DataflowFacts {
        var facts = DataflowFacts()
        facts.purpose = known(PurposeTree.nodes.randomElement(using: &generator)?.code)
        facts.tables = known(several(Self.tables))
        facts.columns = known(several(Self.columns))
        facts.endpoints = known(several(Self.hosts))
        facts.app = known(Self.apps.randomElement(using: &generator))
        facts.plugin = known(Self.apps.randomElement(using: &generator))
        facts.publisher = known(Self.publishers.randomElement(using: &generator))
        facts.target = known(Self.apps.randomElement(using: &generator).map { "app:\($0)" })
        facts.place = known(["device", "server:home"].randomElement(using: &generator))
        facts.pattern = known(DataflowPattern.allCases.randomElement(using: &generator))
        facts.crosses = known(Bool.random(using: &generator))
        facts.cpuSeconds = known(Int.random(in: 0...1000, using: &generator))
        facts.minute = known(Int.random(in: 0..<1440, using: &generator))
        facts.cpuSecondsToday = known(Int.random(in: 0...1000, using: &generator))
        facts.bytesToday = known(Int.random(in: 0...1000, using: &generator))
        facts.device = DeviceState(
            charging: known(Bool.random(using: &generator)),
            battery: known(Int.random(in: 0...100, using: &generator)),
            metered: known(Bool.random(using: &generator)),
            cpuPressure: known(Int.random(in: 0...100, using: &generator)))
        return facts
    }

    private mutating func known<Value>(_ value: Value?) -> Value? {
        Int.random(in: 0..<100, using: &generator) < unknownPercent ? nil : value
    }

    private mutating func several(_ words: [String]) -> [String] {
        Array(words.shuffled(using: &generator).prefix(Int.random(in: 0...2, using: &generator)))
    }
}
