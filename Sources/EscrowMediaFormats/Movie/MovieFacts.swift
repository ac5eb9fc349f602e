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

    /// Takes a place as ISO 6709 writes it, in degrees with a fraction: `+27.5916+086.5640+8850/`.
    mutating func setPlace(_ text: ArraySlice<UInt8>) {
        var numbers: [Double] = []
        var rest = text.trimmed
        while numbers.count < 3, let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        {
            let digits = rest.dropFirst().prefix { ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") }
            guard let number = DecimalNumber.read(digits) else { return }
            // Degrees and minutes without a sign between them (`+4042.5`) have four digits or more: not written by cameras.
            let whole = digits.prefix { $0 != UInt8(ascii: ".") }.count
            guard numbers.count == 2 || whole <= (numbers.isEmpty ? 2 : 3) else { return }
            numbers.append(sign == UInt8(ascii: "-") ? -number : number)
            rest = rest[digits.endIndex...]
        }
        guard numbers.count >= 2, abs(numbers[0]) <= 90, abs(numbers[1]) <= 180 else { return }
        latitude = numbers[0]
        longitude = numbers[1]
        altitude = numbers.count > 2 ? numbers[2] : nil
    }
}
