/// A place in a request that the plugin fills.
public struct EgressField: Sendable, Hashable {
    /// Its name, by which the plugin gives its value.
    public let name: String
    /// The name of the query item, header or JSON member; its own unless the manifest says another.
    public let wireName: String
    /// What stands between its value and that of the field before it, where both make one query item.
    public let separator: Separator?
    /// Where it stands.
    public let location: Location
    /// What it may be.
    public let bounds: ScalarBounds
    /// For numbers that are not whole: how many digits after the point are sent; the host rounds.
    public let decimals: Int?
    /// For text: what characters it may have.
    public let pattern: Pattern?
    /// The columns that its value may come from, as `Table.column`; empty: none.
    public let derivedFrom: [String]
    /// The part of the individual's place that the host fills in; nil for what the plugin gives.
    public let part: PlacePart?
    /// For a list in a JSON body: the most values of it; nil for one value.
    public let most: Int?

    /// Whether its values stand in members of the same name, one in each place of a list.
    public var isSpread: Bool { BodyPath.parts(wireName).contains("*") }

    /// The only value there is: the host fills it in, and the plugin need not name it.
    public var constant: Scalar? { most != nil ? nil : bounds.oneOf?.count == 1 ? bounds.oneOf?.first : nil }

    /// An upper bound of the bits that its value can carry, as the host spells it. What fields of a place carry is counted once,
    /// for the endpoint.
    public var capacityBits: Double {
        if part != nil { return 0 }
        return most.map { Capacity.bits(listsOf: itemBits, upTo: $0) } ?? itemBits
    }

    private var itemBits: Double {
        if let pattern, bounds.oneOf == nil, let length = bounds.maxLength {
            return pattern.capacityBits(upTo: length)
        }
        if let steps { return Capacity.bits(steps) }
        return bounds.capacityBits
    }

    /// For numbers that are not whole: which multiples of their last decimal can be sent, -9000 to 9000 for two decimals
    /// from -90 to 90; nil for other fields, and where none lies in the range.
    public var steps: ClosedRange<Int64>? {
        guard let decimals, bounds.oneOf == nil, let low = bounds.minimum, let high = bounds.maximum else {
            return nil
        }
        return Capacity.steps(from: low, to: high, decimals: decimals)
    }

    /// Where a field stands.
    public enum Location: String, Sendable, Hashable, CaseIterable {
        case path
        case query
        case header
        case body
    }

    /// What joins numbers into one query item.
    public enum Separator: String, Sendable, Hashable, CaseIterable {
        case bar = "|"
        case comma = ","
        case semicolon = ";"
    }

    /// What characters a text may have: a closed list instead of regular expressions, which can be made to take for ever.
    public enum Pattern: String, Sendable, Hashable, CaseIterable {
        /// `0` to `9`.
        case digits
        /// ASCII letters.
        case letters
        /// ASCII letters and digits.
        case alphanumeric
        /// `0` to `9`, `a` to `f`.
        case hexadecimal
        /// `YYYY-MM-DD`, a day of the Gregorian calendar.
        case date

        /// Whether a text is of that kind.
        public func matches(_ text: String) -> Bool {
            guard !text.isEmpty else { return false }
            switch self {
            case .digits: return text.utf8.allSatisfy(Spelling.isDigit)
            case .letters: return text.utf8.allSatisfy(Spelling.isLetter)
            case .alphanumeric:
                return text.utf8.allSatisfy { Spelling.isLetter($0) || Spelling.isDigit($0) }
            case .hexadecimal:
                return text.utf8.allSatisfy { Spelling.isDigit($0) || (0x61...0x66).contains($0) }
            case .date: return Self.isDate(text)
            }
        }

        private static func isDate(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return false }
            func number(_ range: Range<Int>) -> Int? {
                bytes[range].reduce(0) { sum, byte in
                    sum.flatMap { Spelling.isDigit(byte) ? $0 * 10 + Int(byte - 0x30) : nil }
                }
            }
            guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
                year > 0, (1...12).contains(month)
            else { return false }
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            return (1...days[month - 1]).contains(day)
        }

        /// The bits of a text of this kind, of 1 to `length` characters.
        func capacityBits(upTo length: Int) -> Double {
            let characters: Double
            switch self {
            case .digits: characters = 10
            case .letters: characters = 52
            case .alphanumeric: characters = 62
            case .hexadecimal: characters = 16
            // The days of the years 1 to 9999.
            case .date: return Capacity.bits(choices: 3_652_059)
            }
            // k + k² + … + kⁿ is less than kⁿ · k / (k - 1).
            return Double(length) * Capacity.bits(choices: characters)
                + Capacity.bits(choices: characters / (characters - 1))
        }
    }
}
