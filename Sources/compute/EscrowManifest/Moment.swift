import EscrowTabular

/// A moment in whole seconds of UTC, as manifests, trust stores and revocations write it: `2026-11-21T00:00:00Z`.
///
/// One spelling only, so that two readers cannot differ: no fraction, no offset but `Z`, upper case.
public struct Moment: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let seconds: Int64

    /// Takes seconds since the epoch; what lies outside the years 0000 to 9999 becomes the nearest that does not.
    public init(seconds: Int64) {
        self.seconds = min(max(seconds, Self.earliest), Self.latest)
    }

    /// Reads `YYYY-MM-DDTHH:MM:SSZ` (a profile of RFC 3339); nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z"),
            Array(text.utf8)[10] == UInt8(ascii: "T"),
            let moment = Timestamp(iso8601: text)
        else { return nil }
        seconds = moment.microseconds.flooredSeconds
    }

    /// Reads the first second of a day, `YYYYMMDD`, as in trust stores after OpenSSH's allowed_signers; nil otherwise.
    public init?(day text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 8, bytes.allSatisfy(Spelling.isDigit) else { return nil }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard let moment = Timestamp(year: number(0..<4), month: number(4..<6), day: number(6..<8)) else {
            return nil
        }
        seconds = moment.microseconds.flooredSeconds
    }

    /// The text form, always 20 characters.
    public var description: String {
        guard let moment = Timestamp(microseconds: seconds * 1_000_000) else { return "" }
        return String(moment.iso8601.prefix(19)) + "Z"
    }

    /// The day, `YYYY-MM-DD`.
    public var day: String { String(description.prefix(10)) }

    /// The moment that many days later.
    public func adding(days: Int) -> Moment {
        let (shift, tooFar) = Int64(days).multipliedReportingOverflow(by: 86_400)
        let (sum, tooLate) = seconds.addingReportingOverflow(shift)
        return Moment(seconds: tooFar || tooLate ? (days < 0 ? Self.earliest : Self.latest) : sum)
    }

    public static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }

    private static let earliest: Int64 = -62_167_219_200
    private static let latest: Int64 = 253_402_300_799
}

extension Int64 {
    /// Microseconds as whole seconds, rounded down.
    fileprivate var flooredSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1_000_000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
