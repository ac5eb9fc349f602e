import EscrowAppWire

/// A request to a service that is told where the individual is, without the app ever knowing: the location privacy framework's
/// `create` and `send`.
///
///     let request = LocationPrivacyRequest.create(
///         server: "api.openweathermap.org", type: .weather, accuracy: .city, through: "weather")
///     let weather: Weather = try await request.send(by: escrow)
///
/// The host reads the place, masks it by the individual's rules, sends it among dummies where it must, and hands back what the plugin
/// makes of the true answer. A plugin that tells another server, another kind of service, or more than `accuracy`, does not run.
public struct LocationPrivacyRequest: Sendable {
    /// What kind of service is asked.
    public enum ServiceType: String, Sendable, CaseIterable {
        case region, weather, news, nearby, social, delivery, navigation, emergency
    }

    /// The most that it is told, the least first.
    public enum Accuracy: String, Sendable, CaseIterable {
        case country, city, neighbourhood, street, exact
    }

    private let wish: PlaceWish
    private let plugin: String
    private let parameters: [String: Escrow.Value]

    /// Describes a request; nothing happens yet.
    /// - Parameters:
    ///   - server: who is asked, by its name in DNS.
    ///   - type: what kind of service it is.
    ///   - accuracy: the most that it is told of the place.
    ///   - plugin: who asks it and reads its answer: the plugin's id, or its last label where that is unique.
    ///   - parameters: values for the parameters that the plugin declares.
    public static func create(
        server: String, type: ServiceType, accuracy: Accuracy, through plugin: String,
        parameters: [String: Escrow.Value] = [:]
    ) -> LocationPrivacyRequest {
        LocationPrivacyRequest(
            wish: PlaceWish(server: server, service: type.rawValue, accuracy: accuracy.rawValue),
            plugin: plugin, parameters: parameters)
    }

    /// Sends it, and decodes what the plugin made of the answer.
    /// - Parameter type: the response's format; usually inferred.
    /// - Throws: `EscrowError` (`E0617` where the plugin does something else), `DecodingError`, `CancellationError`.
    public func send<Response: Decodable & Sendable>(
        by escrow: Escrow, as type: Response.Type = Response.self
    ) async throws -> Response {
        try await escrow.run(nil, compute: plugin, arguments: parameters, place: wish)
    }
}
