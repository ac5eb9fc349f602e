/// Arithmetic modulo 2⁶¹ − 1, in which members' values are added while they are masked.
enum Residues {
    static let modulus: UInt64 = (1 << 61) - 1

    static func sum(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let sum = left + right
        return sum >= modulus ? sum - modulus : sum
    }

    static func difference(_ left: UInt64, _ right: UInt64) -> UInt64 {
        left >= right ? left - right : left + modulus - right
    }

    /// A whole number as a residue; what is below zero lies in the upper half.
    static func of(_ value: Int64) -> UInt64 {
        let rest = UInt64(value.magnitude % modulus)
        return value < 0 && rest > 0 ? modulus - rest : rest
    }

    /// The whole number nearest to zero that has this residue.
    static func value(of residue: UInt64) -> Int64 {
        residue > modulus / 2 ? -Int64(modulus - residue) : Int64(residue)
    }
}
