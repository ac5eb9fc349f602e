import EscrowAppWire
import EscrowConsent
import EscrowDiagnostics
import EscrowFiles
import Synchronization

/// The runs that the service knows: those under way, and those that ended a short while ago.
final class RunBook: Sendable {
    private let runs = Mutex<[String: Entry]>([:])

    private struct Entry {
        let run: ServiceRun
        /// The key that the app gave it, and the bytes that came with it.
        let key: String?
        let request: [UInt8]
        /// Withdrawn by its app: it counts until it ended, and nobody finds it.
        var isForgotten = false
    }

    /// Open at once, of one app or process.
    static let mostOpen = AppWire.openCap
    /// The most that are open at once over all apps. Each has a thread.
    static let mostOpenInAll = 256
    /// The most ended runs that are kept for one app: all that can be open at once.
    static let mostEnded = mostOpen
    /// How long ended runs are kept.
    static let keptSeconds: UInt64 = 600

    /// The outcome of opening a run.
    enum Opening {
        case new(ServiceRun)
        /// The same request came before, under the same key.
        case known(ServiceRun)
        case refused(Answer)
    }

    /// Opens a run.
    func open(
        _ run: ServiceRun, key: String?, request: [UInt8]
    ) -> Opening {
        runs.withLock { runs in
            // What is kept no longer is not known either.
            if key != nil { Self.tidy(&runs, for: run.share) }
            if let key,
                let old = runs.values.first(where: {
                    $0.key == key && !$0.isForgotten && $0.run.app == run.app && $0.run.proof == run.proof
                        && $0.run.share == run.share
                })
            {
                guard old.request == request else {
                    return .refused(
                        Answer(
                            .keyUsedAgain, "this Idempotency-Key came with another request before",
                            status: 422))
                }
                return .known(old.run)
            }
            let open = runs.values.filter { $0.run.outcome == nil }
            guard open.count < Self.mostOpenInAll,
                open.count(where: { $0.run.share == run.share }) < Self.mostOpen
            else {
                var answer = Answer(HostFailure(AppWireError(.tooManyOpen)), status: 429)
                answer.headers.append(("Retry-After", "1"))
                return .refused(answer)
            }
            runs[run.id] = Entry(run: run, key: key, request: key == nil ? [] : request)
            return .new(run)
        }
    }

    /// The run of an id, where it is this app's.
    func run(_ id: String, for peer: Peer) -> ServiceRun? {
        guard let run = runs.withLock({ $0[id].flatMap { $0.isForgotten ? nil : $0.run } }) else {
            return nil
        }
        // Who proves nothing knows the id, which nobody guesses. Who is another app has no business with it.
        if let app = peer.app { return app == run.app && peer.proof == run.proof ? run : nil }
        return run.proof <= .token ? run : nil
    }

    /// A run ended and was answered: lets go what is not kept any longer. Nobody wakes up for that.
    func ended(_ run: ServiceRun) { runs.withLock { Self.tidy(&$0, for: run.share) } }

    /// The app withdrew it. One that is open goes with its end.
    func forget(_ id: String) {
        runs.withLock { runs in
            if runs[id]?.run.outcome == nil { runs[id]?.isForgotten = true } else { runs[id] = nil }
        }
    }

    private static func tidy(_ runs: inout [String: Entry], for share: String) {
        let now = monotonicNanoseconds()
        let ended = runs.values.filter { $0.run.endedAt != nil }
        for entry in ended
        where entry.isForgotten || (entry.run.endedAt ?? now) + keptSeconds * 1_000_000_000 < now {
            runs[entry.run.id] = nil
        }
        var own = ended.filter { $0.run.share == share }
        while own.count > mostEnded,
            let oldest = own.indices.min(by: { own[$0].run.endedAt ?? 0 < own[$1].run.endedAt ?? 0 })
        {
            runs[own.remove(at: oldest).run.id] = nil
        }
    }
}
