import Foundation
import Testing

@testable import EscrowMeeting

/// Who stands at an owner's door: strangers who say nothing, or too little, and one who knows the code.
@Suite("Many come to one door") struct ReceptionTests {
    static let code = "12345678"

    /// Waits in another thread; what came of it.
    final class Waiting {
        let place: String
        private let done = DispatchSemaphore(value: 0)
        private let box = MeetingTests.Box<Result<[UInt8], MeetingError>>()
        private let wrong = MeetingTests.Box<Int>()

        init(within time: Duration, patience: Duration = .seconds(120)) throws {
            nonisolated(unsafe) let listener = try #require(NearListener("127.0.0.1"))
            place = listener.place
            let (done, box, wrong) = (done, box, wrong)
            Thread.detachNewThread {
                let reception = Reception(
                    at: listener, code: ReceptionTests.code, until: .now + time, patience: patience)
                do throws(MeetingError) {
                    box.set(.success(try reception.next().meeting.receive(atMost: 100)))
                } catch {
                    box.set(.failure(error))
                }
                wrong.set(reception.wrong)
                done.signal()
            }
        }

        func result() throws -> (said: Result<[UInt8], MeetingError>, wrong: Int) {
            done.wait()
            return (try #require(box.value), try #require(wrong.value))
        }
    }

    func guest(_ waiting: Waiting) throws -> NearSocket {
        try #require(NearSocket.connect(to: waiting.place, seconds: 120))
    }

    /// The owner speaks first: whoever heard it was let in, and is waited for.
    func silentGuest(_ waiting: Waiting) throws -> NearSocket {
        let guest = try guest(waiting)
        #expect(try guest.receive(atMost: 33).count == 33)
        return guest
    }

    @Test func aSilentGuestKeepsNobodyWaiting() throws {
        let waiting = try Waiting(within: .seconds(120))
        // One begins to speak; more come than are heard at once.
        let first = try silentGuest(waiting)
        try first.send([])
        let others = try (0..<300).map { _ in try silentGuest(waiting) }
        let meeting = try Meeting(.newcomer, over: guest(waiting), code: Self.code)
        try meeting.send([7])
        let (said, wrong) = try waiting.result()
        #expect(try said.get() == [7] && wrong == 0 && others.count == 300)
    }

    @Test func whoSpeaksAByteNowAndThenIsLeftAfterTheirTime() throws {
        let waiting = try Waiting(within: .seconds(120), patience: .milliseconds(300))
        let slow = try silentGuest(waiting)
        let start = ContinuousClock.now
        // A message of 33 bytes was announced; each byte comes in time, and all of them would take half an hour.
        #expect(throws: MeetingError.broken) {
            var byte: UInt8 = 0
            while true {
                guard Glibc.send(slow.descriptor, &byte, 1, Int32(MSG_NOSIGNAL)) == 1 else {
                    throw MeetingError.broken
                }
                slow.limit(to: .now + .milliseconds(20))
                do { _ = try slow.receive(atMost: 1) } catch MeetingError.slow {}
            }
        }
        #expect(ContinuousClock.now - start < .seconds(60))
        let meeting = try Meeting(.newcomer, over: guest(waiting), code: Self.code)
        try meeting.send([7])
        #expect(try waiting.result().said.get() == [7])
    }

    @Test func theDoorIsShutInTimeWhoeverStandsThere() throws {
        let start = ContinuousClock.now
        let waiting = try Waiting(within: .milliseconds(500))
        let silent = try (0..<3).map { _ in try guest(waiting) }
        let (said, wrong) = try waiting.result()
        #expect(throws: MeetingError.nobodyCame) { try said.get() }
        #expect(wrong == 0 && silent.count == 3 && ContinuousClock.now - start < .seconds(60))
    }

    /// Somebody who guesses comes many times at once, and still has three guesses.
    @Test func threeWrongCodesShutItHoweverManyComeAtOnce() throws {
        let waiting = try Waiting(within: .seconds(120))
        let silent = try silentGuest(waiting)
        let guests = try (0..<5).map { _ in (try guest(waiting), try Meeting.exchange(.newcomer, code: "1")) }
        for (socket, exchange) in guests {
            // A proof of another code's key; the last may find the door shut.
            try? socket.send(exchange.message)
            try? socket.send([UInt8](repeating: 1, count: 32))
        }
        let (said, wrong) = try waiting.result()
        #expect(throws: MeetingError.tooManyTries) { try said.get() }
        #expect(wrong == 3)
        #expect(throws: MeetingError.broken) { try silent.receive(atMost: 33) }
    }

    @Test func whoSaysNothingRightUsesUpNoTry() throws {
        let waiting = try Waiting(within: .seconds(120))
        for length in [0, 1, 33, 34, 72] {
            let guest = try silentGuest(waiting)
            // They may be sent away before they said all.
            try? guest.send([UInt8](repeating: 0, count: length))
            if length > 0 { try? guest.send([UInt8](repeating: 0, count: 72)) }
        }
        let meeting = try Meeting(.newcomer, over: guest(waiting), code: Self.code)
        try meeting.send([7])
        let (said, wrong) = try waiting.result()
        #expect(try said.get() == [7] && wrong == 0)
    }

    /// A door where nobody answers says nothing of the code, and the newcomer is told so.
    @Test func aNewcomerWhomNobodyAnswersDidNotTypeAWrongCode() throws {
        let listener = try #require(NearListener("127.0.0.1"))
        let socket = try #require(NearSocket.connect(to: listener.place))
        socket.limit(to: .now + .milliseconds(100))
        #expect(throws: MeetingError.unanswered) {
            _ = try Meeting(.newcomer, over: socket, code: Self.code)
        }
    }
}
