internal import EscrowLocationPrivacy
internal import EscrowManifest
internal import EscrowMinimisation

extension Dataflow {
    /// In which ways this is more, or other, than one that was allowed, apart from its version; a sentence each, empty if it
    /// lies within. Another version of the plugin is no difference as long as the same key signed it and it asks for nothing more.
    func differences(from allowed: Dataflow) -> [String] {
        var differences: [String] = []
        let beyond = TableUse.beyond(reads, granted: allowed.reads)
        if !beyond.returned.isEmpty {
            differences.append("it also reads \(Self.list(beyond.returned, "column"))")
        }
        if !beyond.used.isEmpty { differences.append("it also uses \(Self.list(beyond.used, "column"))") }
        return differences + differencesBesideColumns(from: allowed)
    }

    /// The same without words for columns, which cost most: each decision asks every grant about its dataflow.
    func isWithin(_ allowed: Dataflow) -> Bool {
        TableUse.isWithin(reads, granted: allowed.reads) && differencesBesideColumns(from: allowed).isEmpty
    }

    private static func list(_ names: [String], _ noun: String) -> String {
        let brief = names.map { PlainText.neutral(Brief.middle($0, longest: 64)) }
        return Brief.list(brief, most: 24, noun)
    }

    /// What weighs most comes first, and last that of which a manifest can make as many as it likes.
    private func differencesBesideColumns(from allowed: Dataflow) -> [String] {
        var differences: [String] = []
        let isSameManifest = plugin.manifestDigest == allowed.plugin.manifestDigest
        if resultDigest != allowed.resultDigest { differences.append("its result is another one") }
        // Of the very manifest that was allowed nothing is beyond what was allowed.
        let reach = isSameManifest ? (endpoints: [], others: []) : reachDifferences(from: allowed)
        differences += reach.endpoints
        if !isSameManifest { differences += fileDifferences(from: allowed) }
        if !allowed.minimisation.isEmpty {
            let wanted = allowed.minimisation.restricted(to: reads)
            if !minimisation.isAtLeastAsCoarse(as: wanted) {
                differences.append("it reads more closely than \(Self.list(wanted.terms, "term"))")
            }
        }
        if purpose != allowed.purpose { differences.append("its purpose is another one") }
        if let parameters = allowed.parameters {
            let told = (self.parameters ?? []).filter { !parameters.contains($0) }
            if !told.isEmpty { differences.append("it is also told \(Self.list(told, "value"))") }
        }
        let known = identifiers.filter { !allowed.identifiers.contains($0) }
        if !known.isEmpty {
            differences.append("it is also told \(Self.list(known.map(\.words), "identifier"))")
        }
        let others = allowed.arguments.filter { arguments[$0.key] != $0.value }.keys.sorted()
        if !others.isEmpty { differences.append("it is told another \(Self.list(others, "value"))") }
        for (endpoint, telling) in places.sorted(by: { $0.key < $1.key }) {
            let known = allowed.places[endpoint] ?? .none
            if !telling.isWithin(known) {
                differences.append("it tells \(telling.words), it was \(known.words)")
            }
        }
        if proof < allowed.proof {
            differences.append("it is known by less than then, which was \(allowed.proof.words)")
        }
        if place != allowed.place { differences.append("it runs on \(place.words)") }
        if minimumRows < allowed.minimumRows {
            differences.append("it computes over as few as \(minimumRows) rows")
        }
        if isScript, !allowed.isScript {
            differences.append("it is a script now, and sees an interpreter's files")
        }
        if hasCode, !allowed.hasCode {
            differences.append("it brings machine code beside its script")
        }
        if isConfidential, !allowed.isConfidential {
            differences.append("its publisher shows its code to nobody")
        }
        if plugin.signerKeyID != allowed.plugin.signerKeyID { differences.append("another key signed it") }
        return differences + reach.others
    }

    /// Files that it may open whole, and that were not allowed.
    private func fileDifferences(from allowed: Dataflow) -> [String] {
        let wanted = files ?? []
        guard let known = allowed.files else {
            return wanted.isEmpty
                ? [] : ["the kinds of files that it opens were not kept when you allowed it"]
        }
        let new = wanted.filter { !known.contains($0) }
        return new.isEmpty ? [] : ["it also opens files that are \(Self.list(new, "kind"))"]
    }

    /// What it sends or is told beyond what was allowed.
    private func reachDifferences(from allowed: Dataflow) -> (endpoints: [String], others: [String]) {
        let wanted = reach ?? .nothing
        if let known = allowed.reach {
            let all = wanted.differences(from: known)
            return (all.endpoints.map(PlainText.whole), all.others.map(PlainText.whole))
        }
        // The grant is for another manifest, whose bounds were not kept, so there is nothing to compare with.
        let isSilent = wanted.egress.isEmpty && (parameters ?? []).isEmpty
        return (
            [], isSilent ? [] : ["the bounds of what it sends and is told were not kept when you allowed it"]
        )
    }
}
