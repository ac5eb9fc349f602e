/// Which rows of a table are served at all.
public struct RowRules: Sendable, Hashable {
    /// `sample(0.1)`: how many records in a million are served, each drawn on its own.
    public var recordsPerMillion: Int?
    /// `sample(0.1, person)`: how many individuals in a million serve the table; the others serve none of it.
    public var personsPerMillion: Int?
    /// `aggregate(5)`: only rows are served of which so many are alike in all columns that may be read.
    public var leastAlike: Int?

    /// What a sample may be, in parts of a million.
    public static let sampleRange = 1...999_999
    /// What the size of a group may be.
    public static let groupRange = 2...1_000_000

    public init() {}

    public var isIdentity: Bool { self == RowRules() }

    /// Whether this serves no more than the other in any respect.
    public func isAtLeastAsCoarse(as other: RowRules) -> Bool {
        func isWithin(_ own: Int?, _ other: Int?) -> Bool { other.map { (own ?? .max) <= $0 } ?? true }
        return isWithin(recordsPerMillion, other.recordsPerMillion)
            && isWithin(personsPerMillion, other.personsPerMillion)
            && (leastAlike ?? 0) >= (other.leastAlike ?? 0)
    }

    /// Both together: in each respect the coarser of the two.
    public func joined(with other: RowRules) -> RowRules {
        var both = RowRules()
        both.recordsPerMillion = [recordsPerMillion, other.recordsPerMillion].compactMap(\.self).min()
        both.personsPerMillion = [personsPerMillion, other.personsPerMillion].compactMap(\.self).min()
        both.leastAlike = [leastAlike, other.leastAlike].compactMap(\.self).max()
        return both
    }

    /// The rules as they are spelled, with a table's name where one is wanted: `sample(0.1)`, `sample(Location, 0.1)`.
    public func spelled(_ table: String?) -> [String] {
        let first = table.map { $0 + ", " } ?? ""
        var terms: [String] = []
        if let part = personsPerMillion { terms.append("sample(\(first)\(Self.decimal(part)), person)") }
        if let part = recordsPerMillion { terms.append("sample(\(first)\(Self.decimal(part)))") }
        if let leastAlike { terms.append("aggregate(\(first)\(leastAlike))") }
        return terms
    }

    /// A part of a million as a decimal fraction: 100 000 is `0.1`.
    static func decimal(_ millionths: Int) -> String {
        var digits = String(millionths)
        digits = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return "0." + digits
    }

    /// Reads a decimal fraction between 0 and 1 with up to six places; nil for anything else.
    static func millionths(_ text: some StringProtocol) -> Int? {
        guard text.hasPrefix("0."), (3...8).contains(text.utf8.count),
            text.utf8.dropFirst(2).allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let digits = String(text.dropFirst(2))
        return Int(digits + String(repeating: "0", count: 6 - digits.count)).flatMap {
            sampleRange.contains($0) ? $0 : nil
        }
    }
}
