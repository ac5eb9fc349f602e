public import EscrowDiagnostics
public import EscrowLocationPrivacy
public import EscrowManifest

/// What is told of the individual's place to an endpoint: one point, or one that is true among dummies.
public struct PlacesToSend: Sendable, Equatable {
    /// As the receiver reads it.
    public struct Point: Sendable, Equatable {
        let latitude: String
        let longitude: String
        let country: String
        let region: String
        let radius: String

        /// Takes each as it is written.
        public init(
            latitude: String, longitude: String, country: String, region: String = "", radius: String = "0"
        ) {
            self.latitude = latitude
            self.longitude = longitude
            self.country = country
            self.region = region
            self.radius = radius
        }

        func text(of part: EgressField.PlacePart) -> String {
            switch part {
            case .latitude: latitude
            case .longitude: longitude
            case .country: country
            case .region: region
            case .radius: radius
            }
        }
    }

    /// The points, in the order in which they are sent.
    public let points: [Point]
    /// Which of them is the individual's.
    public let truth: Int
    /// How exactly it tells where they are.
    public let exactness: Telling

    /// Takes at least one point.
    public init?(points: [Point], truth: Int, exactness: Telling) {
        guard points.indices.contains(truth) else { return nil }
        self.points = points
        self.truth = truth
        self.exactness = exactness
    }
}

/// Knows where the individual is, and what may be told of it.
public protocol PlaceSource {
    /// What is told to an endpoint now, or why nothing is. A diagnostic ends the run.
    func places(for endpoint: EgressEndpoint) throws(Diagnostic) -> Result<PlacesToSend, EgressRefusal>
}

/// Knows nothing: for manifests without places.
public struct NoPlaces: PlaceSource {
    /// Makes it.
    public init() {}

    public func places(for endpoint: EgressEndpoint) -> Result<PlacesToSend, EgressRefusal> {
        .failure(.placeNotTold("no place is known"))
    }
}

extension EgressRefusal {
    /// Nothing is told, and so nothing is asked: E0615.
    public static func placeNotTold(_ why: String) -> EgressRefusal {
        EgressRefusal(
            .notGranted,
            Diagnostic(
                .placeNotTold, "\(why), so nothing was sent",
                help: "what is told of your places: escrow location rule list, escrow location show"))
    }
}

/// What the record of a request says of the place in it.
public struct SentPlace: Sendable, Equatable {
    /// How exactly it tells.
    public let exactness: Telling
    /// Whether it is a dummy.
    public let isDummy: Bool
    /// How many requests hide each other, this one included.
    public let count: Int
}
