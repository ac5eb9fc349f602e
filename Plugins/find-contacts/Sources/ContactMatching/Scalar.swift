/// A factor of points of P-256: a whole number modulo the order of the group, which is prime.
///
/// swift-crypto multiplies points and gives out no inverse of a factor, so the two operations that one needs are here. Each run
/// takes one inverse; all that touches a point is the library's.
struct Scalar {
    /// The lowest 64 bits first.
    private typealias Limbs = InlineArray<4, UInt64>
    private var limbs: Limbs

    /// FIPS 186-5 and SP 800-186, section 3.2.1.3: n of P-256.
    private static let order: Limbs = [
        0xf3b9_cac2_fc63_2551, 0xbce6_faad_a717_9e84, 0xffff_ffff_ffff_ffff, 0xffff_ffff_0000_0000,
    ]
    private static let zero: Limbs = [0, 0, 0, 0]
    static let one = Scalar(limbs: [1, 0, 0, 0])

    private init(limbs: Limbs) { self.limbs = limbs }

    /// 32 bytes, the highest first; nil for what is no such number below the order.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        limbs = Self.zero
        for (place, byte) in bytes.enumerated() {
            limbs[3 - place / 8] |= UInt64(byte) << UInt64(56 - place % 8 * 8)
        }
        guard Self.difference(limbs, Self.order).isBelow else { return nil }
    }

    /// 32 bytes, the highest first.
    var bytes: [UInt8] {
        (0..<32).map { UInt8(truncatingIfNeeded: limbs[3 - $0 / 8] >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// What this must be multiplied by to make one, by Fermat's little theorem: this to the power of the order less two. No step
    /// depends on its value.
    var inverse: Scalar {
        var exponent = Self.order
        exponent[0] -= 2
        var power = Scalar.one
        for bit in (0..<256).reversed() {
            power = power.times(power)
            if exponent[bit / 64] >> UInt64(bit % 64) & 1 == 1 { power = power.times(self) }
        }
        return power
    }

    /// The product: for each bit of the other the sum doubles, and this is added or, for a 0, nothing.
    func times(_ other: Scalar) -> Scalar {
        var sum = Scalar(limbs: Self.zero)
        for bit in (0..<256).reversed() {
            sum = sum.plus(sum)
            let mask = 0 &- (other.limbs[bit / 64] >> UInt64(bit % 64) & 1)
            sum = sum.plus(
                Scalar(limbs: [limbs[0] & mask, limbs[1] & mask, limbs[2] & mask, limbs[3] & mask]))
        }
        return sum
    }

    private func plus(_ other: Scalar) -> Scalar {
        var sum = Self.zero
        var carry: UInt64 = 0
        for place in 0..<4 {
            let (first, one) = limbs[place].addingReportingOverflow(other.limbs[place])
            let (second, two) = first.addingReportingOverflow(carry)
            sum[place] = second
            carry = one || two ? 1 : 0
        }
        // Below twice the order, so that it is taken off once, or not.
        let (rest, isBelow) = Self.difference(sum, Self.order)
        let mask: UInt64 = isBelow && carry == 0 ? .max : 0
        var chosen = Self.zero
        for place in 0..<4 { chosen[place] = sum[place] & mask | rest[place] & ~mask }
        return Scalar(limbs: chosen)
    }

    /// The difference modulo 2²⁵⁶, and whether the first was the lesser.
    private static func difference(_ one: Limbs, _ other: Limbs) -> (limbs: Limbs, isBelow: Bool) {
        var limbs = zero
        var borrow: UInt64 = 0
        for place in 0..<4 {
            let (first, below) = one[place].subtractingReportingOverflow(other[place])
            let (second, again) = first.subtractingReportingOverflow(borrow)
            limbs[place] = second
            borrow = below || again ? 1 : 0
        }
        return (limbs, borrow == 1)
    }
}
