public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
public import EscrowLedger
public import EscrowLocationPrivacy

/// What others could learn of the individual's life from what they were told of their places.
public struct LocationAudit: Sendable {
    /// A request that told a place, as the ledger has it.
    public struct Told: Sendable {
        /// The app that was answered.
        public let app: String
        /// Where and when.
        public let place: TimedPlace
        /// Whether it is a dummy.
        public let isDummy: Bool
        /// Those that left together have one of these.
        let round: String
        /// How exactly it tells.
        public let exactness: Telling
    }

    /// How many points of a round may still be the individual, on average, after those are left out that cannot be or are
    /// unlikely.
    public struct DummiesLeft: Sendable, Equatable {
        /// That would have to fly from where all were before.
        public let bySpeed: Double
        /// That lie where nobody lives, while others do not.
        public let byPlace: Double
        /// That come back to fewer places than a life does.
        public let byHistory: Double
        /// That were not near in every night; nil with fewer than two.
        public let byNights: Double?

        /// The fewest.
        public var least: Double { min(bySpeed, byPlace, byHistory, byNights ?? bySpeed) }
    }

    /// What was told to one app, or to all that pool it.
    public struct Finding: Sendable {
        /// The app; nil for all together.
        public let app: String?
        /// How many true places, and how many dummies.
        public let places: Int
        public let dummies: Int
        /// The most exact of them.
        public let exactness: Exactness
        /// How far from the individual's anchors an attacker's best guess is, and among how many people that hides, in bits.
        public let anchors: [(anchor: Attack.Anchor, guess: Coordinates, metres: Double, bits: Double)]
        /// How far from home one answer is that was given there, and the middle of all of them; nil without any.
        public let averaging: (one: Double, all: Double)?
        /// How many of the points of a round can be the true one after each attack on dummies; nil without any.
        public let dummiesLeft: DummiesLeft?
        /// Who could have been told the last answer; nil without any.
        public let company: Company?

        /// How far the individual's places lie on average from what was told of them, and from what map matching makes of it; among
        /// how many people the latter hides, in bits. Nil where the own track says nothing of these times.
        public let day: (told: Double, matched: Double, bits: Double)?
        /// How far home is from the middle of what lies near enough to every answer of a night, how much that is, and among how many
        /// people it hides, in bits. Nil where regions are told.
        public let intersection: (metres: Double, squareKilometres: Double, bits: Double)?

        /// The step below, where home can be found within so many metres; nil where nothing need be tightened.
        public var advice: Exactness? {
            let guesses = anchors.map(\.metres) + [intersection?.metres, day?.matched].compactMap { $0 }
            guard guesses.contains(where: { $0 < 200 }),
                let index = Exactness.allCases.firstIndex(of: exactness), index > 0
            else { return nil }
            return min(Exactness.allCases[index - 1], .neighbourhood)
        }
    }

    /// Where the individual really lives and works, by their own track.
    public let truth: [Attack.Anchor: Coordinates]
    private let track: [TimedPlace]
    private let gazetteer: Gazetteer

    /// Takes the individual's own track.
    public init(track: [TimedPlace], gazetteer: Gazetteer) {
        self.track = track
        self.gazetteer = gazetteer
        var truth: [Attack.Anchor: Coordinates] = [:]
        for anchor in Attack.Anchor.allCases {
            truth[anchor] = Attack.guesses(anchor, in: track, bandwidth: 100).last
        }
        self.truth = truth
    }

    /// One finding an app, and one of all where there are several.
    public func findings(_ told: [Told]) -> [Finding] {
        let apps = Set(told.map(\.app)).sorted()
        return apps.map { app in finding(app, told.filter { $0.app == app }) }
            + (apps.count > 1 ? [finding(nil, told)] : [])
    }

    private func finding(_ app: String?, _ told: [Told]) -> Finding {
        let trace = told.filter { !$0.isDummy }.map(\.place)
        let anchors = truth.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { anchor, place in
            Attack.guesses(anchor, in: trace, bandwidth: 2_000).map {
                (anchor: anchor, guess: $0, metres: Ellipsoid.distance($0, place))
            }.min { $0.metres < $1.metres }.map {
                (
                    $0.anchor, $0.guess, $0.metres,
                    Attack.bits(hiddenBy: gazetteer, around: $0.guess, metres: $0.metres)
                )
            }
        }
        return Finding(
            app: app, places: trace.count, dummies: told.count - trace.count,
            exactness: told.map(\.exactness.step).max() ?? .none, anchors: anchors,
            averaging: averaging(trace),
            dummiesLeft: dummiesLeft(told), company: company(trace.last?.place, told.last?.exactness),
            day: day(told), intersection: intersection(told))
    }

    private func day(_ told: [Told]) -> (told: Double, matched: Double, bits: Double)? {
        let trace = told.filter { !$0.isDummy }
        guard let reach = trace.compactMap(\.exactness.reach).max() else { return nil }
        let guesses = LifeAttack.matched(trace.map(\.place), ways: track.map(\.place), reach: reach)
        var (count, raw, matched) = (0.0, 0.0, 0.0)
        for item in guesses {
            guard let real = real(at: item.seconds) else { continue }
            count += 1
            raw += Ellipsoid.distance(item.told, real)
            matched += Ellipsoid.distance(item.guess, real)
        }
        guard count > 0, let last = guesses.last else { return nil }
        return (
            raw / count, matched / count,
            Attack.bits(hiddenBy: gazetteer, around: last.guess, metres: matched / count)
        )
    }

