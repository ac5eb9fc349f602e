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
        try following(follow) { (running) throws(Diagnostic) in
            var loop = LiveLoop(
                provider, filter: UpdateFilter(follow.mode, desired: follow.desired), most: most, user: user,
                isCancelled: { cancellation.isCancelled })
            var count = 0
            let id = running.id
            end = try loop.run { (fix, reason) throws(Diagnostic) in
                // It may have been taken back.
                try live.check(follow.app)
                try keep(fix, desired: follow.desired, hours: hours)
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

extension Diagnostic {
    /// Whether the next update may go better: what forbids a run ends the following, a server that does not answer does not.
    public var passes: Bool {
        switch exitStatus {
        case .egressRefused, .pluginFailed, .limit, .waiting: true
        default: false
        }
    }
}
