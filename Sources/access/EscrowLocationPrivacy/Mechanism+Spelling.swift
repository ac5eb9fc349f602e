extension Mechanism {
    /// Why a text names no mechanism.
    public struct SpellingError: Error, Sendable, Equatable {
        /// Half a sentence, without any of the text.
        public let why: String
    }

    /// One of each kind, for messages and previews.
    public static let examples: [Mechanism] = [
        .none, .fixed(latitude: 52.5, longitude: 13.4), .truncate(decimals: 2), .grid(metres: 1_000),
        .aggregate(.city), .aggregate(.region), .aggregate(.country), .perturbation(metres: 500),
        .donut(.metres(100), metres: 500), .donut(.percent(20), metres: 500), .adaptiveDonut(people: 1_000),
        .planarLaplace(epsilon: 0.01), .snap(list: towns),
    ]

    /// The mechanisms that there are, for messages.
    public static let forms = examples.map(\.description).joined(separator: ", ")

    /// Reads the one spelling that a mechanism has: what is read is printed as the same text.
    public init(_ text: String) throws(SpellingError) {
        let (name, parts) = try Self.split(text)
        func expect(_ count: Int) throws(SpellingError) {
            guard parts.count == count else { throw SpellingError(why: "\(name) takes \(count) parts") }
        }
        switch name {
        case "none":
            try expect(0)
            self = .none
        case "fixed":
            try expect(2)
            self = .fixed(
                latitude: try Self.decimal(parts[0], in: -90...90, "a latitude"),
                longitude: try Self.decimal(parts[1], in: -180...180, "a longitude"))
        case "truncate":
            try expect(1)
            self = .truncate(
                decimals: try Self.integer(parts[0], in: Self.decimalsRange, "the number of decimals"))
        case "grid":
            try expect(1)
            self = .grid(metres: try Self.metres(parts[0]))
        case "aggregate":
            try expect(1)
            guard let level = Level(rawValue: parts[0]) else {
                throw SpellingError(why: "aggregate goes to street, postcode, city, region or country")
            }
            self = .aggregate(level)
        case "random-perturbation":
            try expect(1)
            self = .perturbation(metres: try Self.metres(parts[0]))
        case "donut":
            try expect(2)
            self = try Self.donut(parts[0], parts[1])
        case "adaptive-donut":
            try expect(1)
            self = .adaptiveDonut(
                people: try Self.integer(parts[0], in: Self.peopleRange, "the number of people"))
        case "planar-laplace":
            try expect(1)
            self = .planarLaplace(
                epsilon: try Self.decimal(parts[0], in: Self.epsilonRange, "epsilon"))
        case "snap":
            try expect(1)
            self = .snap(list: try Self.word(parts[0]))
        default: throw SpellingError(why: "the mechanism is not known")
        }
    }

    private static func donut(_ inner: String, _ outer: String) throws(SpellingError) -> Mechanism {
        let radius = try metres(outer)
        if inner.hasSuffix("%") {
            let percent = try integer(String(inner.dropLast()), in: percentRange, "a hole in hundredths")
            return .donut(.percent(percent), metres: radius)
        }
        let hole = try metres(inner)
        // A ring thinner than a tenth tells the distance, and with two answers the place.
        guard hole <= radius * Double(percentRange.upperBound) / 100 else {
            throw SpellingError(why: "a donut's hole is at most 90 % of it across")
        }
        return .donut(.metres(hole), metres: radius)
    }

    /// `donut(100, 500)` as its name and its parts.
    private static func split(_ text: String) throws(SpellingError) -> (String, [String]) {
        guard text.utf8.count <= 100, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw SpellingError(why: "it is longer than 100 bytes or not plain ASCII")
        }
        guard let open = text.firstIndex(of: "(") else { return (text, []) }
        guard text.hasSuffix(")") else { throw SpellingError(why: "it is not of the form name(...)") }
        let parts = text[text.index(after: open)...].dropLast()
            .split(separator: ",", omittingEmptySubsequences: false)
        var words: [String] = []
        for (index, part) in parts.enumerated() {
            // One spelling: a comma and one space between parts, and no other.
            guard index == 0 || part.hasPrefix(" ") else {
                throw SpellingError(why: "a space follows each comma")
            }
            let word = index == 0 ? part : part.dropFirst()
            guard !word.isEmpty, !word.contains(where: { $0 == " " || $0 == "(" || $0 == ")" }) else {
                throw SpellingError(why: "a part of it is empty or no single word")
            }
            words.append(String(word))
        }
        return (String(text[..<open]), words)
    }

    private static func integer(
        _ text: String, in range: ClosedRange<Int>, _ what: String
    ) throws(SpellingError) -> Int {
        guard let value = Int(text), String(value) == text, range.contains(value) else {
            throw SpellingError(
                why: "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func metres(_ text: String) throws(SpellingError) -> Double {
        try decimal(text, in: metresRange, "a distance in metres")
    }

    /// A decimal with at most six digits behind the point, spelled as it is printed.
    private static func decimal(
        _ text: String, in range: ClosedRange<Double>, _ what: String
    ) throws(SpellingError) -> Double {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }),
            let value = Double(text), range.contains(value), spelled(value) == text
        else {
            throw SpellingError(why: "\(what) is a decimal within its range, with at most six decimals")
        }
        return value
    }

    private static func word(_ text: String) throws(SpellingError) -> String {
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D }),
            !text.hasPrefix("-"), !text.hasSuffix("-")
        else { throw SpellingError(why: "a list is named in lower-case letters and hyphens") }
        return text
    }

    /// A number with as few digits as it needs, at most six behind the point.
    private static func spelled(_ value: Double) -> String {
        var decimals = 0
        while decimals < Decimals.most,
            Decimals.value(Decimals.units(value, decimals), decimals) != value
        {
            decimals += 1
        }
        return Decimals.text(value, decimals)
    }
}

