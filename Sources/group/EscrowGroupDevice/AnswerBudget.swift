internal import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON

/// How much the answers of thirty days may tell about this individual: the sum of the questions' ε, over all groups of a
/// home. What was spent is in `answers.json` there.
public struct AnswerBudget: Sendable {
    /// What the individual has unless they say otherwise.
    public static let usual = 4.0
    private static let month: Int64 = 30 * 86_400_000

    private let file: StoreFile
    private let lock: String
    private let most: Double

    public init(home: String, most: Double = usual) {
        file = StoreFile(home + "/answers.json", limit: 1 << 20, help: "answer again in a few days")
        lock = home + "/answers.lock"
        self.most = most
    }

    /// One question that was taken part in.
    struct Spending: Codable {
        let epsilon: Double
        let at: Int64
    }

    /// Counts a question: it is on disk before anything is said, so a stop between the two counts it twice and never not at
    /// all.
    ///
    /// - Parameter before: what an earlier version counted in the group alone.
    func spend(_ epsilon: Double, at now: Int64, before: [Spending]) throws(Diagnostic) {
        let lock = try FileLock.acquire(lock)
        defer { withExtendedLifetime(lock) {} }
        let since = now - Self.month
        let spent = try file.read().map(read) ?? []
        let recent = spent.filter { $0.at > since }
        let sum = (recent + before.filter { $0.at > since }).reduce(epsilon) { $0 + $1.epsilon }
        guard sum <= most else {
            throw Diagnostic(
                .answerBudgetSpent,
                "your answers of the last thirty days, and this one, would tell more about you than you allow: \(most) in all",
                help: "--budget allows more; a question with a smaller epsilon tells less")
        }
        let all = recent + [Spending(epsilon: epsilon, at: now)]
        let json = JSONValue.array(all.map { ["at": .integer($0.at), "epsilon": .real($0.epsilon)] })
        try file.replace(with: JSONWriter.document(json)) { bytes throws(Diagnostic) in
            _ = try read(bytes)
        }
    }

    private func read(_ bytes: [UInt8]) throws(Diagnostic) -> [Spending] {
        do throws(JSONError) {
            var all: [Spending] = []
            for node in try JSONParser.parse(bytes).requireArray() {
                var entry = try JSONObjectReader(node)
                let at = try entry.required("at").requireInteger()
                let epsilon = try entry.required("epsilon").requireReal()
                try entry.finish()
                // Nothing that was spent gives something back.
                all.append(Spending(epsilon: max(0, epsilon), at: at))
            }
            return all
        } catch {
            throw Diagnostic(
                .homeDamaged, "what your answers told is not understood: \(error.impersonalMessage)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                help: "restore answers.json from a backup of the escrow home; nothing is answered until then")
        }
    }
}
