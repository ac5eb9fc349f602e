public import EscrowDiagnostics
import EscrowHome
public import EscrowLocation
public import EscrowLocationPrivacy
import Glibc

/// Live location: one answer for each update, for as long as the individual lets it.
extension Host {
    /// The port of gpsd on this machine, as config.json has it.
    public var gpsdPort: UInt16 { configuration.gpsdPort ?? Gpsd.port }

    /// Follows for as long as it may: whether it may is asked again at each update.
    /// - Parameters:
    ///   - hours: for how long places are kept for `Location`; 0 keeps the newest alone.
    ///   - most: how many updates are wanted at most.
    ///   - user: who has to be there, where that matters.
    ///   - answer: called for each update with its number, one after the other.
    public func follow(
        _ follow: LiveFollow, by provider: any LiveProvider, keepingHours hours: Int = 0, most: Int = .max,
        user: ProgramInUse? = nil, cancellation: Runner.Cancellation,
        _ answer: (UpdateFilter.Reason, Int) throws(Diagnostic) -> Void
    ) throws(Diagnostic) -> LiveLoop.End {
        cancellation.whenCancelled { provider.cancel() }
        var end = LiveLoop.End.cancelled
        // No finer than the rules tell the app: how often and when one moves is told, too.
        var news = try LiveNews(self, follow)
        let desired = news.desired
        try following(follow) { (running) throws(Diagnostic) in
            var loop = LiveLoop(
                provider, filter: UpdateFilter(follow.mode, desired: desired), most: most, user: user,
                isCancelled: { cancellation.isCancelled })
            var count = 0
            let id = running.id
            end = try loop.run(where: { (fix) throws(Diagnostic) in try news.isNews(fix) }) {
                (fix, reason) throws(Diagnostic) in
                // It may have been taken back.
                try live.check(follow.app)
                try keep(fix, desired: desired, hours: hours)
                count += 1
                try live.note(id, updates: count, at: fix.seconds)
                try answer(reason, count)
            }
            try live.note(id, updates: count, at: Int64(time(nil)))
            return count
        }
        return end
    }
}

/// Whether there is anything to tell an app that follows: where rules tell it less than it wants, an update comes only where what
/// they tell would be another place.
private struct LiveNews {
    private let host: Host
    private let follow: LiveFollow
    /// How exactly the app may be told at most, and wants to be.
    let desired: Exactness
    private var last: Coordinates?

    /// E1371 where the rules tell the app nothing at all.
    init(_ host: Host, _ follow: LiveFollow) throws(Diagnostic) {
        (self.host, self.follow) = (host, follow)
        let rules = try host.location.rules()
        // Which service is asked is the plugin's: the most that any kind may be told.
        desired =
            ServiceType.allCases.map {
                rules.most(Telling(follow.desired), app: follow.app, service: $0).step
            }.max() ?? .none
        guard desired != .none else {
            throw Diagnostic(
                .liveForbidden, "your rules tell \(follow.app) nothing of where you are",
                help: "see them: escrow location rule list")
        }
    }

    mutating func isNews(_ fix: LiveFix) throws(Diagnostic) -> Bool {
        let (rules, key) = try host.location.masks(of: follow.app)
        let step =
            ServiceType.allCases.map {
                rules.now(
                    Telling(follow.desired), app: follow.app, service: $0, minute: LocalDay.minuteNow(),
                    at: fix.place
                ).step
            }.max() ?? .none
        guard step < follow.desired else { return true }
        guard let mechanism = step.mechanism else { return false }
        // What cannot be masked is told nobody.
        guard
            let told = try? Mask(mechanism, key: key, gazetteer: try GazetteerFile.load())
                .apply(to: fix.place).coordinates, told != last
        else { return false }
        last = told
        return true
    }
}

extension Diagnostic {
    /// Whether the next update may go better: what forbids a run ends the following, a server that does not answer does not.
    public var passes: Bool {
        switch exitStatus {
        case .egressRefused, .pluginFailed, .limit, .waiting: true
        default: false
        }
    }
}
