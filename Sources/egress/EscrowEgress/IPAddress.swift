import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable {
    /// In network order: 4 bytes or 16.
    public let bytes: [UInt8]

    /// Takes 4 or 16 bytes in network order; nil for another number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the usual spelling, `192.0.2.1` or `2001:db8::1`. inet_pton(3), which knows none of the octal, hexadecimal
    /// and shortened spellings by which addresses are smuggled past filters.
    public init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: &six) { Array($0) }
        } else {
            return nil
        }
    }

    var isIPv4: Bool { bytes.count == 4 }
}

extension IPAddress: CustomStringConvertible {
    public var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        bytes.withUnsafeBytes { raw in
            _ = inet_ntop(isIPv4 ? AF_INET : AF_INET6, raw.baseAddress, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