extension Mechanism: CustomStringConvertible {
    /// The mechanism as it is spelled.
    public var description: String {
        switch self {
        case .none: "none"
        case .fixed(let latitude, let longitude):
            "fixed(\(Self.spelled(latitude)), \(Self.spelled(longitude)))"
        case .truncate(let decimals): "truncate(\(decimals))"
        case .grid(let metres): "grid(\(Self.spelled(metres)))"
        case .aggregate(let level): "aggregate(\(level.rawValue))"
        case .perturbation(let metres): "random-perturbation(\(Self.spelled(metres)))"
        case .donut(.metres(let hole), let metres): "donut(\(Self.spelled(hole)), \(Self.spelled(metres)))"
        case .donut(.percent(let hole), let metres): "donut(\(hole)%, \(Self.spelled(metres)))"
        case .adaptiveDonut(let people): "adaptive-donut(\(people))"
        case .planarLaplace(let epsilon): "planar-laplace(\(Self.spelled(epsilon)))"
        case .snap(let list): "snap(\(list))"
        }
    }

    /// What people are told, as half a sentence.
    public var words: String {
        switch self {
        case .none: "exactly where you are"
        case .fixed: "always the same made-up place"
        case .truncate(let decimals): "where you are, cut to \(decimals) decimals of a degree"
        case .grid(let metres): "which square of \(Self.spelled(metres)) m you are in"
        case .aggregate(let level): "which \(level.rawValue) you are in"
        case .perturbation(let metres): "a place up to \(Self.spelled(metres)) m from you"
        case .donut(let hole, let metres):
            "a place between \(Self.spelled(hole.radius(metres).rounded())) and \(Self.spelled(metres)) m from you"
        case .adaptiveDonut(let people): "a place as far from you as \(people) people live"
        case .planarLaplace(let epsilon):
            "a place about \(Self.spelled((2 / epsilon).rounded())) m from you"
        case .snap(let list): "the nearest of the \(list)"
        }
    }
}
