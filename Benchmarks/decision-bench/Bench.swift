import EscrowDiagnostics
import EscrowJSON
import EscrowPreferences
import Glibc

/// What one decision by 200 rules costs, in microseconds.
///
/// The rules are of every kind and look at everything; about one in eight is about the dataflow.
@main
struct Bench {
    static let rules = 200

    static func main() throws {
        let bytes = JSONWriter.document([
            "escrow-preferences": 1, "rules": .array((0..<rules).map(rule)),
        ])
        let preferences = try Preferences.parse(bytes, file: "preferences.json")
        let facts = Self.facts
        let verdict = preferences.decide(facts)
        guard verdict.outcome == .open, !verdict.permits.isEmpty else {
            print("the rules must leave the decision to the grants: \(verdict)")
            exit(1)
        }
        print("| decision | median | 99th percentile |")
        print("|---|---|---|")
        row("\(rules) rules", times(20_000) { _ = preferences.decide(facts) })
        row("reading and parsing the rules", times(500) { _ = try? Preferences.parse(bytes, file: "p") })
    }

    /// One rule of the mix.
    private static func rule(_ number: Int) -> JSONValue {
        let id = JSONValue.string("rule-\(number)")
        let other = JSONValue.string("com.example.app\(number).*")
        switch number % 8 {
        case 0:
            return ["id": id, "effect": "forbid", "when": ["purpose": ["marketing"], "table": ["Contacts"]]]
        case 1:
            return [
                "id": id, "effect": "forbid", "when": ["app": [other, .string("org.example.game\(number)")]],
            ]
        case 2:
            return [
                "id": id, "effect": "forbid",
                "when": ["column": ["Contacts.note", "Contacts.birthday", "Location.altitude"]],
            ]
        case 3:
            return [
                "id": id, "effect": "permit", "prompt": "skip", "when": ["app": [other], "sends": false],
            ]
        case 4:
            return [
                "id": id, "effect": "permit",
                "when": [
                    "app": ["org.example.*"], "table": ["Contacts", "Location", "Photos"],
                    "purpose": ["service-provision"],
                ],
            ]
        case 5:
            return [
                "id": id, "effect": "require", "when": ["cpuSeconds": ["atLeast": 5]],
                "needs": ["battery": ["atLeast": 20], "metered": false], "missing": "wait",
            ]
        case 6:
            return [
                "id": id, "effect": "forbid",
                "when": [
                    "hour": ["from": "22:00", "to": "06:00"],
                    "endpoint": [.string("ads\(number).example.com")],
                ],
            ]
        default:
            return [
                "id": id, "effect": "forbid",
                "when": ["plugin": [other], "crosses": true, "charging": false],
            ]
        }
    }

    private static var facts: DataflowFacts {
        var facts = DataflowFacts()
        facts.purpose = "personal-summary"
        facts.tables = ["Contacts", "Location"]
        facts.columns =
            ["id", "givenName", "familyName", "phoneNumber"].map { "Contacts.\($0)" }
            + ["latitude", "longitude", "timestamp"].map { "Location.\($0)" }
        facts.endpoints = ["api.example.org"]
        facts.app = "org.example.notes"
        facts.plugin = "org.example.summary"
        facts.publisher = "SHA256:" + String(repeating: "A", count: 43)
        facts.target = "app:org.example.notes"
        facts.place = "device"
        facts.pattern = .externalCall
        facts.crosses = true
        facts.cpuSeconds = 20
        facts.minute = 720
        facts.device = DeviceState(charging: true, battery: 80, metered: false, cpuPressure: 5)
        return facts
    }

    /// Microseconds of each call, in order of size, after a tenth of them to warm up.
    private static func times(_ count: Int, _ body: () -> Void) -> [Double] {
        for _ in 0..<max(1, count / 10) { body() }
        return (0..<count).map { _ in
            let start = now()
            body()
            return now() - start
        }.sorted()
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private static func row(_ what: String, _ times: [Double]) {
        func rounded(_ value: Double) -> String { String(Double(Int(value * 10)) / 10) }
        print(
            "| \(what) | \(rounded(times[times.count / 2])) µs | \(rounded(times[times.count * 99 / 100])) µs |"
        )
    }
}
