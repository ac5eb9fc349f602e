import EscrowAppWire
import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import EscrowTrust
import Synchronization

/// The runs that the service knows: those under way, and those that ended a short while ago.
final class RunBook: Sendable {
    private let runs = Mutex<[String: Entry]>([:])

    private struct Entry {
        let run: ServiceRun
        /// The key that its app gave it, and the digest of what came with it.
        let key: Key?
        /// Whether anybody can ask for it after its end.
        let isKept: Bool
        /// Withdrawn by its app: it counts until it ended, and nobody finds it.
        var isForgotten = false
    }

    private struct Key {
        let name: String
        let request: Digest
    }

    /// Open at once, of one app or process.
    static let mostOpen = AppWire.openCap
    static let allowance = Allowance(ofShare: mostOpen, inAll: 256)
    /// The most ended runs that are kept for one app: all that can be open at once.
    static let mostEnded = mostOpen
    /// The most that are kept of all apps that are proved, and once more of all that prove nothing; and the bytes of their results.
    static let mostEndedTogether = 512
    static let mostBytesTogether = 2 * AppWire.answerCap
    /// How long ended runs are kept.
    static let keptSeconds: UInt64 = 600

    /// The outcome of opening a run.
    enum Opening {
        case new(ServiceRun)
        /// The same request came before, under the same key.
        case known(ServiceRun)
        case refused(Answer)
    }

    /// Opens a run. Where its app is told no id, and gave no key, nobody can ask for it after its end.
    func open(
        _ run: ServiceRun, key: String?, request: [UInt8], isNamed: Bool = true
    ) -> Opening {
        // Who proves nothing has no key: nobody could tell that it is the same app.
        let key = run.payer.isProved ? key.map { Key(name: $0, request: Digest(of: request)) } : nil
        let entry = Entry(run: run, key: key, isKept: isNamed || key != nil)
        if let opening = open(entry) { return opening }
        if makeRoom(for: run.payer), let opening = open(entry) { return opening }
        var answer = Answer(HostFailure(AppWireError(.tooManyOpen)), status: 429)
        answer.headers.append(("Retry-After", "1"))
        return .refused(answer)
    }

    /// Nil where there is no room.
    private func open(_ entry: Entry) -> Opening? {
        runs.withLock { runs in
            let run = entry.run
            if let key = entry.key {
                // What is kept no longer is not known either.
                Self.tidy(&runs, for: run.payer)
                let old = runs.values.first {
                    $0.key?.name == key.name && !$0.isForgotten && $0.run.app == run.app
                        && $0.run.proof == run.proof
                }
                if let old {
                    guard old.key?.request == key.request else {
                        return .refused(
                            Answer(
                                .keyUsedAgain, "this Idempotency-Key came with another request before",
                                status: 422))
                    }
                    return .known(old.run)
                }
            }
            let open = runs.values.filter { $0.run.outcome == nil }.map(\.run.seat)
            guard Self.allowance.hasRoom(for: run.payer, beside: open) else { return nil }
            runs[run.id] = entry
            return .new(run)
        }
    }

    /// Withdraws what only waits for an answer, and was begun by a process that proves nothing and ended. False where there is none.
    private func makeRoom(for payer: Payer) -> Bool {
        let open = runs.withLock { $0.values.map(\.run).filter { $0.outcome == nil } }
        // Each process is looked for outside the lock, so that nobody's run waits for that.
        return Self.allowance.makeRoom(
            for: payer, among: open.map(\.seat), of: open.filter(\.onlyWaits).map(\.seat))
    }

    /// The run of an id, where it is this app's, known as then. Who proves nothing knows the id, which nobody guesses.
    func run(_ id: String, app: String?, proof: AppProof) -> ServiceRun? {
        guard let entry = runs.withLock({ $0[id] }), !entry.isForgotten, entry.run.proof == proof,
            proof == .claim || entry.run.app == app
        else { return nil }
        return entry.run
    }

    /// A run ended and was answered: lets go what is not kept any longer. Nobody wakes up for that.
    func ended(_ run: ServiceRun) { runs.withLock { Self.tidy(&$0, for: run.payer) } }

    /// The app withdrew it. One that is open goes with its end.
    func forget(_ id: String) {
        runs.withLock { runs in
            if runs[id]?.run.outcome == nil { runs[id]?.isForgotten = true } else { runs[id] = nil }
        }
    }

    /// Of what ended the newest are kept. Apps that are proved lose nothing by the others, which are counted by themselves.
    private static func tidy(_ runs: inout [String: Entry], for payer: Payer) {
        let now = monotonicNanoseconds()
        var ended: [(run: ServiceRun, at: UInt64)] = []
        for entry in runs.values {
            guard let at = entry.run.endedAt else { continue }
            if entry.isForgotten || !entry.isKept || at + keptSeconds * 1_000_000_000 < now {
                runs[entry.run.id] = nil
            } else if entry.run.payer.isProved == payer.isProved {
                ended.append((entry.run, at))
            }
        }
        var (own, together, bytes) = (0, 0, 0)
        for (run, _) in ended.sorted(by: { $0.at > $1.at }) {
            let isOwn = run.payer.share == payer.share
            guard !isOwn || own < mostEnded, together < mostEndedTogether,
                // The newest is kept however long it is, or nobody could get it.
                together == 0 || bytes + run.size <= mostBytesTogether
            else {
                runs[run.id] = nil
                continue
            }
            if isOwn { own += 1 }
            together += 1
            bytes += run.size
        }
    }
}
