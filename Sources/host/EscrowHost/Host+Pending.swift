public import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowRelational

/// A request that was refused because nobody could be asked.
public struct UndecidedRequest: Sendable {
    /// `q-` and digits.
    public let id: String
    /// Since when, RFC 3339 UTC.
    public let since: String
    /// What was asked for, as it is now.
    public let description: DataflowDescription
    /// Why it is undecided.
    public let decision: Decision
    /// The request itself.
    let request: RunRequest

    /// What it reads, `Table.column`.
    public var columns: [String] {
        description.reads.flatMap { use in (use.returned + use.used).map { "\(use.table).\($0)" } }
    }
}

extension Host {
    /// Requests that nobody was there to decide about, until they are answered: bounded as the queue is.
    private var pending: WaitingQueue { WaitingQueue(path: home.path + "/pending.json") }

    /// Keeps a request. Where there is no room for it, it is refused all the same.
    func keepPending(_ request: RunRequest) {
        guard pending.entry(for: request) == nil else { return }
        _ = try? pending.put(request, rules: [], missing: [], once: nil, isHeld: false)
    }

    /// Whether a request is kept, and so can be answered.
    package func isPending(_ request: RunRequest) -> Bool {
        let entries = (try? pending.list()) ?? []
        // What is kept of a request has only the values that count.
        return entries.contains { entry in
            entry.request.isKept(of: request)
        }
    }

    /// Whoever asks next finds a connection open.
    package func refillSpare() { spare?.refill() }

    /// What is kept and still undecided, the oldest first. What was decided since, or can be asked for no more, is dropped.
    public func undecidedRequests() throws(Diagnostic) -> [UndecidedRequest] {
        try undecidedRequests { _ in true }
    }

    /// The same of those that are meant: only these are planned, which is what costs time.
    package func undecidedRequests(
        where isMeant: (WaitingQueue.Entry) -> Bool
    ) throws(Diagnostic) -> [UndecidedRequest] {
        let runner = Runner(host: self)
        var requests: [UndecidedRequest] = []
        for entry in try pending.list().filter(isMeant) {
            if let plan = try? runner.plan(entry.request), plan.decision.state == .notDetermined {
                requests.append(
                    UndecidedRequest(
                        id: entry.id, since: entry.since, description: plan.description,
                        decision: plan.decision, request: entry.request))
            } else {
                try pending.drop(entry.id)
            }
        }
        return requests
    }

    /// How many are kept, those included that may be decided since: cheap to ask often.
    public func undecidedCount() throws(Diagnostic) -> Int { try pending.list().count }

    /// Decides as the individual answers; nil for a no of this moment. A once is for the next run.
    public func settle(_ request: UndecidedRequest, _ answer: ConsentAnswer) throws(Diagnostic) -> Grant? {
        let grant = try Runner(host: self).settle(answer, request.description, isKept: true)
        try pending.drop(request.id)
        return grant
    }
}
