import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowLedger
import EscrowManifest
public import EscrowPreferences
import EscrowSchema
import EscrowSources
import EscrowTrust

/// What rules say about one dataflow, before anyone is asked.
struct Judgement: Sendable {
    /// What the rules looked at.
    let facts: DataflowFacts
    /// What the individual's own rules say.
    let verdict: Verdict
    /// A restriction that says no, with its verdict.
    let restricted: (by: Restriction, verdict: Verdict)?
    /// Restrictions that make it wait, and what each waits for.
    let restrictionWaits: [(by: Restriction, missing: [String])]
    /// The first 16 hexadecimal digits of the preferences' SHA-256; nil without a file.
    let revision: String?
    /// What it may use of today, where a rule looks at that; nil where none does.
    let today: DayAllowance?

    /// The rules that make it wait.
    var waits: [String] { verdict.waits + restrictionWaits.map(\.by.id) }
    /// What it waits for, in words.
    var missing: [String] {
        Set((verdict.waits.isEmpty ? [] : verdict.missing) + restrictionWaits.flatMap(\.missing)).sorted()
    }

    /// For the ledger.
    var members: [(name: String, value: JSONValue)] {
        var members: [(name: String, value: JSONValue)] = [("facts", facts.json)]
        if let revision { members.append(("preferences", .string(revision))) }
        if !verdict.rules.isEmpty { members.append(("rules", .array(verdict.rules.map(JSONValue.string)))) }
        return members
    }
}

/// The preferences as they were parsed.
struct StandingPreferences: Sendable {
    let preferences: Preferences
    /// The first 16 hexadecimal digits of the file's SHA-256; nil without a file.
    let revision: String?
}

extension Host {
    /// What the device tells.
    var device: any DeviceProvider {
        configuration.deviceStandIn.map { DeviceStandIn(path: $0) } ?? SystemDevice()
    }

    /// The individual's preferences, as they stand now.
    public func preferences() throws(Diagnostic) -> Preferences { try preferencesFile().preferences }

    private func preferencesFile() throws(Diagnostic) -> StandingPreferences {
        let path = home.preferencesPath
        return try preferencesRead.value { (bytes) throws(Diagnostic) in
            StandingPreferences(
                preferences: try Preferences.parse(bytes, file: path),
                revision: String(Digest(of: bytes).hexadecimal.prefix(16)))
        } ?? StandingPreferences(preferences: Preferences(), revision: nil)
    }

    /// What others set for the individual.
    public var restrictions: RestrictionStore { RestrictionStore(directory: home.restrictionsPath) }

    /// What there is to write rules about.
    public func catalogue() throws(Diagnostic) -> Catalogue {
        var columns: [String: Set<String>] = [:]
        for table in try tables() {
            columns[table.spec.name] = Set(table.spec.columns.map(\.name))
        }
        return Catalogue(columns: columns, device: device.state(asksNetwork: true))
    }

    /// Looks at a dataflow with the eyes of every rule, and puts what they say on the sheet.
    ///
    /// `run` is the one under way that this is about; nil for one that has not begun: it is judged by what it would use,
    /// with all that other runs under way may still use.
    func judge(
        _ description: inout DataflowDescription, _ manifest: Manifest, of run: String? = nil
    ) throws(Diagnostic) -> Judgement {
        let file = try preferencesFile()
        let (preferences, revision) = (file.preferences, file.revision)
        let restrictions = try self.restrictions.list()
        let sets = [preferences] + restrictions.map(\.preferences)
        var facts = try facts(of: &description, manifest, preferences.trustZone, rules: sets, run)
        // By a zone of their own the individual would lift what somebody else set.
        let crossing = Self.crossing(of: description, manifest, TrustZone())
        func strict(_ facts: DataflowFacts) -> DataflowFacts {
            var strict = facts
            strict.pattern = crossing.pattern
            strict.crosses = crossing.crosses
            return strict
        }
        var today: DayAllowance?
        if run == nil, sets.contains(where: \.looksAtUsage) {
            today = DayAllowance(of: mostUse(of: manifest), &facts) { (wanted, facts, isPermitted) in
                restrictions.reduce(preferences.granted(wanted, to: facts, isPermitted: isPermitted)) {
                    $1.preferences.granted($0, to: strict(facts), isPermitted: false)
                }
            }
        }
        let verdict = preferences.decide(facts)
        var restricted: (by: Restriction, verdict: Verdict)?
        var waits: [(by: Restriction, missing: [String])] = []
        for restriction in restrictions {
            let verdict = restriction.preferences.decide(strict(facts))
            if restricted == nil, verdict.outcome == .forbidden || verdict.outcome == .refused {
                restricted = (restriction, verdict)
            }
            if !verdict.waits.isEmpty { waits.append((restriction, verdict.missing)) }
        }
        let judgement = Judgement(
            facts: facts, verdict: verdict, restricted: restricted, restrictionWaits: waits,
            revision: revision, today: today)
        description.rules = judgement.sentences(preferences)
        return judgement
    }

