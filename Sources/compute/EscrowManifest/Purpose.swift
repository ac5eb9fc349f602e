/// Why the plugin computes: a code from a closed list, and one sentence that people read word for word.
public struct Purpose: Sendable, Hashable {
    /// The code.
    public let code: Code
    /// The sentence, at most 200 characters.
    public let text: String

    /// The purposes that there are. A closed list: people can decide by purpose only if the words are few.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Counts, means, distributions over many rows.
        case aggregateStatistics = "aggregate-statistics"
        /// Whether data is well formed: valid numbers, dates, duplicates.
        case dataQuality = "data-quality"
        /// Small pictures, reduced copies, other formats of the person's own media.
        case mediaPreview = "media-preview"
        /// A summary for the person: where one was, what one did.
        case personalSummary = "personal-summary"
        /// Finding, sorting, grouping one's own things.
        case search = "search"
        /// Health and well-being of the person.
        case wellness = "wellness"
        /// Planning: free time, routes, meetings.
        case planning = "planning"
        /// Suggestions picked for the person.
        case recommendation = "recommendation"
        /// Finding people or things in common between people who agreed to it.
        case socialMatching = "social-matching"
        /// Parameters for a model that learns from many people.
        case modelTraining = "model-training"
        /// Warning of fraud, theft, danger.
        case safety = "safety"
        /// Study under rules that the person agreed to.
        case research = "research"
        /// Choosing advertisements.
        case advertising = "advertising"
        /// Trying out a plugin.
        case development = "development"
        /// A plain copy of the rows for the app, which can use them for anything.
        case dataCopy = "data-copy"

        /// What a plugin of this purpose wants to do to data, before its name: "check your contacts".
        public var verb: String {
            switch self {
            case .aggregateStatistics: "work out figures from"
            case .dataQuality: "check"
            case .mediaPreview: "make small copies of"
            case .personalSummary: "sum up"
            case .search: "search"
            case .wellness: "look after your health by"
            case .planning: "plan by"
            case .recommendation: "suggest things by"
            case .socialMatching: "find what you have in common with others by"
            case .modelTraining: "train a model on"
            case .safety: "warn you by"
            case .research: "do research on"
            case .advertising: "choose advertisements by"
            case .development: "try out a plugin on"
            case .dataCopy: "COPY"
            }
        }

        /// The code in words.
        public var words: String {
            switch self {
            case .aggregateStatistics: "statistics over many rows"
            case .dataQuality: "checking the quality of data"
            case .mediaPreview: "previews of pictures and other media"
            case .personalSummary: "a summary for you"
            case .search: "finding and sorting your own things"
            case .wellness: "health and well-being"
            case .planning: "planning"
            case .recommendation: "suggestions for you"
            case .socialMatching: "finding things in common with others"
            case .modelTraining: "training a model"
            case .safety: "safety"
            case .research: "research"
            case .advertising: "advertising"
            case .development: "trying out a plugin"
            case .dataCopy: "a plain copy, for anything"
            }
        }
    }
}
