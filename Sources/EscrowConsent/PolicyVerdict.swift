/// What stands before any grant: what the individual's rules and others' restrictions say about a dataflow.
public enum PolicyVerdict: Sendable, Equatable {
    /// Nothing: the grants decide, and where none stands the individual is asked.
    case open
    /// Somebody whom the individual cannot override forbids it; who, and one sentence.
    case restricted(by: String, why: String)
    /// Rules of the individual's forbid it; their names, and one sentence. No grant overrides that.
    case forbidden(rules: [String], why: String)
    /// Rules of the individual's permit it without a question; their names. A denial overrides that.
    case permitted(rules: [String])
    /// No rule permits it, and the individual set that nobody is asked then: without a grant it is denied.
    case unpermitted

    /// Whether a rule lets it run where no grant stands.
    var permits: Bool { if case .permitted = self { true } else { false } }
}
