public import EscrowJSON

extension DataflowFacts {
    /// The facts for a record: what is not known is left out, and read back as not known. App, plugin and purpose stand in
    /// the record itself.
    public var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append((name, value)) }
        }
        func list(_ words: [String]?) -> JSONValue? { words.map { .array($0.map(JSONValue.string)) } }
        func number(_ value: Int?) -> JSONValue? { value.map { .integer(Int64($0)) } }
        add("tables", list(tables))
        add("columns", list(columns))
        add("endpoints", list(endpoints))
        add("publisher", publisher.map(JSONValue.string))
        add("target", target.map(JSONValue.string))
        add("place", place.map(JSONValue.string))
        add("pattern", pattern.map { .string($0.rawValue) })
        add("crosses", crosses.map(JSONValue.bool))
        add("cpuSeconds", number(cpuSeconds))
        add("minute", number(minute))
        add("cpuSecondsToday", number(cpuSecondsToday))
        add("bytesToday", number(bytesToday))
        add("charging", device.charging.map(JSONValue.bool))
        add("battery", number(device.battery))
        add("metered", device.metered.map(JSONValue.bool))
        add("cpuPressure", number(device.cpuPressure))
        return .object(members)
    }

    /// Reads what `json` wrote, with what stands beside it in the record. A member of another type is not known.
    public init(app: String?, plugin: String?, purpose: String?, record: JSONValue) {
        func list(_ name: String) -> [String]? { record[name]?.array.map { $0.compactMap(\.string) } }
        func number(_ name: String) -> Int? { record[name]?.integer.flatMap { Int(exactly: $0) } }
        self.init()
        self.app = app
        self.plugin = plugin
        self.purpose = purpose
        tables = list("tables")
        columns = list("columns")
        endpoints = list("endpoints")
        publisher = record["publisher"]?.string
        target = record["target"]?.string
        place = record["place"]?.string
        pattern = record["pattern"]?.string.flatMap(DataflowPattern.init(rawValue:))
        crosses = record["crosses"]?.bool
        cpuSeconds = number("cpuSeconds")
        minute = number("minute")
        cpuSecondsToday = number("cpuSecondsToday")
        bytesToday = number("bytesToday")
        device = DeviceState(
            charging: record["charging"]?.bool, battery: number("battery"), metered: record["metered"]?.bool,
            cpuPressure: number("cpuPressure"))
    }
}
