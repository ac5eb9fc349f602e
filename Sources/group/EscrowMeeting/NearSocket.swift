internal import Glibc

/// A TCP connection on the local network; a message is four bytes of length, the greatest first, and that many.
public final class NearSocket: MeetingChannel {
    private let descriptor: Int32

    /// Takes a socket that is connected, and closes it.
    ///
    /// - Parameter seconds: how long the other side may take for an answer.
    public init(_ descriptor: Int32, seconds: Int) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    deinit { close(descriptor) }

    /// Connects to `ADDRESS:PORT`, an IPv4 address; nil where nobody is there.
    ///
    /// - Parameter seconds: how long the other side may take for an answer.
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

    public func send(_ bytes: [UInt8]) throws(MeetingError) {
        let length = UInt32(bytes.count)
        let whole = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + bytes
        var done = 0
        while done < whole.count {
            let count = whole.withUnsafeBytes {
                Glibc.send(
                    descriptor, $0.baseAddress! + done, whole.count - done, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .broken }
            done += count
        }
    }

    public func receive(atMost count: Int) throws(MeetingError) -> [UInt8] {
        let length = try read(4).reduce(0) { $0 << 8 | Int($1) }
        guard length <= count else { throw .malformed }
        return try read(length)
    }

    private func read(_ count: Int) throws(MeetingError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(count, 1 << 16))
        // What was announced is not believed before it came.
        while bytes.count < count {
            let got = recv(descriptor, &piece, min(piece.count, count - bytes.count), 0)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { throw .broken }
            bytes += piece.prefix(got)
        }
        return bytes
    }
}

/// Waits on the local network for one who knows the code.
public final class NearListener {
    private let descriptor: Int32
    /// `ADDRESS:PORT`.
    public let place: String

    /// - Parameter address: an IPv4 address of this machine.
    public init?(_ address: String) {
        guard var name = NearSocket.address(address + ":0") else { return nil }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let bound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 4) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        place = "\(address):\(UInt16(bigEndian: name.sin_port))"
        guard bound else { return nil }
    }

    deinit { close(descriptor) }

    /// The next who comes; nil when nobody does within the seconds.
    public func accept(within seconds: Int32, patience: Int = 30) -> NearSocket? {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, seconds * 1000) > 0 else { return nil }
        let guest = Glibc.accept(descriptor, nil, nil)
        guard guest >= 0 else { return nil }
        _ = fcntl(guest, F_SETFD, FD_CLOEXEC)
        return NearSocket(guest, seconds: patience)
    }

    /// An address of this machine on its network; the loopback's where there is no other.
    public static func localAddress() -> String {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return "127.0.0.1" }
        defer { freeifaddrs(list) }
        var next = list
        while let entry = next?.pointee {
            next = entry.ifa_next
            let flags = Int32(bitPattern: entry.ifa_flags)
            guard let address = entry.ifa_addr, address.pointee.sa_family == sa_family_t(AF_INET),
                flags & Int32(IFF_LOOPBACK) == 0, flags & Int32(IFF_UP) != 0
            else { continue }
            var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
            var name = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_addr }
            inet_ntop(AF_INET, &name, &text, socklen_t(text.count))
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return "127.0.0.1"
    }
}
