/// Which addresses a request may go to: the public internet, never this machine, its network, or a form that could be
/// turned into either on the way.
///
/// Source: the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 and its updates).
public enum AddressPolicy {
    /// Why an address is refused, in two or three words; nil for one of the public internet.
    public static func refusal(of address: IPAddress) -> String? {
        let blocks = address.isIPv4 ? ipv4 : ipv6
        if let block = blocks.first(where: { $0.contains(address) }) { return block.what }
        // Of IPv6 only 2000::/3 has been given out; the rest is refused whatever it will become.
        return address.isIPv4 || address.bytes[0] & 0xE0 == 0x20 ? nil : "an address not given out"
    }

    /// Addresses that share their first bits.
    private struct Block {
        let prefix: [UInt8]
        let bits: Int
        let what: String

        init(_ text: String, _ bits: Int, _ what: String) {
            prefix = IPAddress(text)?.bytes ?? []
            self.bits = bits
            self.what = what
        }

        func contains(_ address: IPAddress) -> Bool {
            guard prefix.count == address.bytes.count else { return false }
            let whole = bits / 8
            guard prefix[..<whole] == address.bytes[..<whole] else { return false }
            let rest = bits % 8
            guard rest > 0 else { return true }
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> rest)
            return prefix[whole] & mask == address.bytes[whole] & mask
        }
    }

    private static let ipv4 = [
        Block("0.0.0.0", 8, "this network"), Block("10.0.0.0", 8, "a private network"),
        Block("100.64.0.0", 10, "a carrier's network"), Block("127.0.0.0", 8, "this machine"),
        Block("169.254.0.0", 16, "a link-local address"), Block("172.16.0.0", 12, "a private network"),
        Block("192.0.0.0", 24, "a protocol assignment"), Block("192.0.2.0", 24, "a documentation address"),
        Block("192.31.196.0", 24, "an anycast sink"), Block("192.52.193.0", 24, "a relay"),
        Block("192.88.99.0", 24, "a 6to4 relay"), Block("192.168.0.0", 16, "a private network"),
        Block("192.175.48.0", 24, "an anycast sink"), Block("198.18.0.0", 15, "a benchmark network"),
        Block("198.51.100.0", 24, "a documentation address"),
        Block("203.0.113.0", 24, "a documentation address"),
        Block("224.0.0.0", 4, "a multicast address"), Block("240.0.0.0", 4, "an address not given out"),
    ]

    private static let ipv6 = [
        Block("::1", 128, "this machine"), Block("::", 96, "an IPv4-compatible address"),
        Block("::ffff:0:0", 96, "an IPv4-mapped address"), Block("64:ff9b::", 96, "a translated address"),
        Block("64:ff9b:1::", 48, "a translated address"), Block("100::", 64, "a discard address"),
        Block("2001::", 23, "a protocol assignment"), Block("2001:db8::", 32, "a documentation address"),
        Block("2002::", 16, "a 6to4 address"), Block("2620:4f:8000::", 48, "an anycast sink"),
        Block("3fff::", 20, "a documentation address"), Block("5f00::", 16, "a segment routing address"),
        Block("fc00::", 7, "a private network"), Block("fe80::", 10, "a link-local address"),
        Block("fec0::", 10, "a site-local address"), Block("ff00::", 8, "a multicast address"),
    ]
}
