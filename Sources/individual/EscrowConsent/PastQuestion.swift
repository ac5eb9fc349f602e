/// A question that was answered with a no for that moment, or not at all.
public struct PastQuestion: Sendable, Equatable {
    /// How it ended.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The individual said no, for now.
        case no
        /// Nobody answered in time.
        case timeOut
    }

    /// The app that asked.
    public let app: String
    /// How it was known.
    public let proof: AppProof
    /// The plugin's id.
    public let plugin: String
    /// Who would have got the result.
    public let target: String
    /// What was asked for.
    public let reads: [TableUse]
    /// When.
    public let at: ConsentTime
    /// How it ended.
    public let outcome: Outcome

    init(_ dataflow: Dataflow, _ outcome: Outcome, at: ConsentTime) {
        self.init(
            app: dataflow.app, proof: dataflow.proof, plugin: dataflow.plugin.id, target: dataflow.target,
            reads: dataflow.reads, at: at, outcome: outcome)
    }

    init(
        app: String, proof: AppProof, plugin: String, target: String, reads: [TableUse], at: ConsentTime,
        outcome: Outcome
    ) {
        self.app = app
        self.proof = proof
        self.plugin = plugin
        self.target = target
        self.reads = reads
        self.at = at
        self.outcome = outcome
    }

    /// Whether the question was about what a dataflow takes in, within the last day. What a program asked that only says that it
    /// is the app is no question of the app's.
    func concerns(_ dataflow: Dataflow, at now: ConsentTime) -> Bool {
        app == dataflow.app && (proof != .claim || dataflow.proof == .claim)
            && plugin == dataflow.plugin.id && target == dataflow.target && isRecent(at: now)
            && TableUse.isWithin(reads, granted: dataflow.reads)
    }

    /// Whether it was within the last day: older ones count no more.
    func isRecent(at now: ConsentTime) -> Bool { at.adding(days: 1) > now }
}
