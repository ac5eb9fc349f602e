import Glibc

/// The moments at which what a plugin brings about can be seen outside: a result by the app, a request by its server.
///
/// When something happens says something, however little is in it. So it waits for the next of a few moments, which are
/// counted from a start that the plugin has no hand in; which of them it was is all that time can tell, and people are
/// shown it in bits.
public struct TimeGrid: Sendable, Equatable {
    /// Seconds after the start, ascending.
    public let moments: [Double]

    /// Moments from `first` to the first that is not before `last`, each `factor` times as late as the one before.
    init(first: Double, factor: Double, notBefore last: Double) {
        let steps = Int((log(last / first) / log(factor)).rounded(.up))
        moments = (0...steps).map { first * pow(factor, Double($0)) }
    }

    /// What the choice of a moment can carry.
    public var bits: Double { log2(Double(moments.count)) }

    /// The first moment that is not before so many seconds after the start; nil after the last one.
    public func moment(after seconds: Double) -> Double? { moments.first { $0 >= seconds } }

    /// When a request leaves, or all that leave together, counted from the end of the one before it, or from the run's
    /// beginning: sixteen moments from
    /// 20 ms to the longest run there is, each twice as late as the one before.
    public static let requests = TimeGrid(
        first: 0.02, factor: 2, notBefore: Double(LimitName.wallSeconds.most))

    /// When a result is handed over, or that there is none, counted from the run's beginning. Four moments for each
    /// doubling: nobody waits a fifth longer than the run took. The last leaves the host a minute after the plugin's limit of
    /// time, to finish a request and to write down what happened.
    public static func results(wallSeconds: Int) -> TimeGrid {
        TimeGrid(first: 0.001, factor: pow(2, 0.25), notBefore: Double(wallSeconds) + 60)
    }
}
