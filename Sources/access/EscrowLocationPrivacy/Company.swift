internal import Glibc

/// Who could have been told the same: how well one is hidden by an answer, in the thesis's three measures (2.1), as far as the
/// gazetteer knows who lives where.
public struct Company: Sendable, Equatable {
    /// k-anonymity: how many people live where the answer can come from.
    public let people: Double
    /// l-diversity: in how many towns they live, and as how many equally likely ones these are to guess.
    public let towns: (distinct: Int, effective: Double)
    /// t-closeness: how far the spread of those towns is from that of all around, from 0 (alike) to 1. Where all live close
    /// together, whoever knows the answer knows about where one is.
    public let closeness: Double

    public static func == (left: Company, right: Company) -> Bool {
        left.people == right.people && left.towns == right.towns && left.closeness == right.closeness
    }
}

extension Gazetteer {
    /// The company of an answer that lies within so many metres of the truth.
    public func company(of told: Coordinates, within metres: Double) -> Company {
        let near = settled(within: metres, of: told)
        // Of each town those who live in the disc.
        let shares = near.map {
            Self.lens($0.metres, metres, Self.reach($0.place)) * Self.density * Self.believed
        }.filter { $0 > 0 }
        let around = within(min(metres * 10, Self.farthest), of: told)
        func spread(_ axis: KeyPath<Coordinates, Double>) -> Double {
            PrivacyMeasures.closeness(
                near.map { $0.place.coordinates[keyPath: axis] },
                to: around.map { $0.place.coordinates[keyPath: axis] }) ?? 1
        }
        return Company(
            people: shares.reduce(0, +),
            towns: (shares.count, PrivacyMeasures.effective(shares)),
            closeness: max(spread(\.latitude), spread(\.longitude)))
    }
}

extension Telling {
    /// How far from the truth it tells, in metres, where that has a bound, or nearly one: beyond it planar Laplace lies once in
    /// twenty times. Nil for what tells a region.
    public var reach: Double? {
        switch mechanism ?? step.mechanism {
        case .grid(let metres)?: metres * 0.71
        case .perturbation(let metres)?, .donut(_, let metres)?: metres
        case .planarLaplace(let epsilon)?: 4.744 / epsilon
        case Mechanism.none?: 10
        default: nil
        }
    }

    /// How far from the truth what it tells may be, in metres: of a region how far that reaches, from the point that stands for it.
    /// It follows from what is told alone, and so says nothing more.
    public func radius(of told: Coordinates, _ gazetteer: Gazetteer) -> Double {
        if let reach { return reach }
        guard case .aggregate(let level)? = mechanism ?? step.mechanism,
            let near = gazetteer.nearest(to: told)?.place
        else { return step.metres }
        return switch level {
        case .country:
            gazetteer.area(ofCountry: gazetteer.regions[near.region].country)?.radius ?? step.metres
        case .region: gazetteer.area(ofRegion: near.region)?.radius ?? step.metres
        default: Gazetteer.reach(near)
        }
    }
}
