public import EscrowJSON
import Glibc

/// One end of the pair of sockets between the host and `escrow-egress`: lines of JSON, and the bytes that they announce.
/// One thread uses it.
public struct MessageSocket {
    /// The descriptor; whoever made it closes it.
    public let descriptor: Int32
    private var buffer: [UInt8] = []

    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Sends a line and its bytes. A peer that does not read is waited for.
    public func send(_ line: JSONValue, _ bytes: [UInt8] = []) throws(WireFault) {
        try write(JSONWriter.line(line) + [0x0A] + bytes)
    }

    /// Sends bytes that a line announced.
    public func send(_ bytes: [UInt8]) throws(WireFault) { try write(bytes) }

    private func write(_ bytes: [UInt8]) throws(WireFault) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { raw in
                Glibc.send(
                    descriptor, raw.baseAddress! + start, raw.count - start, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .ended }
            start += count
        }
    }

    /// The next line, without its line feed; nil where the other side has ended in between two messages.
    public mutating func line(atMost longest: Int, within seconds: Double?) throws(WireFault) -> [UInt8]? {
        let end = Self.moment(after: seconds)
        while true {
            if let feed = buffer.firstIndex(of: 0x0A) {
                guard feed <= longest else { throw .wrong }
                defer { buffer.removeSubrange(...feed) }
                return Array(buffer[..<feed])
            }
            guard buffer.count <= longest else { throw .wrong }
            guard try fill(until: end) else {
                guard buffer.isEmpty else { throw .ended }
                return nil
            }
        }
    }

    public mutating func bytes(_ count: Int, within seconds: Double?) throws(WireFault) -> [UInt8] {
        let end = Self.moment(after: seconds)
        while buffer.count < count {
            guard try fill(until: end) else { throw .ended }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer.prefix(count))
    }

    /// The next bytes that have come, at least one and at most so many.
    public mutating func some(atMost count: Int, within seconds: Double?) throws(WireFault) -> [UInt8] {
        if buffer.isEmpty, try !fill(until: Self.moment(after: seconds)) { throw .ended }
        defer { buffer.removeFirst(min(count, buffer.count)) }
        return Array(buffer.prefix(count))
    }

    /// Reads what is there; false at the end.
    private mutating func fill(until end: Double?) throws(WireFault) -> Bool {
        while true {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = end.map { Int32(clamping: Int((($0 - Self.now) * 1000).rounded(.up))) } ?? -1
            guard end == nil || left > 0 else { throw .late }
            let ready = poll(&waiting, 1, left)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                if ready == 0 { continue }
                throw .ended
            }
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return false }
            buffer += piece.prefix(count)
            return count > 0
        }
    }

    private static func moment(after seconds: Double?) -> Double? { seconds.map { now + $0 } }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
