internal import Glibc

/// Waits on the local network for one who knows the code.
public final class NearListener {
    let descriptor: Int32
    /// `ADDRESS:PORT`.
    public let place: String

    /// - Parameter address: an IPv4 address of this machine.
    public init?(_ address: String) {
        guard var name = NearSocket.address(address + ":0") else { return nil }
        // Who came and went again before they were accepted keeps nobody waiting.
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        descriptor = socket(AF_INET, Int32(kind), 0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let bound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 64) == 0
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
        guard poll(&waiting, 1, Int32(clamping: Int64(seconds) * 1000)) > 0 else { return nil }
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
