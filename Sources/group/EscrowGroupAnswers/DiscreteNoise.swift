internal import Glibc

/// One member's part of noise that is discrete Laplace's once `parts` of them are added:
/// probability (1 − a) / (1 + a) · a^|x|, a = e^(−ε / 2 bound), since an answer can change by twice
/// the bound. A part is the difference of two negative binomial numbers of order 1 / parts
/// (Goryczka and Xiong, 2015). With more parts it is this noise and more.
struct DiscreteNoise {
    /// −ln a: how fast the probability falls.
    let decay: Double
    let parts: Int

    init(_ question: Question) {
        self.init(epsilon: question.epsilon, bound: question.bound, parts: question.honest)
    }

    init(epsilon: Double, bound: Int64, parts: Int) {
        decay = epsilon / (2 * Double(bound))
        self.parts = parts
    }

    /// ln(1 − a), which a itself has not enough digits for where it is near 1.
    private var logarithmOfRest: Double { log(-expm1(-decay)) }

    func part(using random: inout some RandomNumberGenerator) -> Int64 {
        negativeBinomial(using: &random) - negativeBinomial(using: &random)
    }

    /// A Poisson number of logarithmic ones has a negative binomial sum.
    private func negativeBinomial(using random: inout some RandomNumberGenerator) -> Int64 {
        let rate = -logarithmOfRest / Double(parts)
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
        guard first < exp(-decay) else { return 1 }
        let base = -expm1(Self.unit(&random) * logarithmOfRest)
        // A tail that no test sees is cut where numbers would not fit.
        return base <= 0 ? 1 : Int64(min(1 + (log(first) / log(base)).rounded(.down), 1e15))
    }

    /// Above 0 and below 1, in 53 bits.
    private static func unit(_ random: inout some RandomNumberGenerator) -> Double {
        (Double(random.next() >> 11) + 0.5) * 0x1p-53
    }
}
