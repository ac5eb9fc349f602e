import EscrowConsent
import EscrowDiagnostics

/// The first byte chooses: a file of preferences, or the rules that `escrow preferences try` takes. What is read can be
/// checked and decided by; the order of its rules never matters; and a rule that was added to none permits no more than it
/// says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    let preferences: Preferences
    if choice == UInt8(ascii: "r") {
        guard let rules = try? Preferences.parseRules(rest, file: "rules") else { return 0 }
        preferences = Preferences(rules: rules)
    } else {
        guard let read = try? Preferences.parse(rest, file: "preferences.json") else { return 0 }
        preferences = read
    }
    let findings = preferences.check(against: Catalogue(columns: ["Contacts": ["id", "email"]]))
    for finding in findings {
        precondition(finding.rule.isEmpty || preferences.rule(finding.rule) != nil, "a finding about no rule")
    }
    var reversed = preferences
    reversed.rules.reverse()
    for facts in [DataflowFacts(), known] {
        let decision = preferences.decide(facts)
        precondition(reversed.decide(facts) == decision, "the order of the rules counts")
    }
    return 0
}

/// A dataflow of which everything is known.
private let known: DataflowFacts = {
    var facts = DataflowFacts()
    facts.purpose = "planning"
    facts.tables = ["Contacts"]
    facts.columns = ["Contacts.id"]
    facts.endpoints = ["https://api.example.org/v1"]
    facts.app = "org.example.app"
    facts.plugin = "org.example.plugin"
    facts.publisher = "Example"
    facts.target = "app"
    facts.place = "device"
    facts.crosses = true
    facts.cpuSeconds = 3
    facts.minute = 600
    facts.cpuSecondsToday = 0
    facts.bytesToday = 1000
    facts.device = DeviceState(charging: true, battery: 80, metered: false, cpuPressure: 3)
    return facts
}()
