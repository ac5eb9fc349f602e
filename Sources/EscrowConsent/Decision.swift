internal import EscrowMinimisation

/// What stands about a dataflow.
public enum Decision: Sendable, Equatable {
    /// A grant covers all of it.
    case authorized(Grant)
    /// The individual said never.
    case denied(Grant)
    /// Nobody decided, or what was decided covers less; one sentence says which.
    case undecided(why: String)

    /// The one rule, for every entry point: a denial that matches wins; otherwise any grant that covers the whole
    /// dataflow allows it; otherwise nobody has decided. The order of the grants never matters.
    static func about(_ description: DataflowDescription, among grants: [Grant]) -> Decision {
        let concerned = grants.filter {
            $0.app == description.app && $0.plugin == description.plugin.id && $0.target == description.target
        }
        if let denial = concerned.first(where: { $0.state == .denied && $0.forbids(description) }) {
            return .denied(denial)
        }
        var nearest: [String]?
        for grant in concerned where grant.state == .authorized {
            let differences = grant.differences(to: description)
            if differences.isEmpty { return .authorized(grant) }
            if differences.count < nearest?.count ?? Int.max { nearest = differences }
        }
        guard let nearest else { return .undecided(why: "nobody has decided about this dataflow yet") }
        return .undecided(why: "it is more than you allowed before: \(nearest.joined(separator: "; "))")
    }
}

extension Grant {
    /// Whether a denial holds for a dataflow: it holds for any version of the plugin, whoever signed it, and for any
    /// dataflow that takes in all that was denied.
    func forbids(_ description: DataflowDescription) -> Bool {
        let missing = TableUse.beyond(reads, granted: description.reads)
        return missing.returned.isEmpty && missing.used.isEmpty
    }

    /// In which ways a dataflow is more, or other, than what was allowed; empty if it lies within. Another version of the
    /// plugin is no difference as long as the same key signed it and it asks for nothing more.
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
        if description.result.schemaDigest != resultDigest { differences.append("its result is another one") }
        let told = description.identifiers.filter { !identifiers.contains($0) }
        if !told.isEmpty { differences.append("it is also told \(list(told))") }
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
        return differences
    }
}
