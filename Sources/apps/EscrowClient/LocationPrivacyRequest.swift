import EscrowAppWire

/// A request to a service that is told where the individual is, without the app ever knowing: the location privacy framework's
/// `create` and `send`.
///
///     let request = LocationPrivacyRequest.create(server: "api.openweathermap.org", type: .weather)
///     let weather: Weather = try await request.send(by: escrow)
///
/// The host reads the place, masks it by the individual's rules, sends it among dummies where it must, and hands back what the plugin
/// makes of the true answer. A plugin that tells another server, another kind of service, or more than `accuracy`, does not run.
public struct LocationPrivacyRequest: Sendable {
    /// What kind of service is asked.
    public enum ServiceType: String, Sendable, CaseIterable {
        case region, weather, news, nearby, social, delivery, navigation, emergency

        /// As exactly as such a service needs to know a place.
        public var accuracy: Accuracy {
            switch self {
            case .region: .country
            case .weather, .news: .city
            case .nearby, .social: .neighbourhood
            case .delivery: .street
            case .navigation, .emergency: .exact
            }
        }
    }

    /// The most that it is told, the least first.
    public enum Accuracy: String, Sendable, CaseIterable {
        case country, city, neighbourhood, street, exact
    }

    /// How often live location is answered.
    public enum UpdateMode: String, Sendable, CaseIterable {
        /// At each move that the accuracy shows.
        case standard
        /// After half a kilometre and five minutes at least: cheap for the battery.
        case significant
        /// At the arrival where one stays, and when one has left.
        case visits
    }

    private let wish: PlaceWish
    private let plugin: String
    private let parameters: [String: Escrow.Value]

    /// Describes a request; nothing happens yet. What comes back is decoded as `send(by:as:)` is told.
    /// - Parameters:
    ///   - server: who is asked, by its name in DNS.
    ///   - type: what kind of service it is.
    ///   - accuracy: the most that it is told of the place; nil for what such a service needs.
    ///   - plugin: who asks it and reads its answer: the plugin's id, or its last label where that is unique; nil for the one that the
    ///     individual has for this service.
    ///   - parameters: values for the parameters that the plugin declares.
    public static func create(
        server: String, type: ServiceType, accuracy: Accuracy? = nil, through plugin: String? = nil,
        parameters: [String: Escrow.Value] = [:]
    ) -> LocationPrivacyRequest {
        LocationPrivacyRequest(
            wish: PlaceWish(
                server: server, service: type.rawValue, accuracy: (accuracy ?? type.accuracy).rawValue),
            plugin: plugin ?? "-", parameters: parameters)
    }

    /// Sends it, and decodes what the plugin made of the answer.
    /// - Parameter type: the response's format; usually inferred.
    /// - Throws: `EscrowError` (`E0617` where the plugin does something else), `DecodingError`, `CancellationError`.
    public func send<Response: Decodable & Sendable>(
        by escrow: Escrow, as type: Response.Type = Response.self
    ) async throws -> Response {
        try await escrow.run(nil, compute: plugin, arguments: parameters, place: wish)
    }

    /// Sends it now and whenever this machine has moved, under the same grant; the app gets results and no place.
    ///
    ///     for try await articles: Articles in request.updates(by: escrow, mode: .significant) { show(articles) }
    ///
    /// It starts where the sequence is made, and stops where nobody iterates over it any more: by `break`, or with the task. The
    /// individual decides about live location for each app (`escrow location live allow`), and sees who follows.
    ///
    /// - Parameter type: the response's format; usually inferred.
    /// - Returns: a result for each update that gave one; newer ones replace what was not read yet. Ends with `EscrowError`: `E1372`
    ///   where nobody decided yet, `E1371` where it never may, `E1370` where nobody knows where this machine is, and what ends a run.
    public func updates<Response: Decodable & Sendable>(
        by escrow: Escrow, mode: UpdateMode = .standard, as type: Response.Type = Response.self
    ) -> AsyncThrowingStream<Response, any Error> {
        let mode: FollowMode =
            switch mode {
            case .standard: .standard
            case .significant: .significant
            case .visits: .visits
            }
        return escrow.updates(of: wish, mode, compute: plugin, arguments: parameters, as: type)
    }
}
