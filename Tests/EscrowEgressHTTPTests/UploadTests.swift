import EscrowEgress
import EscrowEgressHTTP
import Foundation
import Glibc
import Testing

@Suite(
    "A file is sent as it is read, and a server that does not want it stops nobody", .timeLimit(.minutes(60)))
struct UploadTests {
    /// So many bytes, of which each tells its place.
    final class Counting: RequestFile {
        let size: Int
        let mediaType = "image/jpeg"
        /// Where it is cut, as a file that was overwritten.
        let end: Int
        private(set) var given = 0
        private(set) var largest = 0

        init(_ size: Int, cutAt end: Int? = nil) {
            self.size = size
            self.end = end ?? size
        }

        static func byte(_ place: Int) -> UInt8 { UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8) }

        func read(_ count: Int) -> [UInt8]? {
            let piece = (given..<min(end, given + count)).map(Self.byte)
            given += piece.count
            largest = max(largest, piece.count)
            return piece
        }
    }

    func upload(_ file: Counting, to server: Listener, tail: String = "") throws -> Result<
        IncomingResponse, TransportFailure
    > {
        let transport = try HTTPTransport()
        defer { transport.close() }
        let request = OutgoingRequest(
            method: "PUT", host: "cloud.example.org", target: "/a",
            headers: [.init(name: "Content-Length", value: String(file.size + tail.utf8.count))], body: nil,
            payload: .init(size: file.size, mediaType: file.mediaType, tail: Array(tail.utf8)))
        let destination = Destination(
            host: "cloud.example.org", address: try #require(IPAddress("127.0.0.1")), port: server.port,
            isPlain: true)
        let limits = ExchangeLimits(
            mediaType: "text/html", maxBytes: 100, isUnlinkable: false,
            patience: Patience(connect: 60, read: 60, whole: 600))
        do throws(TransportFailure) {
            return .success(try transport.exchange(request, file: file, with: destination, limits: limits))
        } catch {
            return .failure(error)
        }
    }

    /// Takes one connection: what came after the head, until so many bytes, and then answers.
    func serve(_ server: Listener, bytes: Int, answer: String) -> () -> [UInt8] {
        nonisolated(unsafe) var body: [UInt8] = []
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            let connection = server.accept()
            var all: [UInt8] = []
            var head: Int?
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while head.map({ all.count - $0 < bytes }) ?? true {
                let count = Glibc.read(connection, &buffer, buffer.count)
                guard count > 0 else { break }
                all += buffer.prefix(count)
                if head == nil, let end = all.firstRange(of: Array("\r\n\r\n".utf8)) { head = end.upperBound }
            }
            body = Array(all.dropFirst(head ?? all.count))
            _ = Array(answer.utf8).withUnsafeBytes { Glibc.write(connection, $0.baseAddress, $0.count) }
            close(connection)
            done.signal()
        }
        return {
            done.wait()
            return body
        }
    }

    @Test("Every byte arrives in its place, and no more than a piece is held")
    func whole() throws {
        let server = try Listener()
        let file = Counting(5_000_001)
        let received = serve(
            server, bytes: 5_000_005, answer: "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
        let end = try upload(file, to: server, tail: "\r\n--")
        #expect(try end.get().status == 201)
        let body = received()
        #expect(body.count == 5_000_005)
        #expect(body.prefix(5_000_001).enumerated().allSatisfy { $1 == Counting.byte($0) })
        #expect(body.suffix(4) == Array("\r\n--".utf8)[...])
        #expect(file.largest <= 1 << 16)
    }

    @Test("One that closes in the middle ends the request, not the host")
    func refused() throws {
        let server = try Listener()
        _ = serve(server, bytes: 1, answer: "HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n")
        let end = try upload(Counting(20_000_000), to: server)
        switch end {
        case .success(let response): #expect(response.status == 413)
        case .failure(let failure): #expect(failure == .closed)
        }
    }

    @Test("A file that became shorter is never sent as if it were whole")
    func shorter() throws {
        let server = try Listener()
        let received = serve(
            server, bytes: 200_000, answer: "HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n")
        let end = try upload(Counting(200_000, cutAt: 150_000), to: server)
        guard case .failure(let failure) = end else {
            Issue.record("a file that was cut was taken for whole")
            return
        }
        #expect(failure == .file)
        #expect(received().count <= 150_000)
    }
}
