import EscrowDiagnostics
import EscrowFiles
import Testing

@testable import EscrowConsent

enum Fixture {
    /// The repository.
    static let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()

    /// Preferences out of rules as they stand in the file.
    static func preferences(_ rules: String, more: String = "") throws -> Preferences {
        try Preferences.parse(
            Array("{\"escrow-preferences\": 1, \(more)\"rules\": [\(rules)]}".utf8), file: "preferences.json")
    }

    /// What a file is refused with.
    static func refusal(_ text: String) -> Diagnostic? {
        do throws(Diagnostic) {
            _ = try Preferences.parse(Array(text.utf8), file: "preferences.json")
            return nil
        } catch { return error }
    }

    /// A dataflow about which everything is known: a summary of contacts and places, that asks a server for a forecast.
    static var facts: DataflowFacts {
        var facts = DataflowFacts()
        facts.purpose = "personal-summary"
        facts.tables = ["Contacts", "Location"]
        facts.columns = ["Contacts.birthday", "Location.latitude"]
        facts.endpoints = ["api.example.org"]
        facts.app = "org.example.notes"
        facts.plugin = "org.example.summary"
        facts.publisher = "SHA256:" + String(repeating: "A", count: 43)
        facts.target = "app:org.example.notes"
        facts.place = "device"
        facts.pattern = .externalCall
        facts.crosses = true
        facts.cpuSeconds = 20
        facts.minute = 12 * 60
        facts.cpuSecondsToday = 100
        facts.bytesToday = 5000
        facts.device = DeviceState(charging: true, battery: 80, metered: false, cpuPressure: 5)
        return facts
    }
}

/// What rules alone come to, in a word.
enum RuleOutcome { case forbidden, refused, permitted, unpermitted, restricted, open }

extension Decision {
    /// What rules alone come to, in a word.
    var outcome: RuleOutcome {
        switch (state, reason) {
        case (.restricted, _): .restricted
        case (_, .missingResource): .refused
        case (_, .noRule): .unpermitted
        case (.denied, _): .forbidden
        case (.authorized, _): .permitted
        default: .open
        }
    }

    /// What real rules say that come to an outcome.
    static func rules(_ outcome: RuleOutcome, id: String = "r") throws -> Decision {
        func decide(_ effect: String, more: String = "") throws -> Decision {
            try Fixture.preferences(effect.isEmpty ? "" : #"{"id": "\#(id)", \#(effect)}"#, more: more)
                .decide(Fixture.facts)
        }
        let decision =
            switch outcome {
            case .open: Decision.open
            case .forbidden: try decide(#""effect": "forbid""#)
            case .permitted: try decide(#""effect": "permit", "prompt": "skip""#)
            case .unpermitted: try decide("", more: #""unmatched": "deny", "#)
            case .refused:
                try decide(#""effect": "require", "missing": "refuse", "needs": {"charging": false}"#)
            case .restricted:
                Decision.open.restricted(
                    by: Restriction(
                        id: "school", sequence: 1, kind: .organisational, setBy: "Example School", key: "",
                        isRemoved: false, preferences: Preferences()), try rules(.forbidden, id: id))
            }
        #expect(decision.outcome == outcome)
        return decision
    }
}

/// SplitMix64: the same cases for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Fixture {
    /// The bytes of a file.
    static func bytes(_ path: String) throws -> [UInt8] { try SecureFile.read(path, limit: 1 << 20) }
}
