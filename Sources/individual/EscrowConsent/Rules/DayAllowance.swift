/// What one run may use of the day, where rules bound what an app uses.
public struct DayAllowance: Sendable, Equatable {
    /// The most that the run could use by its manifest and the individual's caps.
    public let wanted: DayUse
    /// What of it the rules leave.
    public let granted: DayUse
    /// What of it they leave a run that nothing but a rule permits: it ends where that permit ends.
    public let permitted: DayUse

    /// Finds both by `rules`. A run that could not use a single byte or second is judged as one that uses it: `facts` then
    /// say one more than was used, and the rule that is in the way says so.
    public init(
        of wanted: DayUse, _ facts: inout DataflowFacts, _ rules: (DayUse, DataflowFacts, Bool) -> DayUse
    ) {
        let left = rules(wanted, facts, true)
        if left.cpuSeconds < 1 { facts.cpuSecondsToday = facts.cpuSecondsToday.map { $0 &+ 1 } }
        if left.bytes < 1 { facts.bytesToday = facts.bytesToday.map { $0 &+ 1 } }
        self.wanted = wanted
        granted = rules(wanted, facts, false)
        permitted = rules(wanted, facts, true)
    }

    /// What is left for a run, for the sheet; nil where that is all it could use.
    public var sentence: String? {
        var parts: [String] = []
        if granted.cpuSeconds < wanted.cpuSeconds {
            parts.append("\(granted.cpuSeconds) s of processor time")
        }
        if granted.bytes < wanted.bytes { parts.append("\(granted.bytes) bytes sent and returned") }
        return parts.isEmpty ? nil : "they leave it \(parts.joined(separator: " and ")) of today"
    }
}
