import EscrowConsent
import EscrowDevice
public import EscrowDiagnostics
public import EscrowHome
import Glibc

extension Host {
    /// What runs by itself.
    public var timetable: Timetable { Timetable(home: home.path) }

    /// Runs what is due, one after the other: under decisions that stand, since nobody is there to be asked. What a run returns is
    /// dropped, as no app waits for it: such a run is for what it sends and does. Gives how each ended.
    @discardableResult
    public func runDue(
        at moment: Int64? = nil, cancellation: Runner.Cancellation = Runner.Cancellation()
    ) throws(Diagnostic) -> [(run: PeriodicRun, failure: Diagnostic?)] {
        let timetable = timetable
        let now = moment ?? Int64(time(nil))
        guard !timetable.isIndividualAway(at: now) else { return [] }
        var ends: [(run: PeriodicRun, failure: Diagnostic?)] = []
        for entry in try timetable.claim(at: now, isCharging: device.state(asksNetwork: false).charging) {
            var request = RunRequest(app: entry.app, plugin: entry.plugin, arguments: entry.arguments)
            request.schedule = entry.id
            var failure: Diagnostic?
            do throws(Diagnostic) {
                _ = try Runner(
                    host: self, cancellation: cancellation
                ).run(request)
            } catch { failure = error }
            try timetable.note(entry.id, failure?.code.rawValue ?? "done", at: now)
            ends.append((entry, failure))
            if cancellation.isCancelled { break }
        }
        return ends
    }

    /// Runs what is due, for ever. Asleep until something is, or until the timetable changes: without one nobody is ever woken.
    public func keepTimetable() -> Never {
        let never = Runner.Cancellation()
        // Watched before it is read, so that no change falls in between.
        let changes = try? HomeChanges(home.path, never, for: .replacements)
        while true {
            // A plan that cannot be read keeps nothing else from being served; `escrow schedule list` says why.
            _ = try? runDue(cancellation: never)
            let pause: Int32?
            do throws(Diagnostic) { pause = try timetable.pause(at: Int64(time(nil))) } catch { pause = nil }
            if let changes { changes.wait(seconds: pause) } else { sleep(60) }
        }
    }
}
