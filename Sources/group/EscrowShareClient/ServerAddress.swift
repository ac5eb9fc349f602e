/// Where a share server is, and the key that it is known by: `https://HOST:PORT#sha256//DIGEST`. No authority vouches for it:
/// the digest is of the public key (RFC 7469 section 2.4), as the provider told it to the group's owner.
public struct ServerAddress: Sendable, Hashable, Codable, CustomStringConvertible {
    public let url: String
    public let pin: String

    public init?(_ text: String) {
        let parts = text.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[0].hasPrefix("https://"), parts[1].hasPrefix("sha256//"),
            parts[1].utf8.count == 52, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        let host = parts[0].dropFirst(8)
        guard !host.isEmpty, !host.contains("/"), !host.contains("@"), !host.contains("?") else { return nil }
        (url, pin) = (parts[0], parts[1])
    }

    public var description: String { "\(url)#\(pin)" }
    /// What people call it.
    public var name: String { String(url.dropFirst(8)) }
}
