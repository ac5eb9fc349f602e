/// A hash under a secret key, for pseudonyms and samples: without the key a list of all phone numbers does not undo it. The
/// host makes it with HMAC-SHA-256 and a key for one app and one publisher (docs/spec/minimisation.md).
public struct KeyedHash: Sendable {
    /// What a hash is for. Each use hashes the same bytes to another value, so that no use helps to look another up.
    public enum Use: UInt8, Sendable {
        /// `hash(c, per-app)`.
        case pseudonym = 1
        /// `sample(p)`.
        case record = 2
        /// `sample(p, person)`.
        case person = 3
        /// `aggregate(n)`: whether rows are alike.
        case group = 4
        /// `pseudonym()` in a query.
        case queryPseudonym = 5
        /// `in_sample()` in a query.
        case querySample = 6
    }

    private static let digits = Array("0123456789abcdef".utf8)
    /// The hash of a whole message, whatever it is for.
    public let digest: @Sendable (UnsafeRawBufferPointer) -> Value

    /// The first 128 bits of a hash.
    public struct Value: Sendable, Hashable {
        public let high: UInt64
        public let low: UInt64

        public init(high: UInt64, low: UInt64) {
            self.high = high
            self.low = low
        }
    }

    /// Takes a function of bytes: HMAC-SHA-256 under a secret key, cut to 128 bits.
    public init(_ digest: @escaping @Sendable (UnsafeRawBufferPointer) -> Value) { self.digest = digest }

    public func value(_ use: Use, _ bytes: some Collection<UInt8>) -> Value {
        var message: [UInt8] = []
        message.reserveCapacity(bytes.count + 1)
        message.append(use.rawValue)
        message.append(contentsOf: bytes)
        return message.withUnsafeBytes(digest)
    }

    /// Whether something is among so many in a million; what is in a sample is in every larger one as well.
    public func isSampled(_ use: Use, _ key: some Collection<UInt8>, perMillion: Int) -> Bool {
        // A millionth of all values is about 1.8e13 of them: the rounding does not matter.
        value(use, key).high / 1_000_000 < UInt64(max(perMillion, 0)) * (UInt64.max / 1_000_000) / 1_000_000
    }

    /// The pseudonym of a text: 16 lower-case hexadecimal digits.
    public func pseudonym(_ use: Use, text: some Collection<UInt8>) -> [UInt8] {
        let bits = value(use, text).high
        return (0..<16).map { Self.digits[Int(bits >> UInt64(60 - 4 * $0) & 15)] }
    }

    /// The pseudonym of a whole number: from 0 to 2^53 − 1, which every language reads exactly.
    public func pseudonym(_ use: Use, integer: Int64) -> Int64 {
        let bytes = withUnsafeBytes(of: integer.bigEndian) { [0xFF] + Array($0) }
        return Int64(value(use, bytes).high >> 11)
    }
}
