/// k of Algorithm 1: among how many requests the true one is hidden. The thesis (5.4.1) has it follow from the kind of service,
/// from how densely people live, from the accuracy and from how much time there is.
public enum KValue {
    /// No service is sent more at once.
    public static let most = 30

    /// k for a service.
    /// - Parameters:
    ///   - service: nil for the listing's K.
    ///   - metres: how far from the truth a place may be.
    ///   - neighbours: how many people live within ten kilometres.
    /// - Returns: 1 where no dummy is sent at all.
    public static func people(for service: ServiceType?, accuracy metres: Double, neighbours: Int) -> Int {
        guard let service else { return Exactness.people }
        guard service.people > 1 else { return 1 }
        var tenths = service.people * 10
        // The finer an answer is, the more it says of who is there.
        if metres < fine { tenths = tenths * 3 / 2 }
        // Where nearly nobody lives, each dummy is soon found to be none of them.
        if neighbours < few { tenths = tenths * 3 / 2 }
        return min((tenths + 9) / 10, most)
    }

    /// The most that `people(for:accuracy:neighbours:)` ever says.
    public static func most(for service: ServiceType, accuracy metres: Double) -> Int {
        people(for: service, accuracy: metres, neighbours: 0)
    }

    /// Below so many metres a place is fine.
    static let fine = 500.0
    /// Fewer people than these within `around` metres are few.
    static let (few, around) = (1_000, 10_000.0)
}

extension ServiceType {
    /// k of a service whose accuracy is a neighbourhood's, where enough people live.
    var people: Int {
        switch self {
        // Who meets people is known by some of them.
        case .social: 20
        case .region, .weather, .news, .nearby: 10
        // Somebody waits for the answer, and each dummy makes it later.
        case .navigation: 5
        // Nobody sends an order or a call for help to a place where nobody is.
        case .delivery, .emergency: 1
        }
    }
}
