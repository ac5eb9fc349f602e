internal import Glibc

/// One member's part of noise that is discrete Laplace's once `members` parts are added:
/// probability (1 − a) / (1 + a) · a^|x|, a = e^(−ε / bound). A part is the difference of two
/// negative binomial numbers of order 1 / members (Goryczka and Xiong, 2015), so no member, and
/// nobody who adds fewer parts, knows the noise of all.
struct DiscreteNoise {
    /// a: how slowly the probability falls.
    let ratio: Double
    let members: Int

    init(epsilon: Double, bound: Int64, members: Int) {
        ratio = exp(-epsilon / Double(bound))
        self.members = members
    }

    func part(using random: inout some RandomNumberGenerator) -> Int64 {
        negativeBinomial(using: &random) - negativeBinomial(using: &random)
    }

    /// A Poisson number of logarithmic ones has a negative binomial sum.
    private func negativeBinomial(using random: inout some RandomNumberGenerator) -> Int64 {
        let rate = -log1p(-ratio) / Double(members)
        let limit = exp(-rate)
        var sum: Int64 = 0
        var product = Self.unit(&random)
        while product > limit {
            sum += logarithmic(using: &random)
            product *= Self.unit(&random)
        }
        return sum
    }

    /// Kemp's generator of the logarithmic distribution (1981).
    private func logarithmic(using random: inout some RandomNumberGenerator) -> Int64 {
        let first = Self.unit(&random)
        guard first < ratio else { return 1 }
        let base = -expm1(Self.unit(&random) * log1p(-ratio))
        // A tail that no test sees is cut where numbers would not fit.
        return base <= 0 ? 1 : Int64(min(1 + (log(first) / log(base)).rounded(.down), 1e15))
    }

    /// Above 0 and below 1, in 53 bits.
    private static func unit(_ random: inout some RandomNumberGenerator) -> Double {
        (Double(random.next() >> 11) + 0.5) * 0x1p-53
    }
}
