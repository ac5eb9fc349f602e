public import EscrowDiagnostics
import EscrowFiles
import Glibc

/// Decisions that are about to be used, and their count.
extension GrantStore {
    /// What stands about a dataflow that is about to run: what is counted is counted, by one step with the decision, so
    /// that two runs never share the last use of one grant. With `waits` false a counted use may still be on its way to the disk:
    /// nothing may be read before `awaitUses(of:)` returned.
    public func claim(
        _ dataflow: Dataflow, rules: Decision = .open, waits: Bool = true
    ) throws(Diagnostic) -> Decision {
        let early = try decide(for: dataflow, rules: rules)
        guard Self.counts(early) else { return early }
        if let decision = try claimAtOnce(dataflow, rules, waits) { return decision }
        return try locked { (standing) throws(Diagnostic) in
            let decision = Decision.about(dataflow, basis(for: dataflow.proof, standing, rules, nil))
            guard Self.counts(decision), let grant = decision.grant else { return decision }
            let follows = grant.endsLikeAYes && grant.covers(dataflow)
            let isCarriedOver =
                follows && !grant.isPinned
                && grant.plugin != dataflow.plugin
            // One of an earlier time, of the very manifest: from now on all of it is kept.
            let learns = follows && grant.isOfEarlierTimes && !isCarriedOver
            if !isCarriedOver, !learns, let generation = standing.content.generation,
                standing.uses.lines < GrantUses.maximumLines, Grant.isName(grant.id, "g-", 12)
            {
                try uses.add(grant.id, at: clock(), generation, isDurable: grant.scope.isCounted)
                return decision
            }
            var content = standing.settled
            guard let index = content.grants.firstIndex(where: { $0.id == grant.id }) else {
                return decision
            }
            content.grants[index] = content.grants[index].adding(
                GrantUse(count: 1, lastAt: clock().description))
            if isCarriedOver {
                content.grants[index].dataflow.plugin = dataflow.plugin
            }
            if learns {
                content.grants[index].dataflow.reach = dataflow.reach
                content.grants[index].dataflow.files = dataflow.files
            }
            try write(content)
            return decision
        }
    }

    /// The same where a line tells the use: others may read and hand over meanwhile, and nobody changes a decision. Nil where more
    /// has to be written.
    private func claimAtOnce(
        _ dataflow: Dataflow, _ rules: Decision, _ waits: Bool
    ) throws(Diagnostic) -> Decision? {
        let shared = try FileLock.share(lockPath)
        defer { withExtendedLifetime(shared) {} }
        guard access(draftPath, F_OK) != 0 else { return nil }
        let counting = try FileLock.acquire(usesLockPath)
        defer { withExtendedLifetime(counting) {} }
        let standing = try current()
        let decision = Decision.about(dataflow, basis(for: dataflow.proof, standing, rules, nil))
        guard Self.counts(decision), let grant = decision.grant else { return decision }
        let isFollowed = grant.endsLikeAYes && grant.covers(dataflow)
        guard !isFollowed || (grant.isPinned || grant.plugin == dataflow.plugin) && !grant.isOfEarlierTimes,
            let generation = standing.content.generation, standing.uses.generation == generation,
            standing.uses.lines < GrantUses.maximumLines, Grant.isName(grant.id, "g-", 12)
        else { return nil }
        try uses.add(grant.id, at: clock(), generation, isDurable: grant.scope.isCounted, waits: waits)
        return decision
    }

    /// Waits until the uses of a decision that were counted are on the disk.
    public func awaitUses(of id: String) throws(Diagnostic) { try uses.wait(for: id) }

    /// Whether a run by this decision is counted: every use of what allows, and of a denial what limits it.
    private static func counts(_ decision: Decision) -> Bool {
        guard let grant = decision.grant, decision.reason != .rule else { return false }
        switch decision.state {
        case .authorized, .limited: return true
        case .denied:
            return grant.looksEmpty || grant.scope.isCounted
        case .notDetermined, .restricted: return false
        }
    }
}
