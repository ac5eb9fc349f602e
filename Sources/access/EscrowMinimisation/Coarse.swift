import EscrowTabular

/// The value-by-value part of minimisation, as pure functions: what transforms of columns and functions of SQL share.
public enum Coarse {
    /// A number rounded to so many decimals, half away from zero; negative decimals round to tens, hundreds and so on.
    public static func round(_ value: Double, decimals: Int) -> Double {
        guard value.isFinite, ColumnTransform.decimalsRange.contains(decimals) else { return value }
        let scale = powers[abs(decimals)]
        let scaled = decimals < 0 ? value / scale : value * scale
        // From 2^52 on there is nothing behind the point left to round.
        guard scaled.magnitude < 4_503_599_627_370_496 else { return value }
        let whole = scaled.rounded(.toNearestOrAwayFromZero)
        let rounded = decimals < 0 ? whole * scale : whole / scale
        return rounded == 0 ? 0 : rounded
    }

    /// A whole number rounded likewise; one that would leave the range is rounded towards zero instead.
    public static func round(_ value: Int64, decimals: Int) -> Int64 {
        guard decimals < 0, ColumnTransform.decimalsRange.contains(decimals) else { return value }
        let step = integerPowers[-decimals]
        let rest = value % step
        let base = value - rest
        guard rest.magnitude >= UInt64(step / 2) else { return base }
        let (up, overflows) = base.addingReportingOverflow(value < 0 ? -step : step)
        return overflows ? base : up
    }

    /// A moment as SQL spells it (`2026-03-01T12:34:56.789Z`) or a date (`1996-04-15`), kept down to a part of it: moments
    /// stay moments, the first of their hour, day and so on in UTC; dates lose what is finer, so that of `1996-04-15` there
    /// remains `1996`. Nil for other texts, and for a date that lacks the part (`--04-15` has no year).
    public static func deresolve(
        _ text: UnsafeRawBufferPointer, to resolution: ColumnTransform.Resolution
    ) -> [UInt8]? {
        if text.count == template.count, Timestamp(iso8601: text) != nil {
            let kept = keptOfMoment(resolution)
            return Array(text.prefix(kept)) + template.dropFirst(kept)
        }
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard (1...3).contains(groups.count), groups[0].count == 4,
            groups.dropFirst().allSatisfy({ $0.count == 2 }),
            groups.joined().allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Array(text.prefix(resolution == .year ? 4 : resolution == .month ? 7 : 10))
    }

    /// The leading Unicode scalars of UTF-8 text.
    public static func truncate(_ text: UnsafeRawBufferPointer, to length: Int) -> UnsafeRawBufferPointer {
        var scalars = 0
        for (index, byte) in text.enumerated() where byte & 0xC0 != 0x80 {
            if scalars == length { return UnsafeRawBufferPointer(rebasing: text[..<index]) }
            scalars += 1
        }
        return text
    }

    private static let template = Array("0000-01-01T00:00:00.000Z".utf8)

    private static func keptOfMoment(_ resolution: ColumnTransform.Resolution) -> Int {
        switch resolution {
        case .minute: 16
        case .hour: 13
        case .day: 10
        case .month: 7
        case .year: 4
        }
    }

    private static let powers: [Double] = [1, 10, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]
    private static let integerPowers: [Int64] = (0...12).map { exponent in
        (0..<exponent).reduce(Int64(1)) { power, _ in power * 10 }
    }
}
