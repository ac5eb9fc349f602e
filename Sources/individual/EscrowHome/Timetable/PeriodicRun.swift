import EscrowConsent
import EscrowJSON

/// A run that is made again and again without anybody asking for it: under a grant that stands, and at no other time than this.
public struct PeriodicRun: Sendable, Equatable {
    /// `t-` and twelve digits.
    public let id: String
    /// For whom it runs.
    public let app: String
    /// What runs.
    public let plugin: String
    /// Values of the plugin's parameters.
    public let arguments: [String: String]
    /// How often.
    public let every: Every
    /// Only while there is external power.
    public let onCharge: Bool
    /// When it was set, RFC 3339 UTC.
    public let since: String
    /// When it began last, in seconds since 1970; 0 where it never did.
    public var last: Int64 = 0
    /// How it ended last: `done`, or the code of what kept it.
    public var end = ""
    /// The day that the counts are of, `2026-11-25`.
    public var day = ""
    /// How often it ran on that day, and how often it was done.
    public var runs = 0
    public var done = 0

    /// How often something is done.
    public enum Every: String, Sendable, CaseIterable {
        case hour, day, week

        var seconds: Int64 {
            switch self {
            case .hour: 3_600
            case .day: 86_400
            case .week: 604_800
            }
        }
    }

    /// Sets what the individual says; the id and the time are the store's.
    init(
        id: String, app: String, plugin: String, arguments: [String: String], every: Every, onCharge: Bool,
        since: String
    ) {
        self.id = id
        self.app = app
        self.plugin = plugin
        self.arguments = arguments
        self.every = every
        self.onCharge = onCharge
        self.since = since
    }

    /// Whether its time has come. A clock that was set back does not keep it from running for years.
    package func isDue(at now: Int64) -> Bool { last == 0 || now - last >= every.seconds || last > now + 60 }

    /// In how many seconds its time comes; 0 where it has come.
    func secondsToDue(at now: Int64) -> Int64 { isDue(at: now) ? 0 : last + every.seconds - now }

    /// Takes note of one run.
    mutating func note(_ end: String, at now: Int64) {
        let today = ConsentTime(milliseconds: now * 1_000).date
        if day != today { (day, runs, done) = (today, 0, 0) }
        last = now
        runs += 1
        self.end = end
        if end == "done" { done += 1 }
    }

    var json: JSONValue {
        [
            "id": .string(id), "app": .string(app), "plugin": .string(plugin),
            "arguments": .object(arguments.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }),
            "every": .string(every.rawValue), "onCharge": .bool(onCharge), "since": .string(since),
            "last": .integer(last), "end": .string(end), "day": .string(day), "runs": .integer(Int64(runs)),
            "done": .integer(Int64(done)),
        ]
    }

    init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        var arguments: [String: String] = [:]
        for member in try object.required("arguments").requireMembers() {
            arguments[member.name] = try member.value.requireString()
        }
        self.init(
            id: try object.required("id").requireString(), app: try object.required("app").requireString(),
            plugin: try object.required("plugin").requireString(), arguments: arguments,
            every: try object.required("every").requireWord(),
            onCharge: try object.required("onCharge").requireBool(),
            since: try object.required("since").requireString())
        last = try object.required("last").requireInteger()
        end = try object.required("end").requireString()
        day = try object.required("day").requireString()
        runs = Int(clamping: try object.required("runs").requireInteger())
        done = Int(clamping: try object.required("done").requireInteger())
        try object.finish()
    }
}
