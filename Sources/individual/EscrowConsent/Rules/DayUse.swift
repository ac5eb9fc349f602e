/// What one run may use of a day's allowance.
public struct DayUse: Sendable, Equatable {
    /// Seconds of processor time.
    public var cpuSeconds: Int
    /// Bytes sent and returned.
    public var bytes: Int

    /// Names an amount.
    public init(cpuSeconds: Int, bytes: Int) {
        self.cpuSeconds = cpuSeconds
        self.bytes = bytes
    }
}

extension Preferences {
    /// As much of `wanted` as a dataflow may use without coming to where the rules say less than they say now: what
    /// `facts` tell of today, and as much more, is still no reason to forbid, to refuse or to wait.
    ///
    /// With `isPermitted` it is for a run that a rule alone permits, and ends where that rule ends. What is used of one
    /// kind is looked at with the other kind used up, so that no rule about both is missed by half. Where nobody knows
    /// what was used the rules have said so already, and this takes nothing away.
    public func granted(_ wanted: DayUse, to facts: DataflowFacts, isPermitted: Bool) -> DayUse {
        guard let cpu = facts.cpuSecondsToday, let bytes = facts.bytesToday else { return wanted }
        var granted = wanted
        var probe = facts
        probe.bytesToday = Self.sum(bytes, wanted.bytes)
        granted.cpuSeconds = room(
            .cpuSecondsToday, \.cpuSecondsToday, cpu, wanted.cpuSeconds, probe, isPermitted)
        probe.bytesToday = bytes
        probe.cpuSecondsToday = Self.sum(cpu, granted.cpuSeconds)
        granted.bytes = room(.bytesToday, \.bytesToday, bytes, wanted.bytes, probe, isPermitted)
        return granted
    }

    /// How far a quantity can go up from what it is. A decision changes only where a range of a rule begins or has ended.
    private func room(
        _ quantity: Condition.Quantity, _ path: WritableKeyPath<DataflowFacts, Int?>, _ now: Int,
        _ wanted: Int,
        _ facts: DataflowFacts, _ isPermitted: Bool
    ) -> Int {
        let end = Self.sum(now, wanted)
        let edges = rules.flatMap { $0.when + $0.needs }.flatMap { condition -> [Int] in
            guard case .quantity(quantity, let range) = condition else { return [] }
            return [range.lowerBound, Self.sum(range.upperBound, 1)]
        }
        var facts = facts
        facts[keyPath: path] = now
        let before = decide(facts).strictness(isPermitted)
        for edge in Set(edges).sorted() where edge > now && edge <= end {
            facts[keyPath: path] = edge
            if decide(facts).strictness(isPermitted) > before { return edge - 1 - now }
        }
        return wanted
    }

    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isTooMuch) = left.addingReportingOverflow(right)
        return isTooMuch ? .max : sum
    }
}

extension Decision {
    /// How much is in the way of a run; a permit counts only for one that nothing else permits.
    fileprivate func strictness(_ isPermitted: Bool) -> Int {
        let height =
            switch (state, reason) {
            case (.authorized, _): 0
            case (.notDetermined, _), (_, .noRule): isPermitted ? 1 : 0
            case (_, .missingResource): 2
            default: 3
            }
        return height * 2 + (grounds.waits.isEmpty ? 0 : 1)
    }
}
