/// For how long a decision holds: the same for yes and for no.
public enum GrantScope: Sendable, Equatable {
    /// One run: the one that was asked about, or the next one.
    case once
    /// This run of the app: its host processes that ran at that moment, and none that starts later.
    case session(ConsentTime)
    /// Until midnight of the day it was decided on.
    case today(ConsentTime)
    /// Until a moment.
    case until(ConsentTime)
    /// So many runs.
    case uses(Int)
    /// Until it is taken back.
    case always

    /// The word in files and tables.
    public var word: String {
        switch self {
        case .once: "once"
        case .session: "session"
        case .today: "today"
        case .until: "until"
        case .uses: "uses"
        case .always: "always"
        }
    }

    /// Whether it ends with a number of runs.
    public var isCounted: Bool {
        switch self {
        case .once, .uses: true
        case .session, .today, .until, .always: false
        }
    }

    /// For people: `until 2026-12-31T23:00:00Z`.
    public func words(used: Int = 0) -> String {
        switch self {
        case .once: "once"
        case .session: "this run of the app"
        case .today(let end): "today, until \(end)"
        case .until(let end): "until \(end)"
        case .uses(let count): "\(count) runs, \(max(0, count - used)) left"
        case .always: "always"
        }
    }
}

/// What the individual says about how long; a scope once it is known when.
public enum ScopeChoice: Sendable, Equatable {
    /// One run.
    case once
    /// This run of the app.
    case session
    /// Until midnight.
    case today
    /// Until a moment.
    case until(ConsentTime)
    /// So many runs.
    case uses(Int)
    /// Until it is taken back.
    case always

    /// The scope, chosen now.
    public func scope(at now: ConsentTime) -> GrantScope {
        switch self {
        case .once: .once
        case .session: .session(now)
        case .today: .today(now.endOfDay)
        case .until(let end): .until(end)
        case .uses(let count): .uses(count)
        case .always: .always
        }
    }

    /// The word in records.
    public var word: String {
        switch self {
        case .once: "once"
        case .session: "this run of the app"
        case .today: "today"
        case .until(let end): "until \(end)"
        case .uses(let count): "\(count) runs"
        case .always: "always"
        }
    }

    /// Reads `once`, `today`, `always`, `until 2026-12-31`, `5 runs`; nil for any other text.
    public init?(words: [String]) {
        switch words {
        case ["once"]: self = .once
        case ["today"]: self = .today
        case ["always"]: self = .always
        default:
            guard words.count == 2 else { return nil }
            if words[0] == "until", let end = ConsentTime.end(ofDay: words[1]) {
                self = .until(end)
            } else if ["runs", "run", "times", "uses"].contains(words[1]), let count = Int(words[0]),
                (1...1_000_000).contains(count), String(count) == words[0]
            {
                self = .uses(count)
            } else {
                return nil
            }
        }
    }
}
