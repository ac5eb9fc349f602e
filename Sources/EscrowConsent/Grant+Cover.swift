internal import EscrowMinimisation

extension Grant {
    /// Whether a denial holds for a dataflow: it holds for any version of the plugin, whoever signed it, and for any
    /// dataflow that takes in all that was denied.
    func forbids(_ description: DataflowDescription) -> Bool {
        let missing = TableUse.beyond(reads, granted: description.reads)
        return missing.returned.isEmpty && missing.used.isEmpty
    }

    /// Whether every column that another decision is about is among this one's.
    func takesIn(_ other: Grant) -> Bool {
        let missing = TableUse.beyond(other.reads, granted: reads)
        return missing.returned.isEmpty && missing.used.isEmpty
    }

    /// In which ways a dataflow is more, or other, than what was allowed; empty if it lies within. Another version of the
    /// plugin is no difference as long as the same key signed it, it asks for nothing more, and the individual did not
    /// name others.
    func differences(to description: DataflowDescription) -> [String] {
        var differences: [String] = []
        let beyond = TableUse.beyond(description.reads, granted: reads)
        func list(_ names: [String]) -> String {
            names.map { PlainText.neutral($0, longest: 128) }.joined(separator: ", ")
        }
        if !beyond.returned.isEmpty { differences.append("it also reads \(list(beyond.returned))") }
        if !beyond.used.isEmpty { differences.append("it also uses \(list(beyond.used))") }
        let wanted = minimisation.restricted(to: description.reads)
        if !description.minimisation.isAtLeastAsCoarse(as: wanted) {
            differences.append("it reads more closely than \(list(wanted.terms))")
        }
        if description.purpose != purpose { differences.append("its purpose is another one") }
        if let parameters {
            let told = description.parameters.filter { !parameters.contains($0) }
            if !told.isEmpty { differences.append("it is also told \(list(told))") }
        }
        let known = description.identifiers.filter { !identifiers.contains($0) }
        if !known.isEmpty { differences.append("it is also told \(list(known))") }
        let others = arguments.filter { description.arguments[$0.key] != $0.value }.keys.sorted()
        if !others.isEmpty { differences.append("it is told another \(list(others))") }
        if description.result.schemaDigest != resultDigest { differences.append("its result is another one") }
        let sends = description.egress.filter { !egress.contains($0) }
        if !sends.isEmpty { differences.append("it also sends: \(list(sends))") }
        if description.place != place { differences.append("it runs on \(list([description.place]))") }
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
