import EscrowAppWire
import EscrowConsent
import EscrowDiagnostics
import EscrowHost
import EscrowJSON
import Synchronization

/// A run of an app's, from its request to its answer.
final class ServiceRun: Sendable {
    /// How far it is, as far as its app is told.
    enum State: String, Sendable {
        /// It was taken.
        case accepted
        /// The individual is asked.
        case asking
        /// It ended, with a result or without.
        case done
        case failed
    }

    let id: String
    let app: String
    let proof: AppProof
    let seat: Seat
    private let progress = Mutex(Progress())

    private struct Progress {
        var state = State.accepted
        var outcome: Result<AppResult, HostFailure>?
        var endedAt: UInt64?
        var size = 0
        var waiting: [@Sendable (Result<AppResult, HostFailure>) -> Void] = []
        var streams: [EventStream] = []
    }

    convenience init(app: String, proof: AppProof, share: String) {
        self.init(app: app, proof: proof, payer: Payer(share: share, isProved: proof > .claim))
    }

    init(app: String, proof: AppProof, payer: Payer) {
        var generator = SystemRandomNumberGenerator()
        let words = [generator.next(), generator.next()].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        id = "s-" + words.joined()
        self.app = app
        self.proof = proof
        seat = Seat(payer)
    }

    var payer: Payer { seat.payer }
    var cancellation: Runner.Cancellation { seat.cancellation }

    var outcome: Result<AppResult, HostFailure>? { progress.withLock { $0.outcome } }
    /// When it ended, of the monotonic clock.
    var endedAt: UInt64? { progress.withLock { $0.endedAt } }
    /// About how many bytes its result takes; 0 where there is none.
    var size: Int { progress.withLock { $0.size } }
    /// Whether nothing is done for it until the individual answers.
    var onlyWaits: Bool { state == .asking && outcome == nil && !cancellation.hasReadData }

    /// The individual is asked now.
    func asks() {
        let streams = progress.withLock { progress in
            guard progress.state == .accepted else { return [EventStream]() }
            progress.state = .asking
            return progress.streams
        }
        for stream in streams { stream.send("state", ["state": "asking"]) }
    }

    /// It ended; the first end counts.
    func end(_ outcome: Result<AppResult, HostFailure>, at now: UInt64) {
        let size = (try? outcome.get())?.size ?? 0
        let (waiting, streams) = progress.withLock { progress in
            guard progress.outcome == nil else {
                return ([@Sendable (Result<AppResult, HostFailure>) -> Void](), [EventStream]())
            }
            if case .success = outcome { progress.state = .done } else { progress.state = .failed }
            progress.outcome = outcome
            progress.endedAt = now
            progress.size = size
            defer { (progress.waiting, progress.streams) = ([], []) }
            return (progress.waiting, progress.streams)
        }
        waiting.forEach { $0(outcome) }
        for stream in streams {
            stream.send("state", ["state": .string(state.rawValue)])
            stream.finish()
        }
    }

    /// What is called with its end, now where it ended.
    func whenEnded(_ body: @escaping @Sendable (Result<AppResult, HostFailure>) -> Void) {
        let outcome = progress.withLock { progress in
            if progress.outcome == nil { progress.waiting.append(body) }
            return progress.outcome
        }
        if let outcome { body(outcome) }
    }

    /// Tells a client how far it is, at once and whenever that changes.
    func tell(_ stream: EventStream) {
        let state = progress.withLock { progress in
            if progress.outcome == nil { progress.streams.append(stream) }
            return progress.state
        }
        stream.send("state", ["state": .string(state.rawValue)])
        if state == .done || state == .failed { stream.finish() }
    }

    var state: State { progress.withLock { $0.state } }

    /// The resource.
    var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("state", .string(state.rawValue)),
        ]
        switch outcome {
        case .success(let result)?:
            if let json = try? result.json { members.append(("result", json)) }
        case .failure(let failure)?: members.append(("error", failure.json))
        case nil: break
        }
        return .object(members)
    }
}

extension AppResult {
    /// About how many bytes it takes while it is kept.
    fileprivate var size: Int {
        switch self {
        case .value(let value, let columns):
            (columns ?? []).reduce(value.size) { $0 + 16 + $1.utf8.count }
        case .bytes(let bytes, _): bytes.count
        }
    }
}

extension JSONValue {
    /// Each value is an object of its own in memory, which is more than it takes when spelled out.
    fileprivate var size: Int {
        switch self {
        case .null, .bool, .integer, .real: 32
        case .string(let text): 48 + text.utf8.count
        case .array(let items): items.reduce(64) { $0 + 8 + $1.size }
        case .object(let members): members.reduce(64) { $0 + 32 + $1.name.utf8.count + $1.value.size }
        }
    }
}
