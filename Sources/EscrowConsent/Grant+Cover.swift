internal import EscrowManifest
internal import EscrowMinimisation

extension Grant {
    /// Whether a denial holds for a dataflow: it holds for any version of the plugin, whoever signed it, and for any
    /// dataflow that takes in all that was denied.
    func forbids(_ description: DataflowDescription) -> Bool {
        TableUse.isWithin(reads, granted: description.reads)
    }

    /// Whether every column that another decision is about is among this one's.
    func takesIn(_ other: Grant) -> Bool {
        TableUse.isWithin(other.reads, granted: reads)
    }

    /// Whether a dataflow lies within what was allowed: no `differences`, found without words for them.
    func covers(_ description: DataflowDescription) -> Bool {
        TableUse.isWithin(description.reads, granted: reads)
            && differencesBesideColumns(to: description).isEmpty
    }

    /// In which ways a dataflow is more, or other, than what was allowed; empty if it lies within. Another version of the
    /// plugin is no difference as long as the same key signed it, it asks for nothing more, and the individual did not
    /// name others.
    func differences(to description: DataflowDescription) -> [String] {
        var differences: [String] = []
        let beyond = TableUse.beyond(description.reads, granted: reads)
        if !beyond.returned.isEmpty { differences.append("it also reads \(Self.list(beyond.returned))") }
        if !beyond.used.isEmpty { differences.append("it also uses \(Self.list(beyond.used))") }
        return differences + differencesBesideColumns(to: description)
    }

    private static func list(_ names: [String]) -> String {
        names.map { PlainText.neutral($0, longest: 128) }.joined(separator: ", ")
    }

    /// What a dataflow sends or is told beyond what was allowed. Of the very manifest that was allowed nothing is, in
    /// whatever words a host puts it.
    private func reachDifferences(to description: DataflowDescription) -> [String] {
        guard let wanted = description.reach else {
            let sends = description.egress.filter { !egress.contains($0) }
            return sends.isEmpty ? [] : ["it also sends: \(Self.list(sends))"]
        }
        if description.plugin.manifestDigest == manifestDigest { return [] }
        if let reach {
            return wanted.differences(from: reach).map { PlainText.neutral($0, longest: 400) }
        }
        // It was given for another manifest, of whose bounds nothing is left to compare with.
        return wanted.egress.isEmpty && description.parameters.isEmpty
            ? [] : ["the bounds of what it sends and is told were not kept when you allowed it"]
    }

    private func differencesBesideColumns(to description: DataflowDescription) -> [String] {
        var differences: [String] = []
        if !minimisation.isEmpty {
            let wanted = minimisation.restricted(to: description.reads)
            if !description.minimisation.isAtLeastAsCoarse(as: wanted) {
                differences.append("it reads more closely than \(Self.list(wanted.terms))")
            }
        }
        if description.purpose != purpose { differences.append("its purpose is another one") }
        if let parameters {
            let told = description.parameters.filter { !parameters.contains($0) }
            if !told.isEmpty { differences.append("it is also told \(Self.list(told))") }
        }
        let known = description.identifiers.filter { !identifiers.contains($0) }
        if !known.isEmpty { differences.append("it is also told \(Self.list(known))") }
        let others = arguments.filter { description.arguments[$0.key] != $0.value }.keys.sorted()
        if !others.isEmpty { differences.append("it is told another \(Self.list(others))") }
        if description.result.schemaDigest != resultDigest { differences.append("its result is another one") }
        differences += reachDifferences(to: description)
        if description.place != place { differences.append("it runs on \(Self.list([description.place]))") }
        if description.minimumRows < minimumRows {
            differences.append("it computes over as few as \(description.minimumRows) rows")
        }
        if description.isScript, !isScript {
            differences.append("it is a script now, and sees an interpreter's files")
        }
        if description.plugin.signerKeyID != signerKeyID { differences.append("another key signed it") }
        if isPinned, isCarriedOver(to: description) {
            differences.append("it is not the very version that you allowed")
        }
        if !versions.contains(description.plugin.version) {
            differences.append("you allowed versions \(versions.words)")
        }
        return differences
    }
}
