public import EscrowDiagnostics

/// How the last decision is undone: what it made, and the decisions that went for it.
struct GrantUndo: Sendable, Equatable {
    /// The id of the decision that was made.
    let made: String
    /// The decisions in whose place it came, with their uses.
    let replaced: [Grant]
}

/// What an undo did.
public struct UndoneDecision: Sendable {
    /// The decision that is gone.
    public let taken: Grant
    /// Those that it had replaced and that are there again.
    public let back: [Grant]
}

extension GrantStore {
    /// Takes the last decision back and puts what it had replaced in its place again; nil where the last change of decisions
    /// made none. What is back holds as it did: what ended meanwhile has ended.
    public func undo() throws(Diagnostic) -> UndoneDecision? {
        try holding { (content) throws(Diagnostic) in
            guard let undo = content.undo,
                let index = content.grants.firstIndex(where: { $0.id == undo.made })
            else { return nil }
            let taken = content.grants.remove(at: index)
            content.grants += undo.replaced
            // The list is ordered by age, whatever came back into it.
            content.grants.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            try commit(content, GrantChange(.undone, [taken], replaced: undo.replaced.map(\.id)))
            return UndoneDecision(taken: taken, back: undo.replaced)
        }
    }
}
