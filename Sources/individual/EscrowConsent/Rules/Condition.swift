/// Whether something holds, where it may not be known.
enum Truth: Sendable {
    case no
    case unknown
    case yes

    init(_ value: Bool?) { self = value.map { $0 ? .yes : .no } ?? .unknown }
}

/// How a condition about several things is meant: a forbid is about a dataflow that touches any of them, a permit about
/// one that touches nothing else. Otherwise a permit for contacts would let pass what reads contacts and places.
enum Quantifier: Sendable {
    case any
    case all
}

/// One condition of a rule.
enum Condition: Sendable, Equatable {
    case purpose(PurposeTree.Bits, codes: [String])
    case words(Subject, WordList)
    case flag(Flag, Bool)
    case quantity(Quantity, ClosedRange<Int>)
    case hours(HourRange)

    /// What a list of words is about.
    enum Subject: String, Sendable, CaseIterable {
        case table
        case column
        case endpoint
        case app
        case plugin
        case publisher
        case target
        case place
        case pattern

        /// What a word must look like, for messages; nil from `allows` for a word that does not.
        var expected: String {
            switch self {
            case .table: "the name of a table"
            case .column: "a column as Table.column"
            case .endpoint: "a host name"
            case .app, .plugin: "an id such as org.example.notes, or org.example.*"
            case .publisher: "the id of a key, SHA256: and 43 characters"
            case .target: "a target such as app:org.example.notes"
            case .place: "device, or server: and a name"
            case .pattern: "one of " + DataflowPattern.allCases.map(\.rawValue).joined(separator: ", ")
            }
        }

        /// Whether a word can be what this is about.
        func allows(_ word: String) -> Bool {
            switch self {
            case .table: !word.contains(".")
            case .column: word.split(separator: ".", omittingEmptySubsequences: false).count == 2
            case .endpoint: word.contains(".") && word == word.lowercased()
            case .app, .plugin: word.contains(".")
            case .publisher: word.hasPrefix("SHA256:") && word.utf8.count == 50
            case .target: word.hasPrefix("app:") || word.hasPrefix("server:")
            case .place: word == "device" || word.hasPrefix("server:")
            case .pattern: DataflowPattern(rawValue: word) != nil
            }
        }

        /// Whether words may end in `.*`.
        var hasPatterns: Bool { self == .app || self == .plugin }
    }

    /// What is true or false.
    enum Flag: String, Sendable, CaseIterable {
        case sends
        case crosses
        case charging
        case metered
    }

    /// What is a number.
    enum Quantity: String, Sendable, CaseIterable {
        case cpuSeconds
        case battery
        case cpuPressure
        case cpuSecondsToday
        case bytesToday

        /// What it can be.
        var bounds: ClosedRange<Int> {
            switch self {
            case .battery, .cpuPressure: 0...100
            case .cpuSeconds, .cpuSecondsToday, .bytesToday: 0...(1 << 53)
            }
        }
    }

    /// Whether it holds for a dataflow.
    func holds(for facts: PreparedFacts, _ quantifier: Quantifier) -> Truth {
        switch self {
        case .purpose(let bits, _):
            guard let reach = facts.purpose else { return .unknown }
            return bits & (quantifier == .any ? reach.forbid : reach.permit) != 0 ? .yes : .no
        case .words(let subject, let list):
            switch subject {
            case .table: return list.holds(for: facts.facts.tables, quantifier)
            case .column: return list.holds(for: facts.facts.columns, quantifier)
            case .endpoint: return list.holds(for: facts.facts.endpoints, quantifier)
            case .app: return Truth(facts.facts.app.map(list.contains))
            case .plugin: return Truth(facts.facts.plugin.map(list.contains))
            case .publisher: return Truth(facts.facts.publisher.map(list.contains))
            case .target: return Truth(facts.facts.target.map(list.contains))
            case .place: return Truth(facts.facts.place.map(list.contains))
            case .pattern: return Truth(facts.facts.pattern.map { list.contains($0.rawValue) })
            }
        case .flag(let flag, let wanted): return Truth(facts.value(of: flag).map { $0 == wanted })
        case .quantity(let quantity, let range):
            return Truth(facts.value(of: quantity).map(range.contains))
        case .hours(let range): return Truth(facts.facts.minute.map(range.contains))
        }
    }
}

/// The facts with what all rules would otherwise compute anew.
struct PreparedFacts {
    let facts: DataflowFacts
    let purpose: (permit: PurposeTree.Bits, forbid: PurposeTree.Bits)?

    init(_ facts: DataflowFacts) {
        self.facts = facts
        purpose = facts.purpose.flatMap(PurposeTree.reach)
    }

    func value(of flag: Condition.Flag) -> Bool? {
        switch flag {
        case .sends: facts.sends
        case .crosses: facts.crosses
        case .charging: facts.device.charging
        case .metered: facts.device.metered
        }
    }

    func value(of quantity: Condition.Quantity) -> Int? {
        switch quantity {
        case .cpuSeconds: facts.cpuSeconds
        case .battery: facts.device.battery
        case .cpuPressure: facts.device.cpuPressure
        case .cpuSecondsToday: facts.cpuSecondsToday
        case .bytesToday: facts.bytesToday
        }
    }
}

/// Words, and for ids patterns that end in `.*`.
struct WordList: Sendable, Equatable {
    let words: [String]
    private let exact: Set<String>
    private let prefixes: [String]

    init(_ words: [String], hasPatterns: Bool) {
        self.words = words
        let patterns = hasPatterns ? words.filter { $0.hasSuffix(".*") } : []
        exact = Set(words).subtracting(patterns)
        prefixes = patterns.map { String($0.dropLast()) }
    }

    func contains(_ word: String) -> Bool {
        exact.contains(word) || prefixes.contains { word.utf8.starts(with: $0.utf8) }
    }

    func holds(for values: [String]?, _ quantifier: Quantifier) -> Truth {
        guard let values else { return .unknown }
        let holds = quantifier == .any ? values.contains(where: contains) : values.allSatisfy(contains)
        return holds ? .yes : .no
    }

    /// Whether every word that this one contains is contained by another.
    func isWithin(_ other: WordList) -> Bool {
        exact.allSatisfy(other.contains)
            && prefixes.allSatisfy { mine in other.prefixes.contains { mine.utf8.starts(with: $0.utf8) } }
    }
}

/// A part of the day, local time: from a minute up to, and without, another; over midnight where it ends before it begins.
struct HourRange: Sendable, Equatable {
    let from: Int
    let to: Int

    /// Whether no minute lies in it.
    var isEmpty: Bool { from == to }

    func contains(_ minute: Int) -> Bool {
        from <= to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    /// Whether every minute of a day lies in it.
    var isWholeDay: Bool { from == 0 && to == 1440 }

    /// Whether every minute of it lies in another.
    func isWithin(_ other: HourRange) -> Bool {
        (0..<1440).allSatisfy { !contains($0) || other.contains($0) }
    }

    /// Reads `HH:MM`, up to `24:00`; nil for anything else.
    static func minute(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
        let digits = [bytes[0], bytes[1], bytes[3], bytes[4]].map { Int($0) - 0x30 }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        guard minute < 60, hour * 60 + minute <= 1440 else { return nil }
        return hour * 60 + minute
    }

    /// Writes it as `minute` reads it.
    static func text(_ minute: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        return "\(two(minute / 60)):\(two(minute % 60))"
    }
}
