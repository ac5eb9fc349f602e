public import EscrowMinimisation

/// What a plugin may do, as one value that can be compared: what a grant is for.
///
/// Permission sets form a partial order. An upgrade needs a new grant if and only if the new set is not within the old.
public struct PermissionSet: Sendable, Hashable {
    /// What it computes for. Another purpose is another dataflow, whatever else is narrower.
    public let purpose: Purpose
    /// Table → columns that a query may read.
    public let reads: [String: Set<String>]
    /// How much coarser than they are these are served.
    public let minimisation: Minimisation
    /// What it is told the individual by.
    public let identifiers: Set<IdentifierScope>
    /// Media types of the assets whose bytes it may ask for.
    public let assets: Set<String>
    /// How many rows it accepts; a smaller minimum is wider, since it singles out more.
    public let rows: RowBounds
    /// What it returns.
    public let result: ResultSchema
    /// What it may have sent.
    public let egress: [EgressEndpoint]
    /// Whether the individual picks what it is given, and how much at most.
    public let pick: PickRule?
    /// What it may use up.
    public let limits: PluginLimits
    /// The walls around it.
    public let profile: SandboxProfile
    /// Whether its publisher shows its code to nobody.
    public let isConfidential: Bool

    /// Whether everything that this set allows is allowed by the other.
    public func isWithin(_ other: PermissionSet) -> Bool {
        difference(from: other).allSatisfy { $0.direction == .narrower }
    }
}

extension Manifest {
    /// What this manifest asks for.
    public var permissions: PermissionSet {
        var reads: [String: Set<String>] = [:]
        for table in accepts.reads { reads[table.table] = Set(table.columns) }
        return PermissionSet(
            purpose: purpose, reads: reads, minimisation: accepts.minimisation,
            identifiers: parameters.identifiers,
            assets: Set(accepts.columns.flatMap(\.mediaTypes)),
            rows: accepts.rows,
            result: result, egress: egress, pick: pick, limits: limits, profile: profile,
            isConfidential: server.isConfidential)
    }
}

extension PermissionSet {
    /// What is different from an older set, the wider things first.
    public func difference(from old: PermissionSet) -> [PermissionChange] {
        var changes = Changes()
        purposeChanges(old, &changes)
        readChanges(old, &changes)
        minimisationChanges(old, &changes)
        for scope in identifiers.subtracting(old.identifiers).sorted() {
            changes.add(.wider, "is also told \(scope.words)")
        }
        for scope in old.identifiers.subtracting(identifiers).sorted() {
            changes.add(.narrower, "is no longer told \(scope.words)")
        }
        changes.compare(old.rows.minimum, rows.minimum, smallerIsWider: true, "minimum of rows")
        changes.compare(old.rows.maximum, rows.maximum, isBound: false, "maximum of rows")
        if (pick?.most ?? .max) != (old.pick?.most ?? .max) {
            changes.add(
                (pick?.most ?? .max) > (old.pick?.most ?? .max) ? .wider : .narrower,
                pick.map { "is given up to \($0.most) rows, which you pick" }
                    ?? "you no longer pick what it is given")
        }
        result.changes(from: old.result, &changes)
        egressChanges(old, &changes)
        for name in LimitName.ofManifest {
            changes.compare(old.limits[name], limits[name], isBound: false, name.words)
        }
        profileChanges(old, &changes)
        if isConfidential != old.isConfidential {
            changes.add(
                isConfidential ? .wider : .narrower,
                isConfidential
                    ? "is kept on servers alone: nobody but its publisher can look at it"
                    : "is no longer kept on servers alone")
        }
        return changes.sorted
    }

    private func profileChanges(_ old: PermissionSet, _ changes: inout Changes) {
        guard profile != old.profile else { return }
        switch profile {
        case .strict: changes.add(.narrower, "runs without any file")
        case .runtime where old.profile == .strict:
            changes.add(.wider, "runs with a view of the machine's libraries, no longer without any file")
        case .runtime: changes.add(.narrower, "no longer brings machine code beside its script")
        case .native: changes.add(.wider, "brings machine code of its publisher's beside its script")
        }
    }

    private func purposeChanges(_ old: PermissionSet, _ changes: inout Changes) {
        if purpose.code != old.purpose.code {
            changes.add(
                .different, "its purpose is now \(purpose.code.words), it was \(old.purpose.code.words)")
        }
        if purpose.text != old.purpose.text {
            changes.add(.different, "its purpose now reads: \(purpose.text)")
        }
    }

    private func readChanges(_ old: PermissionSet, _ changes: inout Changes) {
        for table in Set(reads.keys).union(old.reads.keys).sorted() {
            let now = reads[table] ?? []
            let before = old.reads[table] ?? []
            for column in now.subtracting(before).sorted() {
                changes.add(.wider, "may also read \(table).\(column)")
            }
            for column in before.subtracting(now).sorted() {
                changes.add(.narrower, "no longer reads \(table).\(column)")
            }
        }
        for type in assets.subtracting(old.assets).sorted() {
            changes.add(.wider, "may also open files of type \(type)")
        }
        for type in old.assets.subtracting(assets).sorted() {
            changes.add(.narrower, "no longer opens files of type \(type)")
        }
    }

    private func egressChanges(_ old: PermissionSet, _ changes: inout Changes) {
        for endpoint in egress {
            guard let before = old.egress.first(where: { $0.name == endpoint.name }) else {
                changes.add(.wider, "may also send to \(endpoint.shownReceiver) (\(endpoint.name))")
                continue
            }
            endpoint.changes(from: before, &changes)
        }
        for endpoint in old.egress where !egress.contains(where: { $0.name == endpoint.name }) {
            changes.add(.narrower, "no longer sends to \(endpoint.shownReceiver) (\(endpoint.name))")
        }
    }
}
