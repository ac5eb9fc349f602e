package import EscrowTabular

/// Dates of mail: RFC 5322, 3.3 with the obsolete forms of 4.3, and what is met besides: no day of the week, no seconds, no
/// zone, `21-Nov-1997`, and the order of C's `asctime`.
package enum MailDate {
    /// The moment that a field body names; nil if it names none.
    package static func read(_ text: ArraySlice<UInt8>) -> Timestamp? {
        var day: Int?
        var month: Int?
        var year: Int?
        var time: (hour: Int, minute: Int, second: Int)?
        var zone = 0
        var isAfternoon: Bool?
        // The longest date has 40 letters or so; more is something else.
        for token in tokens(text.prefix(512)) {
            if token.contains(UInt8(ascii: ":")) {
                guard time == nil, let found = clock(token) else { return nil }
                time = found
            } else if let offset = offset(token), time != nil {
                zone = offset
            } else if let number = token.decimal {
                if day == nil, token.count <= 2 {
                    day = number
                } else if year == nil {
                    guard let full = fullYear(number, digits: token.count) else { return nil }
                    year = full
                }
            } else if time != nil, isAfternoon == nil, let half = afternoon(token) {
                isAfternoon = half
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if time != nil, let found = zoneOffset(token) {
                zone = found
            }
        }
        guard let day, let month, let year, var time else { return nil }
        // Twelve comes before one.
        if let isAfternoon, (1...12).contains(time.hour) {
            time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
        }
        return Timestamp(
            year: year, month: month, day: day, hour: time.hour, minute: time.minute, second: time.second,
            offsetSeconds: zone)
    }

    /// The words of a date, without comments; `21-Nov-97` is three.
    private static func tokens(_ text: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var tokens: [ArraySlice<UInt8>] = []
        var start: Int?
        var depth = 0
        func end(_ index: Int) {
            if let from = start { tokens.append(text[from..<index]) }
            start = nil
        }
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "(") {
                end(index)
                depth += 1
            } else if byte == UInt8(ascii: ")") {
                end(index)
                depth = max(0, depth - 1)
            } else if depth > 0 {
                continue
            } else if byte.isMailSpace || byte == UInt8(ascii: ",") {
                end(index)
            } else if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"), start != nil {
                // Between the parts of a date it only parts; behind a clock it begins the zone.
                let isClock = text[start!..<index].contains(UInt8(ascii: ":"))
                end(index)
                if isClock { start = index }
            } else if let from = start {
                // `09:55:06PST`
                let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                if isLetter, text[from..<index].contains(UInt8(ascii: ":")) {
                    end(index)
                    start = index
                }
            } else {
                start = index
            }
        }
        end(text.endIndex)
        return tokens
    }

    private static func clock(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let parts = token.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            // Fractions of a second are no part of the standard; they are cut off.
            let whole = part.prefix { $0 != UInt8(ascii: ".") }
            guard whole.count <= 2, let number = whole.decimal else { return nil }
            numbers.append(number)
        }
        return (numbers[0], numbers[1], numbers.count == 3 ? numbers[2] : 0)
    }

    /// `PM` and `AM`, which no standard has and some programs write.
    private static func afternoon(_ token: ArraySlice<UInt8>) -> Bool? {
        if token.equalsIgnoringCase("PM") { return true }
        return token.equalsIgnoringCase("AM") ? false : nil
    }

    /// `+0100` in seconds.
    private static func offset(_ token: ArraySlice<UInt8>) -> Int? {
        guard token.count == 5, let sign = token.first,
            sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let number = token.dropFirst().decimal, number % 100 < 60
        else { return nil }
        let seconds = (number / 100 * 60 + number % 100) * 60
        return sign == UInt8(ascii: "-") ? -seconds : seconds
    }

    /// Two digits are of 1950 to 2049, three count from 1900 (RFC 5322, 4.3).
    private static func fullYear(_ number: Int, digits: Int) -> Int? {
        switch digits {
        case 4: number
        case 2: number < 50 ? number + 2_000 : number + 1_900
        case 3: number + 1_900
        default: nil
        }
    }

    private static func monthNumber(_ token: ArraySlice<UInt8>) -> Int? {
        guard token.count >= 3 else { return nil }
        let names: [StaticString] = [
            "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC",
        ]
        return names.firstIndex { token.prefix(3).equalsIgnoringCase($0) }.map { $0 + 1 }
    }

    /// The zones of RFC 822 by name; every other one, the military letters too, counts as unknown, which is UTC.
    private static func zoneOffset(_ token: ArraySlice<UInt8>) -> Int? {
        let names: [(StaticString, Int)] = [
            ("EST", -5), ("EDT", -4), ("CST", -6), ("CDT", -5), ("MST", -7), ("MDT", -6), ("PST", -8),
            ("PDT", -7),
        ]
        return names.first { token.equalsIgnoringCase($0.0) }.map { $0.1 * 3_600 }
    }
}
