import EscrowComputation
public import EscrowConsent
import EscrowDevice
public import EscrowDiagnostics
import EscrowFiles
public import EscrowHome
import EscrowManifest
import EscrowSchema
import EscrowTrust

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

    /// What all rules say about a dataflow; the sheet tells it too.
    ///
    /// `run` is the one under way that this is about; nil for one that has not begun: it is judged by what it would use,
    /// with all that other runs under way may still use.
    func judge(
        _ description: inout DataflowDescription, _ manifest: Manifest, of run: String? = nil
    ) throws(Diagnostic) -> Decision {
        try describePlaces(&description, manifest)
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
        let own = preferences.decide(facts)
        var decision = own
        var waits: [Grounds.RestrictionWait] = []
        for restriction in restrictions {
            let other = restriction.preferences.decide(strict(facts))
            if decision.state != .restricted, other.state == .denied, other.reason != .noRule {
                decision = decision.restricted(by: restriction, other)
            }
            if !other.grounds.ownWaits.isEmpty {
                waits.append(.init(restriction, missing: other.grounds.missing))
            }
        }
        if let freezing = restrictions.first(where: \.freezesDecisions), decision.state != .restricted {
            decision = decision.frozen(by: freezing)
        }
        decision = decision.with(waits: waits, revision: revision, today: today)
        description.rules = decision.grounds.sentences(own, preferences)
        return decision
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
        facts.place = description.place.machine.spelling
        facts.pattern = crossing.pattern
        facts.crosses = crossing.crosses
        facts.cpuSeconds = RunLimits(manifest, caps: configuration.caps)[.cpuSeconds]
        facts.minute = LocalDay.minuteNow()
        if rules.contains(where: { !$0.rules.isEmpty }) {
            facts.device = device.state(asksNetwork: rules.contains { $0.looksAtNetwork })
        }
        if rules.contains(where: \.looksAtUsage) {
            let usage = try ledgerReader().usageToday(of: description.app, during: run)
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
            purpose: description.purpose.code, target: description.target,
            place: description.place.machine.spelling,
            // Who gets a mail is no server, and where the plugin picks them nobody can have named them.
            endpoints: hosts(of: manifest) + manifest.receiversBesideServers)
    }

    /// The hosts that requests may go to.
    private static func hosts(of manifest: Manifest) -> [String] {
        Set(manifest.requests.map(\.template.host)).sorted()
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

extension Grounds {
    /// What the rules say, for the sheet. `own` is what the individual's own alone come to.
    fileprivate func sentences(_ own: Decision, _ preferences: Preferences) -> [String] {
        func named(_ ids: [String]) -> String {
            ids.map { id in
                preferences.rule(id)?.why.map { "\(id) (\"\($0)\")" } ?? id
            }.joined(separator: ", ")
        }
        var sentences: [String] = []
        if let restriction { sentences.append("restricted by \(restriction.setter)") }
        if let freezing {
            sentences.append("what you decided stays as it is, by \(freezing.setter)")
        }
        switch (own.state, own.reason) {
        case (.denied, .noRule): sentences.append("no rule permits it, and nobody is to be asked")
        case (.denied, .missingResource):
            let want = missing.joined(separator: ", ")
            sentences.append("refused by \(named(rules)), for want of \(want)")
        case (.denied, _): sentences.append("forbidden by \(named(rules))")
        case (.authorized, _) where freezing == nil:
            sentences.append("permitted without asking by \(named(rules))")
        case _ where !permits.isEmpty:
            sentences.append("permitted by \(named(permits)), which leaves the question to you")
        default: break
        }
        if let sentence = today?.sentence { sentences.append(sentence) }
        if !waits.isEmpty {
            let names =
                [named(ownWaits)].filter { !$0.isEmpty } + restrictionWaits.map(\.restriction.setter)
            sentences.append(
                "it waits, once decided, by \(names.joined(separator: ", ")): "
                    + waitsFor.joined(separator: ", "))
        }
        return sentences
    }
}