    /// What the rules look at. Only what some rule looks at is looked up where that costs time.
    private func facts(
        of description: inout DataflowDescription, _ manifest: Manifest, _ zone: TrustZone,
        rules: [Preferences], _ run: String?
    ) throws(Diagnostic) -> DataflowFacts {
        let crossing = Self.crossing(of: description, manifest, zone)
        description.zone = crossing.sentence
        description.alarms = crossing.pattern == .confidential ? Self.copyAlarms(description.app) : []
        var facts = DataflowFacts()
        facts.purpose = description.purpose.code
        facts.tables = description.reads.map(\.table)
        facts.columns = description.reads.flatMap { use in
            let columns = (use.returned + use.used).map { "\(use.table).\($0)" }
            return columns.isEmpty ? ["\(use.table).count(*)"] : columns
        }
        facts.endpoints = Self.hosts(of: manifest)
        facts.app = description.app
        facts.plugin = description.plugin.id
        facts.publisher = description.plugin.signerKeyID
        facts.target = description.target
        facts.place = description.place.spelling
        facts.pattern = crossing.pattern
        facts.crosses = crossing.crosses
        facts.cpuSeconds = RunLimits(manifest, caps: configuration.caps)[.cpuSeconds]
        facts.minute = LocalDay.minuteNow()
        if rules.contains(where: { !$0.rules.isEmpty }) {
            facts.device = device.state(asksNetwork: rules.contains { $0.looksAtNetwork })
        }
        if rules.contains(where: \.looksAtUsage) {
            let usage = try usageToday(of: description.app, during: run)
            facts.cpuSecondsToday = usage?.cpuSeconds
            facts.bytesToday = usage?.bytes
        }
        return facts
    }

    /// Where a dataflow goes, as a trust zone sees it.
    private static func crossing(
        of description: DataflowDescription, _ manifest: Manifest, _ zone: TrustZone
    ) -> Crossing {
        zone.classify(
            purpose: description.purpose.code, target: description.target, place: description.place.spelling,
            endpoints: hosts(of: manifest))
    }

    /// The hosts that requests may go to.
    private static func hosts(of manifest: Manifest) -> [String] {
        Set(manifest.egress.map(\.template.host)).sorted()
    }

    /// A copy in the plainest words.
    private static func copyAlarms(_ app: String) -> [String] {
        [
            "this is no computation: it hands your data itself, as it is, to \(app)",
            "whoever has it can keep it, pass it on, sell it, and use it for anything, for ever",
            "nothing here can see what becomes of it, and nothing can take it back",
        ]
    }
}

extension Judgement {
    /// What the individual's rules say, for the sheet.
    fileprivate func sentences(_ preferences: Preferences) -> [String] {
        func named(_ ids: [String]) -> String {
            ids.map { id in
                preferences.rule(id)?.why.map { "\(id) (\"\($0)\")" } ?? id
            }.joined(separator: ", ")
        }
        var sentences: [String] = []
        if let restricted {
            sentences.append("restricted by \(restricted.by.setter)")
        }
        switch verdict.outcome {
        case .forbidden: sentences.append("forbidden by \(named(verdict.rules))")
        case .refused:
            sentences.append(
                "refused by \(named(verdict.rules)), for want of \(verdict.missing.joined(separator: ", "))")
        case .permitted: sentences.append("permitted without asking by \(named(verdict.rules))")
        case .unpermitted: sentences.append("no rule permits it, and nobody is to be asked")
        case .open where !verdict.permits.isEmpty:
            sentences.append("permitted by \(named(verdict.permits)), which leaves the question to you")
        case .open: break
        }
        if let sentence = today?.sentence { sentences.append(sentence) }
        if !waits.isEmpty {
            let names = [named(verdict.waits)].filter { !$0.isEmpty } + restrictionWaits.map(\.by.setter)
            sentences.append(
                "it waits, once decided, by \(names.joined(separator: ", ")): "
                    + missing.joined(separator: ", "))
        }
        return sentences
    }
}

extension Restriction {
    /// Who set it, as the sheet and messages say it.
    public var setter: String { "\(PlainText.neutral(setBy, longest: 120)) (\(kind.rawValue), \(id))" }
}
