public import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
import EscrowManifest

/// A request that waits until the individual picks what it is for.
public struct PickRequest: Sendable {
    /// `q-` and digits.
    public let id: String
    /// Since when, RFC 3339 UTC.
    public let since: String
    /// The dataflow, which is decided already.
    public let description: DataflowDescription
    /// The most that may be picked.
    public let most: Int
    let request: RunRequest
}

extension Host {
    var picks: PickBook { PickBook(home: home.path) }

    /// What waits to be picked for, the oldest first. What is not allowed any more is dropped.
    public func pickRequests() throws(Diagnostic) -> [PickRequest] {
        let runner = Runner(host: self)
        var requests: [PickRequest] = []
        for entry in try picks.waiting() {
            if let plan = try? runner.plan(entry.request), let rule = plan.pick,
                plan.decision.state == .authorized || plan.decision.state == .limited
            {
                requests.append(
                    PickRequest(
                        id: entry.id, since: entry.since, description: plan.description, most: rule.most,
                        request: entry.request))
            } else {
                try picks.drop(entry.id)
            }
        }
        return requests
    }

    /// The one of an id. E1120.
    public func pickRequest(_ id: String) throws(Diagnostic) -> PickRequest {
        guard let request = try pickRequests().first(where: { $0.id == id }) else {
            throw Diagnostic(
                .nothingWaits, "nothing waits to be picked for under that id",
                help: "see what does: escrow pending")
        }
        return request
    }

    /// How many wait: cheap to ask often.
    public func pickCount() throws(Diagnostic) -> Int { try picks.waiting().count }

    /// The rows that one picks from, as they are now, for the individual's eyes: nobody else is given any, and no record of it is kept.
    public func rows(of request: PickRequest) throws(Diagnostic) -> PickList {
        try Runner(host: self).pickList(request.request)
    }

    /// The individual picks rows, by their marks: the next such run is for these, within ten minutes.
    public func pick(_ marks: Set<String>, for request: PickRequest) throws(Diagnostic) {
        guard (1...request.most).contains(marks.count) else {
            throw Diagnostic(.answerUnclear, "pick one at least, and \(request.most) at most")
        }
        try picks.settle(request.id, marks)
    }

    /// The individual picks nothing: who waits for it is told so.
    public func pickNothing(for request: PickRequest) throws(Diagnostic) { try picks.drop(request.id) }

    /// Whether a request is kept until the individual picks for it, or has what they picked.
    package func isKeptToPick(_ request: RunRequest) -> Bool { picks.isKept(request) }

    /// Whether they picked for it.
    package func isPicked(_ request: RunRequest) -> Bool { (try? picks.isPicked(request)) == true }
}
