import EscrowAppWire
import EscrowConsent
import EscrowFiles
import EscrowJSON
import Testing

@testable import EscrowService

@Suite struct PreferenceTests {
    @Test func whatAnAppPrefersIsBounded() {
        #expect(Preference(nil).patience == 0 && !Preference(nil).isAsync)
        #expect(Preference("respond-async, wait=30").isAsync)
        #expect(Preference("wait=30").patience == 30)
        #expect(Preference("wait=99999").patience == AppService.longestPatience)
        #expect(Preference("wait=-5").patience == 0)
        #expect(Preference("wait=abc, else").patience == 0)
    }

    @Test func aReaderIsWokenByTheNextEventAndCutOffWhenItReadsNothing() {
        let stream = EventStream()
        var waits = 0
        guard case .later = stream.next(100, wake: {}, wait: { waits += 1 }) else {
            Issue.record("there was something to read")
            return
        }
        #expect(waits == 1)
        stream.send("state", ["state": "asking"])
        guard case .bytes(let bytes) = stream.next(1000, wake: {}, wait: {}) else {
            Issue.record("there was nothing to read")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "event: state\ndata: {\"state\":\"asking\"}\n\n")
        for _ in 0..<10_000 { stream.send("state", ["state": "asking"]) }
        guard case .end = stream.next(1000, wake: {}, wait: {}) else {
            Issue.record("a stream that nobody reads goes on")
            return
        }
    }

    @Test func aRunEndsOnceAndTellsEverybody() {
        let run = ServiceRun(app: "org.example.notes", proof: .socket, share: "org.example.notes")
        nonisolated(unsafe) var told = 0
        run.whenEnded { _ in told += 1 }
        run.asks()
        #expect(run.state == .asking)
        run.end(.success(.value("yes", columns: nil)), at: 1)
        run.end(.success(.value("again", columns: nil)), at: 2)
        run.whenEnded { _ in told += 1 }
        #expect(told == 2 && run.state == .done && run.endedAt == 1)
    }

    @Test func aKeyBelongsToOneRequestOfOneApp() {
        let book = RunBook()
        func open(_ app: String, _ request: String) -> RunBook.Opening {
            book.open(
                ServiceRun(app: app, proof: .token, share: app), key: "k", request: Array(request.utf8))
        }
        guard case .new(let first) = open("a.b", "1"), case .known(let again) = open("a.b", "1"),
            case .refused(let refusal) = open("a.b", "2"), case .new = open("c.d", "2")
        else {
            Issue.record("a key was taken for another")
            return
        }
        #expect(first === again && refusal.status == 422)
    }

    @Test func oneAppsOpenRunsLeaveRoomForOthers() {
        let book = RunBook()
        func open(_ app: String) -> RunBook.Opening {
            book.open(ServiceRun(app: app, proof: .token, share: app), key: nil, request: [])
        }
        for _ in 0..<RunBook.mostOpen {
            guard case .new = open("a.b") else {
                Issue.record("refused too early")
                return
            }
        }
        guard case .refused(let refusal) = open("a.b"), case .new = open("c.d") else {
            Issue.record("one app has all the room")
            return
        }
        #expect(refusal.status == 429)
    }

    @Test func ofTheRunsThatEndedTheLastAreKept() {
        let book = RunBook()
        let runs = (0..<RunBook.mostEnded + 3).map { _ in
            ServiceRun(app: "a.b", proof: .token, share: "a.b")
        }
        for (number, run) in runs.enumerated() {
            _ = book.open(run, key: "\(number)", request: [])
            run.end(
                .failure(HostFailure(AppWireError(.tooManyOpen))), at: monotonicNanoseconds() + UInt64(number)
            )
            book.ended(run)
        }
        for (number, run) in runs.enumerated() {
            let isKept = number >= 3
            switch book.open(run, key: "\(number)", request: []) {
            case .known(let known): #expect(isKept && known === run)
            case .new, .refused: #expect(!isKept)
            }
        }
    }

    @Test func whatIsKeptNoLongerIsNotTakenForTheSame() {
        let book = RunBook()
        let old = ServiceRun(app: "a.b", proof: .token, share: "a.b")
        _ = book.open(old, key: "k", request: [])
        let kept = (RunBook.keptSeconds + 1) * 1_000_000_000
        let now = monotonicNanoseconds()
        old.end(.failure(HostFailure(AppWireError(.tooManyOpen))), at: now > kept ? now - kept : 0)
        guard
            case .new = book.open(ServiceRun(app: "a.b", proof: .token, share: "a.b"), key: "k", request: [])
        else {
            Issue.record("an answer of more than ten minutes ago was given again")
            return
        }
    }
}
