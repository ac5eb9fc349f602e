/// Spells moments one after another, each as ``Timestamp/iso8601`` has it, in memory of its own.
///
/// A scan spells one for every row, mostly of the same day, so the date is spelled anew only when it changes.
public struct TimestampText: Sendable {
    private var bytes = InlineArray<24, UInt8>(repeating: 0x30)
    private var day = Int64.min

    /// Spells nothing yet.
    public init() {}

    /// Spells a moment: UTC, milliseconds, 24 characters. The bytes are valid within `body` only.
    public mutating func spell<Result>(
        _ moment: Timestamp, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let dayLength: Int64 = 86_400_000_000
        var day = moment.microseconds / dayLength
        var rest = moment.microseconds % dayLength
        if rest < 0 {
            rest += dayLength
            day -= 1
        }
        if day != self.day { putDate(day) }
        putTime(UInt32(truncatingIfNeeded: rest / 1_000))
        return bytes.span.withUnsafeBytes(body)
    }

    private mutating func putDate(_ day: Int64) {
        let date = Timestamp.civilFromDays(Int(day))
        self.day = day
        putPair(date.year / 100, at: 0)
        putPair(date.year % 100, at: 2)
        bytes[4] = UInt8(ascii: "-")
        putPair(date.month, at: 5)
        bytes[7] = UInt8(ascii: "-")
        putPair(date.day, at: 8)
        bytes[10] = UInt8(ascii: "T")
        bytes[13] = UInt8(ascii: ":")
        bytes[16] = UInt8(ascii: ":")
        bytes[19] = UInt8(ascii: ".")
        bytes[23] = UInt8(ascii: "Z")
    }

    private mutating func putTime(_ milliseconds: UInt32) {
        let seconds = milliseconds / 1_000
        let part = milliseconds % 1_000
        putPair(Int(seconds / 3_600), at: 11)
        putPair(Int(seconds / 60 % 60), at: 14)
        putPair(Int(seconds % 60), at: 17)
        putPair(Int(part / 10), at: 20)
        bytes[22] = 0x30 + UInt8(truncatingIfNeeded: part % 10)
    }

    private mutating func putPair(_ value: Int, at place: Int) {
        let value = UInt32(truncatingIfNeeded: value)
        bytes[place] = 0x30 + UInt8(truncatingIfNeeded: value / 10)
        bytes[place + 1] = 0x30 + UInt8(truncatingIfNeeded: value % 10)
    }
}
