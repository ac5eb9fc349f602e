import Glibc

/// Upper bounds for what a value can carry, in bits.
///
/// A bound counts the values that can be told apart after the host has written them out again; it says nothing about
/// how a plugin uses them. People see it rounded up.
public enum Capacity {
    /// "23 bits", where they are few; beyond a kibibyte nobody reads them, so bytes, rounded up: "16 MiB".
    public static func words(_ bits: Int) -> String {
        // A file of n bytes at most is not quite 8n + 1 bits, since its length says something too.
        let bytes = (bits + 6) / 8
        if bytes < 1 << 10 { return bits == 1 ? "1 bit" : "\(bits) bits" }
        return bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\((bytes + 1_048_575) >> 20) MiB"
    }

    /// Unicode has 1 112 064 scalar values.
    static let bitsPerScalar = 20.085

    /// Bits as people see them, rounded up; the last digits of a logarithm are not one bit more.
    static func whole(_ bits: Double) -> Int { Int((bits - 1e-9).rounded(.up)) }

    static func bits(choices: Double) -> Double { choices > 1 ? log2(choices) : 0 }

    static func bits(_ range: ClosedRange<Int64>) -> Double {
        bits(choices: Double(range.upperBound) - Double(range.lowerBound) + 1)
    }

    /// The multiples of the last of some decimals that lie in a range within ±10⁹; nil where there are none.
    static func steps(from low: Double, to high: Double, decimals: Int) -> ClosedRange<Int64>? {
        let scale = pow(10, Double(decimals))
        // 0.57 · 100 is 56.99…, but 57 / 100 is the number that 0.57 is read as: the division decides.
        var first = (low * scale).rounded()
        if first / scale < low { first += 1 }
        var last = (high * scale).rounded()
        if last / scale > high { last -= 1 }
        // Nine decimals of 10⁹ stay below 2⁶³.
        guard first <= last, abs(first) < 9e18, abs(last) < 9e18 else { return nil }
        return Int64(first)...Int64(last)
    }

    /// One of 2^`bits` values, or one more.
    static func bits(orNull bits: Double) -> Double { bits + log1p(exp2(-bits)) / ln2 }

    /// One of 2^`bits` values, all but one of them at one of so many moments: m · (2^`bits` - 1) + 1 in all.
    static func bits(of bits: Double, exceptOneAt moments: Int) -> Double {
        let moments = Double(moments)
        return log2(moments) + bits + log1p(-(1 - 1 / moments) * exp2(-bits)) / ln2
    }

    /// Lists of at most `count` items of 2^`item` values each, in any order: 1 + c + c² + … + cⁿ of them.
    static func bits(listsOf item: Double, upTo count: Int) -> Double {
        let count = Double(count)
        guard item > 0 else { return log2(count + 1) }
        return count * item + (log1p(-exp2(-item * (count + 1))) - log1p(-exp2(-item))) / ln2
    }

    /// The same where the host sorts them, so that only how often each value comes can be told apart: of `c` values and
    /// at most `n` items there are (c + n)! / (c! · n!).
    static func bits(sortedListsOf item: Double, upTo count: Int) -> Double {
        let n = Double(count)
        guard item > 0 else { return log2(n + 1) }
        let (c, isFew) = (exp2(item).rounded(), item < 10)
        if isFew || count <= 1_024 {
            // One factor after the other, of the shorter of the two products.
            if isFew, c < n {
                return (1...Int(c)).reduce(0) { $0 + log2((n + Double($1)) / Double($1)) }
            }
            return (1...count).reduce(0) { sum, i in
                sum + item + log1p(Double(i) * exp2(-item)) / ln2 - log2(Double(i))
            }
        }
        // (c + n)! / (c! · n!) is at most ((c + n) / n)ⁿ · ((c + n) / c)ᶜ, which is close where both are many. The second
        // factor comes to eⁿ where there are far more values than items.
        let part = n * exp2(-item)
        let second = part > 1e-9 ? n * log1p(part) / part : n
        return n * (item - log2(n)) + (n * log1p(part) + second) / ln2
    }

    private static let ln2 = 0.693_147_180_559_945_3
}
