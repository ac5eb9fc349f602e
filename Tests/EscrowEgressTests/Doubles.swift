import EscrowDiagnostics
import EscrowEgress
import EscrowManifest

/// Answers look-ups as a test says, one answer after the other, the last one for ever.
final class ScriptedResolver: Resolver, @unchecked Sendable {
    private var answers: [[String]]
    private(set) var asked: [String] = []

    init(_ answers: [String]...) { self.answers = answers }

    func addresses(of host: String) -> [IPAddress] {
        asked.append(host)
        let answer = answers.count > 1 ? answers.removeFirst() : answers.first ?? []
        return answer.compactMap { IPAddress($0) }
    }
}

/// Keeps what it should send, and answers that all is well.
final class RecordingTransport: Transport, @unchecked Sendable {
    private(set) var sent: [(bytes: [UInt8], destination: Destination)] = []
    private(set) var closed = 0
    /// How long each exchange might take.
    private(set) var patience: [Double] = []
    var before: () -> Void = {}
    /// Bodies, one after the other; then empty ones.
    var answers: [String] = []
    /// Which exchanges fail, counted from 0.
    var failing: Set<Int> = []
    /// Whether each had a connection of its own.
    private(set) var unlinkable: [Bool] = []

    func exchange(
        _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        patience.append(limits.patience.whole)
        before()
        sent.append((request.bytes, destination))
        unlinkable.append(limits.isUnlinkable)
        guard !failing.contains(sent.count - 1) else { throw .closed }
        let body = answers.isEmpty ? "" : answers.removeFirst()
        return IncomingResponse(status: 200, body: Array(body.utf8), mediaType: "application/json")
    }

    func cancel() {}
    func close() { closed += 1 }
}

/// Time that passes only where somebody waits or the test says so.
final class TestClock: RunClock, @unchecked Sendable {
    var seconds = 1_000.0

    func wait(until seconds: Double) { self.seconds = max(self.seconds, seconds) }
    func cancel() {}
}

/// Says yes unless it is told otherwise, and keeps the order of what it was asked.
final class ScriptedRecorder: EgressRecorder {
    var events: [String] = []
    /// What each record says of a place.
    var places: [SentPlace?] = []
    var refusal: EgressRefusal?
    var failure: Diagnostic?
    var endFailure: Diagnostic?
    /// What is asked before each further one of requests that leave together.
    var standing: (PreparedRequest) throws(Diagnostic) -> EgressRefusal? = { (_) throws(Diagnostic) in nil }

    func admit(_ requests: [PreparedRequest]) -> EgressRefusal? {
        events.append(requests.count == 1 ? "admit" : "admit \(requests.count)")
        return refusal
    }

    func recheck(_ request: PreparedRequest) throws(Diagnostic) -> EgressRefusal? { try standing(request) }

    func recordSending(_ sending: Sending) throws(Diagnostic) -> String {
        events.append("record")
        places.append(sending.place)
        if let failure { throw failure }
        return "1"
    }

    func recordEnd(
        of id: String, _ end: Result<IncomingResponse, EgressRefusal>
    ) throws(Diagnostic) {
        events.append("end")
        if let endFailure { throw endFailure }
    }

    func recordRefusal(of endpoint: EgressEndpoint?, _ refusal: EgressRefusal) {
        events.append("refused \(refusal.diagnostic.code.rawValue)")
    }
}
