import Foundation
import Synchronization
import TemporaryFolder
import Testing

@testable import EscrowMeeting

@Suite("Two devices meet") struct MeetingTests {
    /// Meets over TCP on loopback: what each side's body gives.
    static func meet<Owner: Sendable, Newcomer>(
        _ codes: (String, String), owner: @escaping @Sendable (Meeting) throws -> Owner,
        newcomer: (Meeting) throws -> Newcomer
    ) throws -> (Result<Owner, any Error>, Result<Newcomer, any Error>) {
        let listener = try #require(NearListener("127.0.0.1"))
        let place = listener.place
        nonisolated(unsafe) let waiting = listener
        let done = DispatchSemaphore(value: 0)
        let box = Box<Result<Owner, any Error>>()
        Thread.detachNewThread {
            let result = Result<Owner, any Error> {
                guard let guest = waiting.accept(within: 120, patience: 120) else {
                    throw MeetingError.broken
                }
                return try owner(Meeting(.owner, over: guest, code: codes.0))
            }
            box.set(result)
            done.signal()
        }
        let theirs = Result<Newcomer, any Error> {
            guard let socket = NearSocket.connect(to: place, seconds: 120) else { throw MeetingError.broken }
            return try newcomer(Meeting(.newcomer, over: socket, code: codes.1))
        }
        done.wait()
        return (try #require(box.value), theirs)
    }

    final class Box<Value: Sendable>: Sendable {
        private let mutex = Mutex<Value?>(nil)
        func set(_ value: Value) { mutex.withLock { $0 = value } }
        var value: Value? { mutex.withLock { $0 } }
    }

    @Test func whoKnowsTheCodeIsHeard() throws {
        let long = [UInt8](repeating: 7, count: 3 << 20)
        let (owner, newcomer) = try Self.meet(("12345678", "1234-5678")) { meeting in
            let bytes = try meeting.receive(atMost: 100)
            try meeting.send(long)
            try meeting.send([1])
            return bytes
        } newcomer: { meeting in
            try meeting.send(Array("it is me".utf8))
            return (try meeting.receive(atMost: 4 << 20), try meeting.receive(atMost: 1))
        }
        #expect(try owner.get() == Array("it is me".utf8))
        #expect(try newcomer.get().0 == long && newcomer.get().1 == [1])
    }

    @Test func whoDoesNotKnowItIsTurnedAway() throws {
        let (owner, newcomer) = try Self.meet(("12345678", "12345679")) { _ in
            true
        } newcomer: { _ in
            true
        }
        #expect(throws: MeetingError.wrongCode) { try owner.get() }
        // The owner shows nothing that a second guess could be tried against.
        #expect(throws: MeetingError.broken) { try newcomer.get() }
    }

    @Test func whatIsLongerThanAllowedIsNotTaken() throws {
        let (owner, _) = try Self.meet(("1", "1")) {
            try $0.receive(atMost: 3)
        } newcomer: {
            try $0.send([1, 2, 3, 4])
        }
        #expect(throws: MeetingError.malformed) { try owner.get() }
    }

    @Test func aCodeIsEightDigits() {
        for _ in 0..<100 {
            let code = Meeting.newCode()
            #expect(code.count == 8 && Meeting.digits(of: code) == Array(code.utf8))
        }
        #expect(NearListener("not an address") == nil)
        #expect(NearSocket.connect(to: "127.0.0.1:x") == nil)
    }

    @Test func aLinkIsWhatAnOwnersCodeSaysAndNothingElse() {
        let link = MeetingLink(place: "192.168.1.5:40123", code: "01234567")
        #expect("\(link)" == "escrow-group://192.168.1.5:40123/01234567")
        #expect(MeetingLink("\(link)") == link)
        for wrong in [
            "", "192.168.1.5:40123", "escrow-group://192.168.1.5:40123", "escrow-group://192.168.1.5:40123/",
            "escrow-group://192.168.1.5:40123/1234567", "escrow-group://192.168.1.5:40123/1234-567",
            "escrow-group://example.org:1/01234567", "escrow-group://192.168.1.5/01234567",
            "escrow-group://192.168.1.5:40123/01234567/", "https://192.168.1.5:40123/01234567",
        ] {
            #expect(MeetingLink(wrong) == nil, "\(wrong)")
        }
    }

    /// The terminal's characters, drawn as points, and read by another's reader.
    @Test func theQRCodeOnATerminalIsReadByZbar() throws {
        let tool = "/usr/bin/zbarimg"
        guard FileManager.default.isExecutableFile(atPath: tool) else {
            return print("SKIP zbarimg is not here: apt-get install zbar-tools")
        }
        for text in [
            "escrow-group://192.168.1.5:40123/12345678", String(repeating: "an introduction ", count: 40),
        ] {
            let picture = try #require(Picture(of: text))
            let rows = picture.lines.flatMap { line -> [[Bool]] in
                let characters = line.filter { " ▄▀█".contains($0) }
                return [
                    characters.map { $0 == " " || $0 == "▄" }, characters.map { $0 == " " || $0 == "▀" },
                ]
            }
            let scale = 4
            let folder = try TemporaryFolder("qr")
            let file = folder.url.appending(path: "code.pbm")
            var image = "P1\n\(rows[0].count * scale) \(rows.count * scale)\n"
            for row in rows {
                let line = row.flatMap { Array(repeating: $0 ? "1" : "0", count: scale) }.joined(
                    separator: " ")
                for _ in 0..<scale { image += line + "\n" }
            }
            try Data(image.utf8).write(to: file)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: tool)
            process.arguments = ["--raw", "-q", file.path]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let read = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            #expect(String(decoding: read, as: UTF8.self) == text + "\n")
        }
        #expect(Picture(of: String(repeating: "x", count: 5000)) == nil)
    }
}
