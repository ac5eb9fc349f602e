import Glibc

/// Upper bounds for what a value can carry, in bits.
///
/// A bound counts the values that can be told apart after the host has written them out again; it says nothing about
/// how a plugin uses them. People see it rounded up.
enum Capacity {
    /// Unicode has 1 112 064 scalar values.
    static let bitsPerScalar = 20.085

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

    /// Numbers from `low` to `high` with `decimals` digits after the point.
    static func bits(from low: Double, to high: Double, decimals: Int) -> Double {
        min(64, bits(choices: (high - low) * pow(10, Double(decimals)) + 1))
    }
}