    private func intersection(
        _ told: [Told]
    ) -> (metres: Double, squareKilometres: Double, bits: Double)? {
        guard let home = truth[.home] else { return nil }
        let nights = told.filter { !$0.isDummy && ($0.place.minute >= 22 * 60 || $0.place.minute < 6 * 60) }
        guard let reach = nights.compactMap(\.exactness.reach).max(),
            let found = LifeAttack.intersection(
                Dictionary(nights.map { ($0.place.place, 1) }, uniquingKeysWith: +), reach: reach)
        else { return nil }
        let metres = Ellipsoid.distance(found.middle, home)
        return (
            metres, found.squareKilometres,
            Attack.bits(hiddenBy: gazetteer, around: found.middle, metres: metres)
        )
    }

    /// Of what was told at night, when the individual was at home by their own track's word.
    private func averaging(_ trace: [TimedPlace]) -> (one: Double, all: Double)? {
        guard let home = truth[.home] else { return nil }
        let told = trace.filter { item in
            real(at: item.seconds).map { Ellipsoid.distance($0, home) <= 200 } ?? false
        }.map(\.place)
        guard let first = told.first, let middle = Attack.averaged(told) else { return nil }
        return (Ellipsoid.distance(first, home), Ellipsoid.distance(middle, home))
    }

    /// The last place of the track before a moment, no more than an hour before.
    private func real(at seconds: Int64) -> Coordinates? {
        var (low, high) = (0, track.count)
        while low < high {
            let middle = (low + high) / 2
            if track[middle].seconds <= seconds { low = middle + 1 } else { high = middle }
        }
        guard low > 0, seconds - track[low - 1].seconds <= 3_600 else { return nil }
        return track[low - 1].place
    }

    private func company(_ place: Coordinates?, _ telling: Telling?) -> Company? {
        guard let place, let telling else { return nil }
        return gazetteer.company(of: place, within: min(telling.radius(of: place, gazetteer), 100_000))
    }

    /// More rounds say no more, and cost.
    private static let mostRounds = 200

    private func dummiesLeft(_ told: [Told]) -> DummiesLeft? {
        guard told.contains(where: \.isDummy) else { return nil }
        var rounds: [(name: String, seconds: Int64, minute: Int, points: [Coordinates])] = []
        for item in told {
            if rounds.last?.name == item.round {
                rounds[rounds.count - 1].points.append(item.place.place)
            } else {
                rounds.append((item.round, item.place.seconds, item.place.minute, [item.place.place]))
            }
        }
        // A round of one hides nothing, and is no round.
        let shown = rounds.filter { $0.points.count > 1 }.suffix(Self.mostRounds)
        func average(_ left: [[Coordinates]]) -> Double {
            Double(left.reduce(0) { $0 + $1.count }) / Double(max(left.count, 1))
        }
        let reach = 2 * (told.first { $0.isDummy }?.exactness.reach ?? 1_000)
        let points = shown.map(\.points)
        let nights = shown.filter { Attack.Anchor.home.holds($0.minute, $0.seconds) }.map(\.points)
        return DummiesLeft(
            bySpeed: average(Attack.plausible(shown.map { ($0.seconds, $0.points) })),
            byPlace: average(Attack.settled(points, within: reach, gazetteer)),
            byHistory: average(Attack.returning(points, within: reach)),
            byNights: nights.count > 1 ? average(Attack.constant(nights, within: reach)) : nil)
    }

    /// What would be told of the own track by a step of the ladder or a mechanism: one answer after the other, as requests would
    /// have it, with the memory of those before and planar Laplace's budget of each day.
    public func told(
        of telling: Telling, app: String, key: MaskKey, lists: [String: PlaceList] = [:],
        service: ServiceType? = nil, budget: Double? = nil
    ) throws(Mask.Refusal) -> [Told] {
        var generator = SystemRandomNumberGenerator()
        var memory = TellingMemory()
        var told: [Told] = []
        for (number, item) in track.enumerated() {
            let disclosure: Disclosure?
            do throws(Mask.Refusal) {
                disclosure = try Disclosure(
                    of: item.place, as: telling, key: key, gazetteer: gazetteer, lists: lists,
                    memory: &memory,
                    budget: budget, day: Int(item.seconds / 86_400), service: service, using: &generator)
            } catch {
                // Then a request would be refused, and nothing told.
                guard error == .budgetSpent else { throw error }
                continue
            }
            for (index, point) in (disclosure?.points ?? []).enumerated() {
                told.append(
                    Told(
                        app: app,
                        place: TimedPlace(
                            place: point.coordinates, seconds: item.seconds, minute: item.minute),
                        isDummy: index != disclosure?.truth, round: String(number), exactness: telling))
            }
        }
        return told
    }
}

extension LedgerReader {
    /// Each place that a request told, in the order in which they were sent.
    public func toldPlaces() throws(Diagnostic) -> [LocationAudit.Told] {
        try egressRecords().compactMap { record in
            guard record.id != nil, let place = record.sent["place"],
                let exactness = (place["tells"]?.string).flatMap(Telling.init)
            else { return nil }
            func part(_ name: String) -> Double? {
                let field = record.sent["fields"]?.array?.first { $0["place"]?.string == name }
                return field?["value"]?.string.flatMap(Double.init)
            }
            guard let latitude = part("latitude"), let longitude = part("longitude"),
                let point = Coordinates(latitude: latitude, longitude: longitude)
            else { return nil }
            return LocationAudit.Told(
                app: record.text("app"),
                place: TimedPlace(
                    place: point, seconds: record.time.milliseconds / 1_000,
                    minute: LocalDay.minute(of: record.time.milliseconds)),
                isDummy: place["dummy"]?.bool == true, round: record.run, exactness: exactness)
        }
    }
}
