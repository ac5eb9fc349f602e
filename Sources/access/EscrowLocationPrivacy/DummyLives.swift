internal import Glibc

/// Dummies that live: each has a home of its own and goes where the individual goes, turned by an angle of its own. So a
/// dummy stays when the individual stays, comes back when they come back, and is never faster: what tells dummies from a
/// life by its history finds nothing. Where the individual is in a settled place, so are their dummies.
public struct DummyLives: Sendable {
    private let home: Coordinates
    private let gazetteer: Gazetteer
    private let lives: [(home: Coordinates, turn: Double)]

    /// How far the individual may be from home: beyond it dummies would be other than they are on a plane.
    public static let farthest = 100_000.0
    /// From so many of the nearest places homes are drawn.
    static let pool = 72

    /// Begins so many lives; nil where the gazetteer has too few places.
    /// - Parameters:
    ///   - home: the individual's anchor, any place of theirs; the same for as long as dummies are to live on.
    public init?(_ count: Int, home: Coordinates, key: MaskKey, gazetteer: Gazetteer) {
        guard (1...99).contains(count) else { return nil }
        // The same pool for most counts: where k changes, the lives that were seen go on.
        let near = gazetteer.nearest(max(Self.pool, count * 2), to: home)
        guard near.count >= count else { return nil }
        let cell = CellGrid(metres: 100).cell(of: home, last: nil)
        var draws = key.draws(key.purpose("life"), cell)
        // Not simply the nearest: who knows the gazetteer could compute their middle.
        let homes = near.map(\.place).shuffled(using: &draws).prefix(count)
        self.home = home
        self.gazetteer = gazetteer
        lives = homes.map { place in
            let start = Displacement.ring(0, Gazetteer.reach(place), using: &draws).from(place.coordinates)
            return (start, 360 * Displacement.uniform(&draws))
        }
    }

    /// Where the dummies are when the individual is at a place; nil beyond 100 km from home.
    public func places(when point: Coordinates) -> [Coordinates]? {
        let metres = Ellipsoid.distance(home, point)
        guard metres <= Self.farthest else { return nil }
        let bearing = metres > 0 ? Ellipsoid.bearing(home, point) : 0
        let isSettled = gazetteer.isSettled(point)
        return lives.map { life in
            let place = Ellipsoid.point(from: life.home, bearing: bearing + life.turn, metres: metres)
            return isSettled ? settled(place) : place
        }
    }

    /// The point of the nearest place's disc that is nearest: whoever moves along a disc's rim is not faster than outside.
    private func settled(_ point: Coordinates) -> Coordinates {
        guard !gazetteer.isSettled(point), let near = gazetteer.nearest(to: point) else { return point }
        let reach = Gazetteer.reach(near.place)
        return Ellipsoid.point(
            from: near.place.coordinates, bearing: Ellipsoid.bearing(near.place.coordinates, point),
            metres: min(reach, near.metres) * 0.999)
    }
}
