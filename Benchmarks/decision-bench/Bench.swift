import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// What one decision by 200 rules and among 1000 grants costs, in microseconds, and what it costs to count a use.
///
/// The rules are of every kind and look at everything; about one in eight is about the dataflow. The grants are for as many apps
/// and plugins, but for three of the app and plugin that ask, of which one covers the dataflow.
@main
struct Bench {
    static let rules = 200
    static let grants = 1000

    static func main() throws {
        let bytes = JSONWriter.document([
            "escrow-preferences": 1, "rules": .array((0..<rules).map(rule)),
        ])
        let preferences = try Preferences.parse(bytes, file: "preferences.json")
        let facts = Self.facts
        let decision = preferences.decide(facts)
        guard decision.state == .notDetermined, !decision.grounds.permits.isEmpty else {
            print("the rules must leave the decision to the grants: \(decision)")
            exit(1)
        }
        let folder = try scratch()
        defer { remove(folder) }
        let rulesPath = folder + "/preferences.json"
        try SecureFile.replace(rulesPath, with: bytes)
        let rulesFile = ParsedFile<Preferences>(rulesPath, limit: Preferences.maximumBytes)
        let store = GrantStore(directory: folder)
        let description = description(grants - 1)
        let added = try store.add(
            (0..<grants).map {
                store.once(for: Self.description($0).dataflow, terms: GrantTerms(.always, reason: .settings))
            })
        guard added.count == grants, try store.decide(for: description.dataflow).state == .authorized else {
            print("one grant must cover the dataflow: \(try store.decide(for: description.dataflow).why)")
            exit(1)
        }
        // A file that changed a moment ago is not held by its time of change.
        usleep(300_000)
        _ = try store.decide(for: description.dataflow)
        _ = try rulesFile.value { (bytes) throws(Diagnostic) in try Preferences.parse(bytes, file: "p") }
        func decide() {
            let rules = try? rulesFile.value { (bytes) throws(Diagnostic) in
                try Preferences.parse(bytes, file: "p")
            }
            _ = rules?.decide(facts)
            _ = try? store.decide(for: description.dataflow)
        }
        print("| what | median | 99th percentile |")
        print("|---|---|---|")
        row("\(rules) rules in memory", times(20_000) { _ = preferences.decide(facts) })
        row(
            "\(grants) grants, as a run asks",
            times(20_000) { _ = try? store.decide(for: description.dataflow) })
        row("both, as a run asks: files looked at, not parsed", times(20_000) { decide() })
        row("the rules read and parsed", times(500) { _ = try? Preferences.parse(bytes, file: "p") })
        row(
            "the grants read and parsed",
            times(50) { _ = try? GrantStore(directory: folder).decide(for: description.dataflow) })
        row("a use of a grant without end counted", times(300) { _ = try? store.claim(description.dataflow) })
        try store.allow(description, GrantTerms(.uses(100_000), reason: .settings))
        row(
            "a use of one for so many runs counted", times(300) { _ = try? store.claim(description.dataflow) }
        )
        guard try store.list().contains(where: { $0.useCount >= 330 }) else {
            print("the uses must be counted")
            exit(1)
        }
    }

    /// A folder beside the program: where builds lie is a disk, as a home's is.
    private static func scratch() throws -> String {
        let program = CommandLine.arguments[0]
        let folder = SecureFile.parent(of: program) + "/decision-bench.\(getpid())"
        try SecureFile.makeFolder(folder)
        return folder
    }

    private static func remove(_ folder: String) {
        for name in ["preferences.json", "grants.json", "grants.uses", "grants.lock", "grants.next"] {
            unlink("\(folder)/\(name)")
        }
        rmdir(folder)
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

    private static func description(_ number: Int) -> DataflowDescription {
        let isOwn = number >= grants - 3
        let columns = ["id", "givenName", "familyName", "phoneNumber"]
        let dataflow = Dataflow(
            app: isOwn ? "org.example.notes" : "org.example.app\(number)",
            plugin: .init(
                id: isOwn ? "org.example.summary" : "org.example.plugin\(number)", version: "1.0.0",
                manifestDigest: "sha256:" + String(repeating: "0", count: 64),
                signerKeyID: "SHA256:" + String(repeating: "A", count: 43)),
            purpose: .init(code: "personal-summary", text: "Sum up."),
            reads: [
                TableUse(table: "Contacts", returned: columns),
                TableUse(
                    table: isOwn && number < grants - 1 ? "Photos\(number)" : "Location",
                    returned: ["latitude", "longitude"], used: ["timestamp"]),
            ],
            resultDigest: "sha256:" + String(repeating: "1", count: 64),
            target: isOwn ? "app:org.example.notes" : "app:org.example.app\(number)")
        return DataflowDescription(
            dataflow, publisher: "Example", returns: "a number", capacity: "8 bits", limits: "10 s")
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
