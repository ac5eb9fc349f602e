import Glibc

/// Turns a host name into addresses, once for each request.
public protocol Resolver: Sendable {
    /// All addresses of a name; empty where it has none. `host` is a constant of a manifest, so the query carries no data.
    func addresses(of host: String) -> [IPAddress]
}

/// Asks the hosts file, and then the system, for the name as absolute: with the dot at its end that keeps every search
/// list out. Otherwise `search` and `ndots` of `/etc/resolv.conf`, or `LOCALDOMAIN` and `RES_OPTIONS` of the environment,
/// would make an allowed name resolve in a domain of somebody else's.
public struct SystemResolver: Resolver {
    private let hosts: HostsFile
    private let ask: @Sendable (String) -> [IPAddress]

    /// Makes it.
    public init() { self.init(hosts: .system, ask: Self.ask) }

    init(hosts: HostsFile, ask: @escaping @Sendable (String) -> [IPAddress]) {
        self.hosts = hosts
        self.ask = ask
    }

    public func addresses(of host: String) -> [IPAddress] {
        let known = hosts.addresses(of: host)
        return known.isEmpty ? ask(host + ".") : known
    }

    /// getaddrinfo(3)
    private static func ask(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let raw = UnsafeRawPointer(entry.ai_addr), let address = address(entry.ai_family, raw),
                !found.contains(address)
            {
                found.append(address)
            }
            next = entry.ai_next
        }
        return found
    }

    private static func address(_ family: Int32, _ raw: UnsafeRawPointer) -> IPAddress? {
        switch family {
        case AF_INET:
            var part = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return IPAddress(bytes: withUnsafeBytes(of: &part) { Array($0) })
        case AF_INET6:
            var part = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return IPAddress(bytes: withUnsafeBytes(of: &part) { Array($0) })
        default: return nil
        }
    }
}
