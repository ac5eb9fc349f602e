import EscrowTabular
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", Int64(0)), ("1969-12-31T23:59:59.999999Z", -1),
        ("2026-03-01T12:00:00.5+01:00", 1_772_362_800_500_000),
        ("2026-03-01 11:00:00z", 1_772_362_800_000_000),
        ("2000-02-29T23:59:60Z", 951_868_800_000_000),
        ("0000-01-01T00:00:00Z", -62_167_219_200_000_000),
        ("9999-12-31T23:59:59.9999999Z", 253_402_300_799_999_999),
        ("2026-03-01T00:00:00-00:00", 1_772_323_200_000_000),
    ])
    func textIsRead(_ text: String, _ microseconds: Int64) {
        #expect(Timestamp(iso8601: text)?.microseconds == microseconds)
    }

    @Test(arguments: [
        "", "now", "2026-03-01", "2026-03-01T12:00:00", "2026-03-01T12:00Z", "2026-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+01:60",
        "2026-01-01T00:00:00Z ", " 2026-01-01T00:00:00Z", "+026-01-01T00:00:00Z",
        "2026/01/01T00:00:00Z",
        "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-01-01T00:00:0\u{0}Z",
    ])
    func otherTextIsNot(_ text: String) {
        #expect(Timestamp(iso8601: text) == nil)
    }

    /// The date is spelled anew only where it is another: what was spelled before must never show.
    @Test func momentsSpelledOneAfterAnotherAreSpelledAsEachAlone() throws {
        var dice = SeededGenerator(seed: 12)
        var text = TimestampText()
        var value: Int64 = 0
        for _ in 0..<20_000 {
            switch Int64.random(in: 0..<4, using: &dice) {
            case 0: value = Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &dice)
            case 1: value = value / 86_400_000_000 * 86_400_000_000
            case 2: value += [-1, 1, -86_400_000_000, 86_399_999_999].randomElement(using: &dice)!
            default: value += Int64.random(in: -50_000_000_000...50_000_000_000, using: &dice)
            }
            value = min(max(value, -62_167_219_200_000_000), 253_402_300_799_999_999)
            let moment = try #require(Timestamp(microseconds: value))
            let spelled = text.spell(moment) { String(decoding: $0, as: UTF8.self) }
            let part = moment.civil
            func pad(_ number: Int, _ width: Int) -> String {
                String(repeating: "0", count: width - String(number).count) + String(number)
            }
            let expected =
                "\(pad(part.year, 4))-\(pad(part.month, 2))-\(pad(part.day, 2))T"
                + "\(pad(part.hour, 2)):\(pad(part.minute, 2)):\(pad(part.second, 2))."
                + "\(pad(part.millisecond, 3))Z"
            guard spelled == expected else {
                Issue.record("\(value) is spelled \(spelled), not \(expected)")
                return
            }
        }
    }

    @Test func textIsOfFixedWidthAndSortsAsTime() throws {
        var dice = SeededGenerator(seed: 11)
        var last: (moment: Timestamp, text: String)?
        for _ in 0..<10_000 {
            let value = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &dice) * 1_000
            let moment = try #require(Timestamp(microseconds: value))
            let text = moment.iso8601
            #expect(text.utf8.count == 24)
            #expect(Timestamp(iso8601: text) == moment)
            if let last { #expect((last.moment < moment) == (last.text < text)) }
            last = (moment, text)
        }
    }

    /// Text of 24 characters is read eight at a time. With three more zeros in its fraction it means the same moment, or as
    /// little, and is read character by character.
    @Test func textOfFixedWidthIsReadAsAnyOther() throws {
        var dice = SeededGenerator(seed: 13)
        let odd = Array("0199:/;.-+TtZz ,\u{0}".utf8) + [0x7F, 0x80, 0xB0, 0xFF]
        var valid = 0
        for _ in 0..<200_000 {
            let value = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &dice) * 1_000
            var text = try #require(Timestamp(microseconds: value)).iso8601Bytes
            for _ in 0..<Int.random(in: 0...2, using: &dice) {
                text[Int.random(in: 0..<23, using: &dice)] =
                    Bool.random(using: &dice)
                    ? odd.randomElement(using: &dice)! : UInt8.random(in: 0x30...0x39, using: &dice)
            }
            let longer = Array(text[..<23] + Array("000".utf8) + text[23...])
            let read = text.withUnsafeBytes { Timestamp(iso8601: $0) }
            let expected = longer.withUnsafeBytes { Timestamp(iso8601: $0) }
            guard read == expected else {
                Issue.record(
                    "\(text) is read as \(String(describing: read)), not \(String(describing: expected))")
                return
            }
            if read != nil { valid += 1 }
        }
        #expect(valid > 50_000 && valid < 190_000)
    }

    /// Every byte at every place.
    @Test func noOtherByteIsTakenForOneOfThoseThatAreAllowed() throws {
        for place in 0..<24 {
            for byte in UInt8.min...UInt8.max {
                var text = Array("2001-11-11T11:11:11.111Z".utf8)
                text[place] = byte
                var longer = text
                longer.insert(contentsOf: "000".utf8, at: 23)
                let read: Timestamp? = text.withUnsafeBytes { Timestamp(iso8601: $0) }
                let again: Timestamp? = longer.withUnsafeBytes { Timestamp(iso8601: $0) }
                #expect(read == again, "\(byte) at \(place)")
            }
        }
    }

    @Test func everyDayIsReckonedBothWays() throws {
        // 146,097 days are one whole cycle of the Gregorian calendar.
        var expected = (year: 1999, month: 12, day: 31)
        for day in Int64(10_956)..<10_956 + 146_097 {
            let moment = try #require(Timestamp(microseconds: day * 86_400_000_000))
            let civil = moment.civil
            let isLeap =
                expected.year % 4 == 0 && (expected.year % 100 != 0 || expected.year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            if (civil.year, civil.month, civil.day) != (expected.year, expected.month, expected.day) {
                Issue.record("day \(day)")
            }
            let same = Timestamp(year: civil.year, month: civil.month, day: civil.day)
            if same != moment { Issue.record("back from day \(day)") }
            expected.day += 1
            if expected.day > lengths[expected.month - 1] {
                expected = (expected.year, expected.month + 1, 1)
            }
            if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
        }
    }

    @Test func momentsOutsideFourDigitYearsAreNone() {
        #expect(Timestamp(microseconds: .min) == nil)
        #expect(Timestamp(microseconds: .max) == nil)
        #expect(Timestamp(microseconds: 253_402_300_800_000_000) == nil)
        #expect(Timestamp(microseconds: -62_167_219_200_000_001) == nil)
    }
}
