package import EscrowAppWire
import Glibc

/// Results that come one after the other, as events. WHATWG HTML, section 9.2
extension ServiceCall {
    /// Follows, and hands on each result until the service ends it or the wait is ended. It ends with an error in any case: the one
    /// that the service gave, E1005 where the wait was ended, E1009 where the connection broke.
    package func results(
        _ mode: FollowMode, to socket: String, token: String? = nil, _ body: [UInt8],
        _ take: (AppResult) -> Void
    ) throws(HostFailure) -> Never {
        // In HTTP/1.0 what comes is in no chunks, and ends with the connection.
        var head = "POST /v1/follows/\(mode.rawValue) HTTP/1.0\r\nHost: localhost\r\n"
        if let token {
            guard token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw HostFailure(.badValue) }
            head += "Authorization: Bearer \(token)\r\n"
        }
        head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let end = try exchange(Array(head.utf8) + body, with: socket) {
            (descriptor) throws(HostFailure) in try Self.events(descriptor, take)
        }
        guard !isCancelled else { throw HostFailure(.cancelled) }
        throw end ?? .noService
    }

    /// Reads events to their end; why it ended, nil where there was no answer at all.
    private static func events(
        _ descriptor: Int32, _ take: (AppResult) -> Void
    ) throws(HostFailure) -> HostFailure? {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var isOpen = false
        while bytes.count <= AppWire.answerCap + 65_536 {
            let count = chunk.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, $0.count, 0) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
            if !isOpen, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                // A refusal has a body like any answer's, and is read to its end.
                let status = String(decoding: bytes.prefix(12), as: UTF8.self).split(separator: " ").last
                guard status == "200" else { continue }
                isOpen = true
                bytes.removeFirst(end.upperBound)
            }
            while isOpen, let end = bytes.firstRange(of: [0x0A, 0x0A]) {
                let event = Array(bytes[..<end.lowerBound])
                bytes.removeFirst(end.upperBound)
                do throws(AppWireError) {
                    if let failure = try ServiceEvent(event).handed(to: take) { return failure }
                } catch { throw HostFailure(error) }
            }
        }
        if isOpen { return HostFailure(.hostEnded) }
        guard let answer = answer(bytes) else { return nil }
        do throws(AppWireError) { return try HostFailure.read(problem: answer.body) } catch {
            throw HostFailure(error)
        }
    }
}

/// One event: a result, or why there is no further one.
private struct ServiceEvent {
    private let name: String
    private let data: [UInt8]

    init(_ lines: [UInt8]) throws(AppWireError) {
        let parts = lines.split(separator: 0x0A)
        guard parts.count == 2, parts[0].starts(with: Array("event: ".utf8)),
            parts[1].starts(with: Array("data: ".utf8))
        else { throw AppWireError(.wrongShape) }
        name = String(decoding: parts[0].dropFirst(7), as: UTF8.self)
        data = Array(parts[1].dropFirst(6))
    }

    func handed(to take: (AppResult) -> Void) throws(AppWireError) -> HostFailure? {
        guard name == "result" else { return try HostFailure.read(problem: data) }
        take(try AppResult.read(data))
        return nil
    }
}
