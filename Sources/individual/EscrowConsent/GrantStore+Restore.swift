public import EscrowDiagnostics

/// What became of the decisions of a backup.
public struct RestoredDecisions: Sendable {
    /// Those that allow something and hold on, marked.
    public let kept: [Grant]
    /// Those that allowed something and are undecided again.
    public let undecided: [Grant]
}

extension GrantStore {
    /// Makes the decisions of a backup ones of today. What was taken back, or used, since the backup was made is there as
    /// if it had not been: so what was allowed for so many runs, or for one run of an app, is undecided, and with
    /// `lacksRecords`, where it is known that something happened since, all that was allowed. What else is allowed is marked, so
    /// that it can be looked through. Every denial stays.
    public func settleRestored(lacksRecords: Bool) throws(Diagnostic) -> RestoredDecisions {
        try holding { (content) throws(Diagnostic) in
            let now = clock().description
            var kept: [Grant] = []
            var undecided: [Grant] = []
            content.grants = content.grants.compactMap { grant in
                guard grant.state != .denied else { return grant }
                let endsUnseen: Bool =
                    switch grant.scope {
                    case .once, .uses, .session: true
                    case .today, .until, .always: false
                    }
                guard !lacksRecords, !endsUnseen else {
                    undecided.append(grant)
                    return nil
                }
                var grant = grant
                grant.restoredAt = now
                kept.append(grant)
                return grant
            }
            // What the last decision had replaced is as old as the backup, too: nothing brings it back.
            if !kept.isEmpty || !undecided.isEmpty || content.undo != nil {
                try commit(content, GrantChange(.restored, undecided))
            }
            return RestoredDecisions(kept: kept, undecided: undecided)
        }
    }
}
