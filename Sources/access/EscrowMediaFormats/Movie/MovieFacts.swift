internal import EscrowFormats
internal import EscrowTabular

/// What the `moov` box of an MP4, QuickTime or 3GP file says.
package struct MovieFacts {
    /// When the movie was made.
    var created: Timestamp?
    /// The length in seconds.
    var duration: Double?
    /// The first picture track's size as it is meant to be seen.
    var width: Int?
    var height: Int?
    /// Degrees and metres, WGS 84.
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?
    var make: [UInt8]?
    var model: [UInt8]?
    /// Titles, names and dates.
    var tags = AudioFacts()
    /// Whether boxes were met that do not fit.
    var isDamaged = false

    /// Takes a place as ISO 6709 writes it: `+27.5916+086.5640+8850/` in degrees, `+2735.50+08633.84/` in degrees and minutes,
    /// or `+273530+0863350/` with seconds.
    mutating func setPlace(_ text: ArraySlice<UInt8>) {
        var rest = text.trimmed
        guard let north = Self.number(&rest), let east = Self.number(&rest) else { return }
        // Degrees alone, minutes too, seconds too: the digits before the point tell.
        let parts = max(1, (north.digits + 1) / 2)
        guard
            parts == 1
                ? east.digits <= 3 : parts <= 3 && north.digits == 2 * parts && east.digits == 2 * parts + 1
        else { return }
        setPlace(
            Self.degrees(north.value, parts), Self.degrees(east.value, parts), Self.number(&rest)?.value)
    }

    /// Takes degrees north and east and metres; nothing if there is no such place.
    mutating func setPlace(_ north: Double, _ east: Double, _ height: Double?) {
        guard abs(north) <= 90, abs(east) <= 180 else { return }
        latitude = north
        longitude = east
        altitude = height
    }

    /// The next number with its sign, and how many digits it has before the point.
    private static func number(_ text: inout ArraySlice<UInt8>) -> (value: Double, digits: Int)? {
        guard let sign = text.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
            return nil
        }
        let digits = text.dropFirst().prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") }
        guard let number = DecimalNumber.read(digits) else { return nil }
        text = text[digits.endIndex...]
        return (sign == UInt8(ascii: "-") ? -number : number, digits.prefix { $0 != UInt8(ascii: ".") }.count)
    }

    /// Degrees of a number that holds minutes (2 parts) and seconds (3 parts) in two digits each.
    private static func degrees(_ value: Double, _ parts: Int) -> Double {
        guard parts > 1 else { return value }
        let scale = parts == 2 ? 100.0 : 10_000.0
        let whole = (abs(value) / scale).rounded(.down)
        let rest = abs(value) - whole * scale
        let minutes = parts == 2 ? rest : (rest / 100).rounded(.down)
        let seconds = parts == 2 ? 0 : rest - minutes * 100
        let degrees = whole + minutes / 60 + seconds / 3_600
        return value < 0 ? -degrees : degrees
    }
}
