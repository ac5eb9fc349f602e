/// What the individual answers.
public enum ConsentAnswer: Sendable, Equatable {
    /// Yes, for so long.
    case allow(ScopeChoice)
    /// Yes to less than is asked for, for so long.
    case limit(GrantLimit, ScopeChoice)
    /// Not now.
    case no
    /// No, for so long.
    case deny(ScopeChoice)
    /// Not until it is changed, and the app is not to notice: it is given what it would be given of no data.
    case denyAsEmpty
    /// Compute, and show what would be handed over before it is decided.
    case preview

    /// The word in the ledger.
    public var word: String {
        switch self {
        case .allow(.once): "once"
        case .allow(.always): "always"
        case .allow(let choice): "yes, \(choice.word)"
        // Neither ids nor conditions: both are the individual's data.
        case .limit(let limit, let choice):
            "less, \(choice.word): \(limit.phrases.joined(separator: "; "))"
        case .no: "no"
        case .deny(.always): "never"
        case .deny(let choice): "no, \(choice.word)"
        case .denyAsEmpty: "never, as if empty"
        case .preview: "preview"
        }
    }
}

/// How a question ended.
public enum ConsentReply: Sendable, Equatable {
    /// The individual answered.
    case answer(ConsentAnswer)
    /// The input ended, or nothing clear was typed: nobody has decided.
    case none
    /// Nobody answered in time: nobody has decided.
    case timeOut
}
