public import EscrowDiagnostics

/// How decisions are made and taken back. Every change is recorded before it holds.
extension GrantStore {
    /// A decision for one run, which is stored nowhere.
    public func once(for dataflow: Dataflow, terms: GrantTerms) -> Grant {
        var grant = terms.grant(true, for: dataflow, at: clock())
        grant.isForOneRun = true
        return grant
    }

    /// Allows a dataflow, or, with a limit, less of it. A denial of the same dataflow is taken back, and so is what was
    /// allowed within it.
    @discardableResult
    public func allow(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        try settle(terms.grant(true, for: description.dataflow, at: clock()), description)
    }

    /// Denies a dataflow, and every one that takes it in. A grant of the same dataflow is taken back.
    @discardableResult
    public func deny(_ description: DataflowDescription, _ terms: GrantTerms) throws(Diagnostic) -> Grant {
        if terms.looksEmpty, description.sends {
            throw Diagnostic(
                .senderCannotLookEmpty, "a dataflow that sends cannot be denied as if there were no data",
                notes: ["what is denied sends nothing, and the app would know by that"],
                help: "deny it openly, without --as-empty")
        }
        return try settle(terms.grant(false, for: description.dataflow, at: clock()), description)
    }

    /// Notes a question that was answered with no, or not at all. A second no to the same within a day stands until the
    /// individual changes it: that denial is returned.
    @discardableResult
    public func note(
        _ outcome: PastQuestion.Outcome, to description: DataflowDescription
    ) throws(Diagnostic) -> Grant? {
        try holding { (content) throws(Diagnostic) in
            let now = clock()
            let before = content.questions.contains {
                $0.outcome == .no && $0.concerns(description.dataflow, at: now)
            }
            guard outcome == .no, before else {
                content.questions.append(PastQuestion(description.dataflow, outcome, at: now))
                try write(content)
                return nil
            }
            let grant = GrantTerms(.always, reason: .prompt).grant(false, for: description.dataflow, at: now)
            // The no of an app that is proved still counts for it when a claim of it is denied.
            content.questions.removeAll {
                $0.concerns(description.dataflow, at: now)
                    && ($0.proof == .claim || description.proof != .claim)
            }
            try replace(grant, description, &content)
            return grant
        }
    }

    /// Takes a decision back: its dataflow is undecided again.
    @discardableResult
    public func revoke(_ id: String) throws(Diagnostic) -> Grant {
        try holding { (content) throws(Diagnostic) in
            guard let index = content.grants.firstIndex(where: { $0.id == id }) else { throw .noGrant(id) }
            let grant = content.grants.remove(at: index)
            try commit(content, GrantChange(.revoked, [grant]))
            return grant
        }
    }

    /// Takes back every decision about an app, a plugin, both, or all, and forgets what was asked; returns those that
    /// were taken back.
    @discardableResult
    public func reset(app: String?, plugin: String?) throws(Diagnostic) -> [Grant] {
        try holding { (content) throws(Diagnostic) in
            func isMeant(_ itsApp: String, _ itsPlugin: String) -> Bool {
                (app == nil || app == itsApp) && (plugin == nil || plugin == itsPlugin)
            }
            let gone = content.grants.filter { isMeant($0.app, $0.plugin.id) }
            content.grants.removeAll { isMeant($0.app, $0.plugin.id) }
            content.questions.removeAll { isMeant($0.app, $0.plugin) }
            try commit(content, GrantChange(.reset, gone))
            return gone
        }
    }

    private func settle(_ grant: Grant, _ description: DataflowDescription) throws(Diagnostic) -> Grant {
        guard Dataflow.isAppID(grant.app) else {
            throw Diagnostic(
                .appIDNeeded, "a decision that lasts needs an app with an id such as org.example.notes",
                notes: ["programs without a name of their own must not share one decision"],
                help: "decide once, or name the app: --app ID")
        }
        try holding { (content) throws(Diagnostic) in try replace(grant, description, &content) }
        return grant
    }

    /// Adds a decision in the place of those that it makes pointless.
    private func replace(
        _ grant: Grant, _ description: DataflowDescription, _ content: inout GrantFile.Content
    ) throws(Diagnostic) {
        var replaced: [Grant] = []
        let now = clock()
        content.grants.removeAll { old in
            let isSame =
                old.app == grant.app && old.plugin.id == grant.plugin.id && old.target == grant.target
            // What is long over is of no more use, whomever it is about.
            let isOld =
                end(of: old) != nil
                && (ConsentTime(old.lastUsedAt ?? old.createdAt) ?? now).adding(days: 365) <= now
            guard isSame else { return isOld }
            // Allowing: denials that would win over it go. Denying for good: what would allow it again some day.
            let goes: Bool =
                switch (grant.state == .denied, old.state == .denied) {
                case (true, true): old.reads == grant.reads && grant.reaches(as: old)
                case (true, false): grant.scope == .always && old.covers(description.dataflow)
                case (false, true):
                    old.forbids(description.dataflow) && old.holds(for: description.proof)
                // What is allowed for a while leaves beneath it what was allowed for good, unless that was less.
                case (false, false):
                    grant.place == old.place && grant.takesIn(old)
                        && (grant.scope == .always || old.scope != .always || old.state == .limited)
                }
            if goes { replaced.append(old) }
            return goes || isOld
        }
        content.grants.append(grant)
        let action: GrantChange.Action =
            switch grant.state {
            case .authorized: .allowed
            case .limited: .limited
            case .denied: .denied
            }
        try commit(
            content,
            GrantChange(action, [grant], replaced: replaced.map(\.id), words: description.explain()),
            undo: GrantUndo(made: grant.id, replaced: replaced))
    }
}
