import Glibc
import Testing

@testable import EscrowFormats

@Suite("Rules of repetition")
struct RecurrenceTests {
    /// The first times of a rule, as the wall shows them.
    static func times(_ start: String, _ rule: String, limit: Int = 20) -> [String]? {
        guard let start = CalendarTime(Array(start.utf8)[...]),
            let rule = RecurrenceRule(Array(rule.utf8)[...])
        else {
            return nil
        }
        var iterator = RecurrenceIterator(
            rule, start: start.civil, isDate: start.isDate,
            end: min(
                rule.until?.limit ?? CivilTime(day: CivilTime.day(2060, 1, 1)),
                CivilTime(day: CivilTime.day(2060, 1, 1))))
        var budget = CalendarOccurrences.stepLimit
        var times: [String] = []
        while times.count < limit, let time = iterator.next(&budget) {
            let second = time.secondOfDay
            func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
            times.append(
                "\(time.dateText)T\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))")
        }
        return times
    }

    /// Examples of RFC 5545, 3.8.5.3, with the days that it prints.
    @Test(
        "the examples of RFC 5545",
        arguments: [
            (
                "19970902T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
                "09-02 09-04 09-16 09-18 09-30 10-02 10-14 10-16"
            ),
            (
                "19970905T090000", "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
                "09-05 10-03 11-07 12-05 01-02 02-06 03-06 04-03 05-01 06-05"
            ),
            (
                "19970907T090000", "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
                "09-07 09-28 11-02 11-30 01-04 01-25 03-01 03-29 05-03 05-31"
            ),
            ("19970922T090000", "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO", "09-22 10-20 11-17 12-22 01-19 02-16"),
            ("19970928T090000", "FREQ=MONTHLY;BYMONTHDAY=-3;COUNT=6", "09-28 10-29 11-28 12-29 01-29 02-26"),
            (
                "19970930T090000", "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
                "09-30 10-01 10-31 11-01 11-30 12-01 12-31 01-01 01-31 02-01"
            ),
            (
                "19970101T090000", "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
                "01-01 04-10 07-19 01-01 04-09 07-18 01-01 04-10 07-19 01-01"
            ),
            ("19970519T090000", "FREQ=YEARLY;BYDAY=20MO;COUNT=3", "05-19 05-18 05-17"),
            ("19970512T090000", "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=3", "05-12 05-11 05-17"),
            ("19970313T090000", "FREQ=YEARLY;BYMONTH=3;BYDAY=TH;COUNT=5", "03-13 03-20 03-27 03-05 03-12"),
            (
                "19980213T090000", "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;COUNT=5",
                "02-13 03-13 11-13 08-13 10-13"
            ),
            (
                "19961105T090000",
                "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8;COUNT=3",
                "11-05 11-07 11-02"
            ),
            ("19970904T090000", "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3", "09-04 10-07 11-06"),
            (
                "19970929T090000", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2;COUNT=4",
                "09-29 10-30 11-27 12-30"
            ),
            (
                "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
                "08-05 08-10 08-19 08-24"
            ),
            (
                "19970805T090000", "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
                "08-05 08-17 08-19 08-31"
            ),
            ("20070115T090000", "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5", "01-15 01-30 02-15 03-15 03-30"),
        ])
    func examples(_ start: String, _ rule: String, _ days: String) {
        #expect(
            Self.times(start, rule)?.map { String($0.dropFirst(5).prefix(5)) }.joined(separator: " ") == days)
    }

    @Test("hours and minutes")
    func withinDay() {
        #expect(
            Self.times("19970902T090000", "FREQ=MINUTELY;INTERVAL=90;COUNT=3")
                == ["1997-09-02T09:00:00", "1997-09-02T10:30:00", "1997-09-02T12:00:00"])
        #expect(
            Self.times("19970902T090000", "FREQ=DAILY;BYHOUR=9,16;BYMINUTE=0,20;COUNT=5")
                == [
                    "1997-09-02T09:00:00", "1997-09-02T09:20:00", "1997-09-02T16:00:00",
                    "1997-09-02T16:20:00",
                    "1997-09-03T09:00:00",
                ])
        #expect(
            Self.times("19970902T090000", "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000")
                == ["1997-09-02T09:00:00", "1997-09-02T12:00:00", "1997-09-02T15:00:00"])
    }

    @Test("the first day counts as the first occurrence even where the rule does not give it")
    func unsynchronized() {
        #expect(Self.times("20260302T000000", "FREQ=WEEKLY;BYDAY=TU;COUNT=3")?.count == 2)
        #expect(Self.times("20260302T000000", "FREQ=WEEKLY;BYDAY=TU;COUNT=1") == [])
    }

    @Test(
        "a rule that is not understood as a whole is none",
        arguments: [
            "", "FREQ=NEVER", "COUNT=2", "FREQ=DAILY;COUNT=0", "FREQ=DAILY;INTERVAL=0",
            "FREQ=DAILY;BYMONTH=13",
            "FREQ=DAILY;BYMONTHDAY=0", "FREQ=DAILY;BYDAY=XX", "FREQ=YEARLY;BYDAY=0MO",
            "FREQ=DAILY;FREQ=DAILY",
            "FREQ=DAILY;COUNT=1;UNTIL=20260101", "FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;X",
            "FREQ=MONTHLY;BYWEEKNO=1",
            "FREQ=DAILY;COUNT=99999999999999999999", "FREQ=DAILY;BYDAY=",
        ])
    func refused(_ rule: String) { #expect(RecurrenceRule(Array(rule.utf8)[...]) == nil) }

    @Test("thousands of rules give the times that dateutil gives")
    func oracle() throws {
        var random = SplitMix(seed: 20_260_301)
        var cases: [(start: String, rule: String)] = []
        for _ in 0..<1_500 { cases.append(Self.randomCase(&random)) }
        let folder = try Folder()
        let path = folder.write("cases", cases.map { $0.start + " " + $0.rule }.joined(separator: "\n"))
        let script = folder.write("oracle.py", Self.script)
        guard let text = Python.run("'\(script)' '\(path)'", needs: "dateutil") else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        try #require(lines.count >= cases.count)
        var compared = 0
        for (index, one) in cases.enumerated() where lines[index] != "?" {
            let expected = lines[index].split(separator: " ").map(String.init)
            #expect(Self.times(one.start, one.rule) == expected, "\(one.start) \(one.rule)")
            compared += expected.count
        }
        #expect(compared > 10_000)
    }

    private static let script = """
        import signal, sys
        from datetime import datetime
        from itertools import islice, takewhile
        from dateutil.rrule import rrulestr
        def late(*_): raise TimeoutError
        signal.signal(signal.SIGVTALRM, late)
        for line in open(sys.argv[1]):
            start, text = line.split()
            first = datetime.strptime(start, '%Y%m%dT%H%M%S')
            count = None
            parts = [p for p in text.split(';') if not p.startswith('COUNT=')]
            if len(parts) < len(text.split(';')):
                count = int([p for p in text.split(';') if p.startswith('COUNT=')][0][6:])
            try:
                # Of a rule that contradicts itself it looks at every day to the year 9999. By its own time of the
                # processor, since others may have that for long.
                signal.setitimer(signal.ITIMER_VIRTUAL, 0.1)
                times = rrulestr(';'.join(parts), dtstart=first)
                times = list(islice(takewhile(lambda t: t < datetime(2060, 1, 1), times), 21))
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            except (ValueError, TimeoutError):
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
                print('?')
                continue
            if count is not None:
                # The first day counts, whether or not the rule gives it (RFC 5545, 3.3.10).
                times = times[:count if times and times[0] == first else max(0, count - 1)]
            print(' '.join(t.isoformat() for t in times[:20]))
        """

    /// A rule within what RFC 5545 allows. Left out are those that dateutil reads in a way of its own: positions within weeks
    /// (its first week begins on the first day), and week numbers without days.
    private static func randomCase(_ random: inout SplitMix) -> (String, String) {
        func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
        func chance(_ percent: UInt64) -> Bool { random.next() % 100 < percent }
        func list(_ range: ClosedRange<Int>, signed: Bool = false) -> String {
            (0..<(1 + Int(random.next() % 3))).map { _ in
                let value = range.lowerBound + Int(random.next() % UInt64(range.count))
                return String(signed && chance(30) ? -value : value)
            }.joined(separator: ",")
        }
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let start =
            "\(1996 + Int(random.next() % 30))\(two(1 + Int(random.next() % 12)))\(two(1 + Int(random.next() % 28)))"
            + "T\(two(Int(random.next() % 24)))\(two(Int(random.next() % 60)))00"
        let frequency = pick([
            "YEARLY", "YEARLY", "MONTHLY", "MONTHLY", "WEEKLY", "WEEKLY", "DAILY", "HOURLY", "MINUTELY",
        ])
        let isLong = frequency == "YEARLY" || frequency == "MONTHLY"
        var rule = "FREQ=\(frequency)"
        if chance(50) { rule += ";INTERVAL=\(1 + random.next() % 5)" }
        if chance(30) { rule += ";COUNT=\(1 + random.next() % 15)" }
        if chance(30) { rule += ";WKST=\(pick(["MO", "SU", "SA", "WE"]))" }
        if chance(30) { rule += ";BYMONTH=\(list(1...12))" }
        if chance(25) { rule += ";BYMONTHDAY=\(list(1...28, signed: true))" }
        var hasDays = false
        if chance(50) {
            hasDays = true
            let ordinal = isLong && chance(50)
            let days = (0..<(1 + Int(random.next() % 3))).map { _ in
                (ordinal ? pick(["1", "2", "3", "-1", "-2", "4"]) : "")
                    + pick(["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
            }
            rule += ";BYDAY=" + days.joined(separator: ",")
            if frequency == "YEARLY", !ordinal, chance(30) {
                rule += ";BYWEEKNO=\(list(1...52, signed: true))"
            }
        }
        if frequency == "YEARLY", chance(15) { rule += ";BYYEARDAY=\(list(1...365, signed: true))" }
        if chance(15) { rule += ";BYHOUR=\(list(0...23))" }
        if chance(15) { rule += ";BYMINUTE=\(list(0...59))" }
        if isLong, hasDays, chance(30) { rule += ";BYSETPOS=\(pick(["1", "-1", "2", "1,-1", "-2"]))" }
        return (start, rule)
    }
}

/// A small generator of random numbers with a seed.
struct SplitMix {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }
}

/// Python as `make test` has it: the packages that tests compare with live in `.build/python`.
enum Python {
    /// What a script writes; nil, after a word, if Python or the package is missing.
    static func run(_ arguments: String, needs package: String) -> String? {
        let own = Repository.root + "/.build/python/bin/python3"
        for python in [own, "python3"]
        where EscrowSourcesTests.run("'\(python)' -c 'import \(package); print(1)'") == "1\n" {
            return EscrowSourcesTests.run("'\(python)' \(arguments)")
        }
        print("SKIP: python3 has no \(package)")
        return nil
    }

}
