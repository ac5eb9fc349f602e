import EscrowConsent
import EscrowDevice
public import EscrowDiagnostics
import EscrowHome

/// A run that is decided, and waits for something else than the individual.
public struct WaitingRun: Sendable, Equatable {
    /// What makes it go on.
    public enum Continuation: String, Sendable {
        /// The app that holds it.
        case app
        /// The service, by the timetable.
        case timetable
        /// The individual, by `escrow queue run`.
        case queue
    }

    /// Of the queue, `q-` and digits, or of the timetable, `t-` and digits.
    public let id: String
    /// Since when, RFC 3339 UTC; of the timetable, when it was set.
    public let since: String
    /// For whom it runs.
    public let app: String
    /// What runs.
    public let plugin: String
    /// What is missing now, in words; empty where nothing is any more.
    public let needs: [String]
    /// What makes it go on.
    public let by: Continuation
}

extension Host {
    /// What waits for the device or for the service, as it is now: the queue, then what the timetable has due.
    public func waitingRuns(at now: Int64) throws(Diagnostic) -> [WaitingRun] {
        let runner = Runner(host: self)
        var runs: [WaitingRun] = []
        for entry in try queue.list() {
            // What can be planned no more tells what was missing when it was looked at last.
            let needs = (try? runner.plan(entry.request))?.decision.grounds.waitsFor ?? entry.missing
            runs.append(
                WaitingRun(
                    id: entry.id, since: entry.since, app: entry.request.app, plugin: entry.request.plugin,
                    needs: needs, by: entry.isHeld ? .app : .queue))
        }
        let due = try timetable.list().filter { $0.isDue(at: now) }
        guard !due.isEmpty else { return runs }
        let isAway = timetable.isIndividualAway(at: now)
        let isCharging = device.state(asksNetwork: false).charging
        for run in due {
            var needs = isAway ? ["you, who were not here for a month"] : []
            if run.onCharge, isCharging != true {
                needs.append("external power" + (isCharging == nil ? " (this device does not tell)" : ""))
            }
            runs.append(
                WaitingRun(
                    id: run.id, since: run.since, app: run.app, plugin: run.plugin,
                    needs: needs.isEmpty ? ["the service, which makes such runs"] : needs, by: .timetable))
        }
        return runs
    }
}
