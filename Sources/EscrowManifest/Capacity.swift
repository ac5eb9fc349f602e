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

    /// Numbers from `low` to `high` with `decimals` digits after the point.
    static func bits(from low: Double, to high: Double, decimals: Int) -> Double {
        min(64, bits(choices: (high - low) * pow(10, Double(decimals)) + 1))
    }
}
