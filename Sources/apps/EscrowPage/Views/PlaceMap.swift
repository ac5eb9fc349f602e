public import EscrowLocationPrivacy

/// A small map: where one was, what was told of it, and how far off a guess is, true in metres around its middle.
public struct PlaceMap: Sendable {
    private let real: [Coordinates]
    private let told: [(place: Coordinates, isDummy: Bool)]
    private let guesses: [(place: Coordinates, metres: Double)]

    /// Takes the individual's own places, what was told, and guesses at home and work with how far off they are.
    public init(
        real: [Coordinates], told: [(place: Coordinates, isDummy: Bool)],
        guesses: [(place: Coordinates, metres: Double)]
    ) {
        // Many points on one spot are one dot.
        self.real = Array(Set(real.map { $0.rounded(Decimals(latitude: 4, longitude: 4)) })).suffix(2_000)
        self.told = Array(told.suffix(2_000))
        self.guesses = guesses
    }

    private static let width = 720.0
    /// Metres around the places.
    private static let margin = 2_000.0
    private static let degree = 111_320.0

    /// The drawing; nil without a place. What is told from afar is left out, and counted in words.
    var html: HTML? {
        let all = real.isEmpty ? told.map(\.place) : real
        guard let south = all.map(\.latitude).min(), let north = all.map(\.latitude).max(),
            let west = all.map(\.longitude).min(), let east = all.map(\.longitude).max()
        else { return nil }
        let stretch = max(Ellipsoid.metresPerDegreeEast((south + north) / 2) / Self.degree, 0.01)
        let (left, top) = (west - Self.margin / Self.degree / stretch, north + Self.margin / Self.degree)
        let scale = Self.width / ((east - west) * stretch + 2 * Self.margin / Self.degree)
        let height = min((north - south + 2 * Self.margin / Self.degree) * scale, 4 * Self.width)
        func dot(_ place: Coordinates, _ radius: Double, _ mark: String, _ words: String) -> HTML? {
            let (x, y) = ((place.longitude - left) * stretch * scale, (top - place.latitude) * scale)
            guard (0...Self.width).contains(x), (0...height).contains(y) else { return nil }
            // A square with such corners is a circle.
            return element(
                .rect,
                [
                    .marks("spot", mark), .number(.x, x - radius), .number(.y, y - radius),
                    .number(.width, 2 * radius), .number(.height, 2 * radius), .number(.radius, radius),
                ], element(.title, [], HTML(words)))
        }
        let circles = guesses.compactMap { guess in
            dot(
                guess.place, max(guess.metres / Self.degree * scale, 2), "guess",
                "a guess that is \(Int(guess.metres.rounded())) m off")
        }
        let dots = real.compactMap { dot($0, 3, "real", "where you were") }
        let answers = told.compactMap {
            dot($0.place, 4, $0.isDummy ? "dummy" : "told", $0.isDummy ? "a dummy" : "told of you")
        }
        let words =
            "\(dots.count) places of yours, \(answers.count) that were told, \(told.count - answers.count) told from farther away; "
            + "a circle reaches from a guess to where you really are."
        return element(
            .div, [.marks("picture"), .focusable, .role("region"), .label("Map of what was told")],
            element(
                .svg,
                [.viewBox(Int(Self.width), Int(height) + 1), .role("img"), .labelled(by: "map-title")],
                all: [element(.title, [.id("map-title")], HTML(words))] + circles + dots + answers),
            element(.p, [], HTML(words)))
    }
}
