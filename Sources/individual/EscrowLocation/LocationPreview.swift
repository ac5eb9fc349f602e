public import EscrowLocationPrivacy

/// What masks would make of places: nothing is sent.
public struct LocationPreview {
    /// What one mask makes of one place.
    public struct Row {
        public let place: Coordinates
        /// As it is spelled.
        public let mask: String
        /// What is told: nothing, a point, or one that is true among dummies.
        public let told: [Mask.Masked]
        /// Which of them is true.
        public let truth: Int
        /// Why it cannot be masked so.
        public let refusal: Mask.Refusal?
        /// What who is told learns, as half a sentence.
        public let learns: String
        /// How many people could be told the same; nil where that is nobody's question.
        public let people: Double?

        /// How far from the truth, in metres; nil where nothing is told.
        public var metres: Double? {
            told.indices.contains(truth) ? Ellipsoid.distance(place, told[truth].coordinates) : nil
        }
    }

    private let key: MaskKey
    private let gazetteer: Gazetteer
    private let lists: [String: PlaceList]

    /// Prepares to mask as an app would be told.
    public init(key: MaskKey, gazetteer: Gazetteer, lists: [String: PlaceList] = [:]) {
        (self.key, self.gazetteer, self.lists) = (key, gazetteer, lists)
    }

    /// Each step of the ladder, one mechanism of each kind, and the nearest of each list. The mechanism `none` is the step `exact`.
    public var all: [Telling] {
        let listed = lists.keys.sorted().map { Mechanism.snap(list: $0) }
        let mechanisms: [Mechanism] = Array(Mechanism.examples.dropFirst()) + listed
        return Exactness.allCases.map { Telling($0) } + mechanisms.map { Telling($0) }
    }

    /// What a mask makes of places.
    public func rows(of places: [Coordinates], as telling: Telling) -> [Row] {
        var generator = SystemRandomNumberGenerator()
        return places.map { place in
            do throws(Mask.Refusal) {
                let told = try Disclosure(
                    of: place, as: telling, key: key, gazetteer: gazetteer, lists: lists, using: &generator)
                return Row(
                    place: place, mask: telling.spelling, told: told?.points ?? [], truth: told?.truth ?? 0,
                    refusal: nil, learns: telling.words,
                    people: told.flatMap { people(around: $0.points[$0.truth].coordinates, telling) })
            } catch {
                return Row(
                    place: place, mask: telling.spelling, told: [], truth: 0, refusal: error,
                    learns: "nothing: \(error.why)", people: nil)
            }
        }
    }

    private func people(around told: Coordinates, _ telling: Telling) -> Double? {
        switch telling.mechanism ?? telling.step.mechanism {
        // Everybody may be told it: it says nothing of where one is.
        case .fixed?, nil: nil
        case .adaptiveDonut(let people)?: Double(people)
        default:
            gazetteer.people(
                within: min(telling.radius(of: told, gazetteer), Gazetteer.farthest), of: told)
        }
    }
}
