/// One of the individual's rules about how exactly they are told to a service.
public struct LocationRule: Sendable, Hashable {
    /// Its name, unique in a home.
    public var id: String
    /// The app that is answered; nil for any.
    public var app: String?
    /// The kind of service; nil for any.
    public var service: ServiceType?
    /// Minutes of the local day, the second not included; from a greater to a smaller one it holds over midnight.
    public var hours: Hours?
    /// Only there: a sensitive place; nil for anywhere.
    public var near: Circle?
    /// The most that is told.
    public var exactness: Telling
    /// How much planar Laplace may spend in a day for it; nil for what is usual.
    public var budget: Double?

    /// A part of each day.
    public struct Hours: Sendable, Hashable {
        public let from: Int
        public let until: Int

        /// Takes two minutes of the day that differ; nil for others.
        public init?(from: Int, until: Int) {
            guard (0..<1_440).contains(from), (0..<1_440).contains(until), from != until else { return nil }
            (self.from, self.until) = (from, until)
        }

        func contains(_ minute: Int) -> Bool {
            from < until ? (from..<until).contains(minute) : minute >= from || minute < until
        }
    }

    /// A place and what lies around it.
    public struct Circle: Sendable, Hashable {
        public let centre: Coordinates
        public let metres: Double

        /// Nil for a radius that no mask has.
        public init?(_ centre: Coordinates, metres: Double) {
            guard Mechanism.metresRange.contains(metres) else { return nil }
            (self.centre, self.metres) = (centre, metres)
        }
    }

    /// Names a rule.
    public init(
        id: String, app: String? = nil, service: ServiceType? = nil, hours: Hours? = nil,
        near: Circle? = nil, exactness: Telling, budget: Double? = nil
    ) {
        self.id = id
        self.app = app
        self.service = service
        self.hours = hours
        self.near = near
        self.exactness = exactness
        self.budget = budget
    }

    func isAbout(_ app: String, _ service: ServiceType) -> Bool {
        self.app ?? app == app && self.service ?? service == service
    }
}

/// The rules together: each can only make what is told less exact, so their order does not matter.
extension [LocationRule] {
    /// The most that an app's service may be told at any time and place; `wanted` where no rule says less.
    public func most(_ wanted: Telling, app: String, service: ServiceType) -> Telling {
        least(wanted) { $0.isAbout(app, service) && $0.hours == nil && $0.near == nil }
    }

    /// What it is told at a minute of the day and at a place.
    public func now(
        _ wanted: Telling, app: String, service: ServiceType, minute: Int, at point: Coordinates
    ) -> Telling {
        least(wanted) { rule in
            rule.isAbout(app, service) && rule.hours?.contains(minute) ?? true
                && rule.near.map { Ellipsoid.distance($0.centre, point) <= $0.metres } ?? true
        }
    }

    private func least(_ wanted: Telling, _ holds: (LocationRule) -> Bool) -> Telling {
        filter(holds).map(\.exactness).reduce(wanted, Telling.least)
    }

    /// What a mechanism masks instead of the place, where a publisher chose it and no rule of the individual's did: the answer by a
    /// rule's mechanism of its step, else by the ladder's own mask. Nil for what masks the place itself.
    public func basis(of telling: Telling, app: String, service: ServiceType) -> Telling? {
        guard let mechanism = telling.mechanism else { return nil }
        let own = filter { $0.isAbout(app, service) }.map(\.exactness)
        if own.contains(telling) { return nil }
        // At any time and place, so that there is one basis.
        let masks = own.filter { $0.mechanism != nil && $0.step == telling.step }
        if let first = masks.first { return masks.reduce(first, Telling.least) }
        return mechanism == telling.step.mechanism ? nil : Telling(telling.step)
    }

    /// How much planar Laplace may spend in a day for an app's service, by whichever mechanism: the least that a rule about it says,
    /// else ten answers.
    public func budget(_ epsilon: Double, app: String, service: ServiceType) -> Double {
        filter { $0.isAbout(app, service) }.compactMap(\.budget).min()
            ?? epsilon * PredictiveTrace.answersADay
    }
}
