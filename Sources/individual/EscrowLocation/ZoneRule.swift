import Glibc

/// How a time zone goes on after the last change that its file lists, as POSIX spells it: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    private let standard: Int
    private var summer: (offset: Int, from: Change, until: Change)?

    /// A day of each year, and the second of it.
    private struct Change {
        enum Day {
            /// From 1, never counting 29 February.
            case julian(Int)
            /// From 0.
            case number(Int)
            case weekday(month: Int, week: Int, day: Int)
        }
        let day: Day
        let seconds: Int

        /// As if its local time were UTC.
        func moment(_ year: Int) -> Int64 {
            func first(_ month: Int) -> Int64 {
                var parts = tm()
                (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), 1)
                return Int64(timegm(&parts))
            }
            let length: Int64 = 86_400
            let days: Int64
            switch day {
            case .julian(let number):
                let isLeap = first(3) - first(2) == 29 * length
                days = first(1) / length + Int64(number - 1 + (isLeap && number >= 60 ? 1 : 0))
            case .number(let number): days = first(1) / length + Int64(number)
            case .weekday(let month, let week, let day):
                let start = first(month) / length
                // 1970 began on a Thursday.
                let weekday = ((start + 4) % 7 + 7) % 7
                var found = start + (Int64(day) - weekday + 7) % 7 + Int64(week - 1) * 7
                // The fifth is the last one, which may be the fourth.
                while found >= first(month + 1) / length { found -= 7 }
                days = found
            }
            return days * length + Int64(seconds)
        }
    }

    /// Nil for what is none.
    init?(_ text: some Sequence<UInt8>) {
        var scanner = Scanner(rest: Array(text)[...])
        guard scanner.name(), let west = scanner.time() else { return nil }
        standard = -west
        guard !scanner.rest.isEmpty else { return }
        guard scanner.name() else { return nil }
        var offset = standard + 3_600
        if scanner.rest.first != Scanner.comma {
            guard let west = scanner.time() else { return nil }
            offset = -west
        }
        guard let from = scanner.change(), let until = scanner.change(), scanner.rest.isEmpty else {
            return nil
        }
        summer = (offset, from, until)
    }

    /// Seconds east of UTC.
    func offset(at seconds: Int64) -> Int {
        guard let summer else { return standard }
        var moment = time_t(seconds) + standard
        var parts = tm()
        gmtime_r(&moment, &parts)
        let year = Int(parts.tm_year) + 1900
        let from = summer.from.moment(year) - Int64(standard)
        let until = summer.until.moment(year) - Int64(summer.offset)
        // In the south it is over the turn of the year.
        let isSummer =
            from < until ? (from..<until).contains(seconds) : !(until..<from).contains(seconds)
        return isSummer ? summer.offset : standard
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>
        static let comma = UInt8(ascii: ",")

        private mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        mutating func name() -> Bool {
            if take(UInt8(ascii: "<")) {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number() -> Int? {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            rest = rest.dropFirst(digits.count)
            return digits.count > 3 ? nil : Int(String(decoding: digits, as: UTF8.self))
        }

        /// `-3`, `5:30`, `+12:45:00`, in seconds.
        mutating func time() -> Int? {
            let isNegative = take(UInt8(ascii: "-"))
            if !isNegative { _ = take(UInt8(ascii: "+")) }
            guard var seconds = number().map({ $0 * 3_600 }) else { return nil }
            for unit in [60, 1] where take(UInt8(ascii: ":")) {
                guard let part = number() else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard take(Self.comma), let day = day() else { return nil }
            guard take(UInt8(ascii: "/")) else { return Change(day: day, seconds: 7_200) }
            return time().map { Change(day: day, seconds: $0) }
        }

        private mutating func day() -> Change.Day? {
            if take(UInt8(ascii: "J")) {
                return number().flatMap { (1...365).contains($0) ? .julian($0) : nil }
            }
            guard take(UInt8(ascii: "M")) else {
                return number().flatMap { (0...365).contains($0) ? .number($0) : nil }
            }
            guard let month = number(), take(UInt8(ascii: ".")), let week = number(),
                take(UInt8(ascii: ".")), let day = number(), (1...12).contains(month),
                (1...5).contains(week), (0...6).contains(day)
            else { return nil }
            return .weekday(month: month, week: week, day: day)
        }
    }
}
