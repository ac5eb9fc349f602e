internal import Glibc

/// A TCP connection on the local network; a message is four bytes of length, the greatest first, and that many.
public final class NearSocket: MeetingChannel {
    let descriptor: Int32
    /// How long the other side may take for each piece of an answer.
    private let patience: Duration
    /// When all must be done: pieces that come now and then do not put it off.
    private var end: ContinuousClock.Instant?
    /// What was read before it was asked for.
    private var early: [UInt8] = []

    /// Takes a socket that is connected, and closes it.
    ///
    /// - Parameter seconds: how long the other side may take for a piece of an answer.
    public init(_ descriptor: Int32, seconds: Int) {
        self.descriptor = descriptor
        patience = .seconds(seconds)
        // How long connect(2) may take, which asks nobody to do anything.
        var limit = timeval(tv_sec: min(seconds, 30), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// From now on everything is to be done by then; nil for no such time.
    public func limit(to end: ContinuousClock.Instant?) { self.end = end }

    /// Connects to `ADDRESS:PORT`, an IPv4 address; nil where nobody is there.
    ///
    /// - Parameter seconds: how long the other side may take for a piece of an answer.
    public static func connect(to place: String, seconds: Int = 30) -> NearSocket? {
        guard var address = address(place) else { return nil }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        let near = NearSocket(descriptor, seconds: seconds)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return result == 0 ? near : nil
    }

    static func address(_ place: String) -> sockaddr_in? {
        let parts = place.split(separator: ":", omittingEmptySubsequences: false)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        guard parts.count == 2, let port = UInt16(parts[1]),
            inet_pton(AF_INET, String(parts[0]), &address.sin_addr) == 1
        else { return nil }
        address.sin_port = port.bigEndian
        return address
    }

    // MARK: Messages

    public func send(_ bytes: [UInt8]) throws(MeetingError) {
        let length = UInt32(bytes.count)
        let whole = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + bytes
        var done = 0
        while done < whole.count {
            try wait(for: POLLOUT)
            let count = whole.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + done, whole.count - done,
                    Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
            }
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { throw .broken }
            done += count
        }
    }

    public func receive(atMost count: Int) throws(MeetingError) -> [UInt8] {
        let length = try read(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= count else { throw .malformed }
        return try read(length)
    }

    /// Takes what is there, without waiting, until so many bytes came that nobody asked for yet; whether they did.
    func holds(_ count: Int) throws(MeetingError) -> Bool {
        while early.count < count, let piece = try take(count - early.count) { early += piece }
        return early.count >= count
    }

    private func read(_ count: Int) throws(MeetingError) -> [UInt8] {
        var bytes = Array(early.prefix(count))
        early.removeFirst(bytes.count)
        // What was announced is not believed before it came.
        while bytes.count < count {
            try wait(for: POLLIN)
            if let piece = try take(min(1 << 16, count - bytes.count)) { bytes += piece }
        }
        return bytes
    }

    /// A piece of what came; nil when nothing did.
    private func take(_ count: Int) throws(MeetingError) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: count)
        let got = recv(descriptor, &piece, count, Int32(MSG_DONTWAIT))
        if got < 0, errno == EINTR || errno == EAGAIN { return nil }
        guard got > 0 else { throw .broken }
        return Array(piece.prefix(got))
    }

    private func wait(for events: Int32) throws(MeetingError) {
        let last = ContinuousClock.now + patience
        let until = min(last, end ?? last)
        var waiting = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        while true {
            let found = poll(&waiting, 1, until.milliseconds)
            if found > 0 { return }
            guard found < 0, errno == EINTR else { throw .slow }
        }
    }
}

extension ContinuousClock.Instant {
    /// How long it is until then, for poll(2): 0 from then on, and never less than a millisecond before.
    var milliseconds: Int32 {
        let (seconds, rest) = ContinuousClock.now.duration(to: self).components
        guard seconds > 0 || seconds == 0 && rest > 0 else { return 0 }
        // One call waits for a day at most; whoever calls looks at the clock again.
        return Int32(min(seconds, 86_400) * 1000 + rest / 1_000_000_000_000_000 + 1)
    }
}
