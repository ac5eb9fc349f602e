/// How many rows there are, about: counted for a moment before the individual is asked.
public struct RowCount: Sendable, Equatable {
    /// The rows that were counted.
    public let count: Int
    /// Whether there may be more.
    public let isMore: Bool

    /// So many rows, or more.
    public init(_ count: Int, isMore: Bool = false) {
        self.count = count
        self.isMore = isMore
    }

    /// `about 1,200`, `more than 30,000`: two digits, for it is an estimate.
    public var words: String {
        var unit = 1
        while count / unit >= 100 { unit *= 10 }
        let rounded = isMore ? count / unit * unit : (count + unit / 2) / unit * unit
        return (isMore ? "more than " : "about ") + Self.grouped(rounded)
    }

    private static func grouped(_ number: Int) -> String {
        guard number >= 1000 else { return String(number) }
        let rest = String(number % 1000)
        return grouped(number / 1000) + "," + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
