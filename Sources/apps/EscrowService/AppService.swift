import EscrowAppHost
import EscrowAppWire
import EscrowApps
import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowHome
public import EscrowHost
import Glibc
import Synchronization

/// The escrow as a service of the individual's: apps ask over Unix sockets, and the individual is asked where they look.
public final class AppService: Sendable {
    let host: Host
    let version: String
    let book = RunBook()
    let desk: QuestionDesk
    let notifier = Notifier()
    let watchers = Watchers()
    let apps: AppBook
    private let warm: WarmHost
    private let running = Atomic(0)

    /// How long an app may have the individual asked, in seconds.
    static let longestPatience = 300

    /// Takes over a host.
    public init(host: Host, version: String) throws(Diagnostic) {
        self.host = host
        self.version = version
        desk = QuestionDesk(home: host.home.path)
        apps = AppBook(home: host.home.path)
        warm = try WarmHost(host)
    }

    /// Serves for ever over sockets that listen. Throws where it cannot begin.
    public func serve(open: Int32, control: Int32) throws(Diagnostic) -> Never {
        Home.removeLeftovers(of: host.home.path)
        let server = try HTTPServer { [self] exchange in
            // What may take long, or wait for the individual, has a thread.
            if !SystemThread.start(name: "request", stackBytes: 4 << 20, { [self] in answer(exchange) }) {
                exchange.reply(
                    .answer(Answer(.tooManyRequestsOpen, "too many requests are open at once", status: 503)))
            }
        }
        let gate = try Gate(server)
        gate.open(open)
        gate.control(control)
        _ = SystemThread.start(name: "timetable", stackBytes: 4 << 20) { [host] in host.keepTimetable() }
        withExtendedLifetime(server) { gate.run() }
    }

    func hostForRun() throws(Diagnostic) -> Host { try warm.forRun() }

    // MARK: Runs

    /// Runs, on this thread, and has the individual asked where nobody has decided; for so many seconds the app waits for that.
    func perform(_ run: ServiceRun, _ request: RunRequest, patience: Int) {
        running.add(1, ordering: .relaxed)
        do throws(Diagnostic) {
            let result = try result(
                run, request, until: monotonicNanoseconds() + UInt64(patience) * 1_000_000_000)
            run.end(.success(AppResult(result)), at: monotonicNanoseconds())
        } catch {
            let failure = host.told(error, app: request.app, plugin: request.plugin, run.cancellation)
            run.end(.failure(failure), at: monotonicNanoseconds())
        }
        run.cancellation.release()
        book.ended(run)
        let left = running.subtract(1, ordering: .relaxed).newValue
        guard let host = try? hostForRun() else { return }
        host.refillSpare()
        if left == 0 {
            try? host.recordUndecidedRest()
            if host.isTidyingOverdue() { _ = try? host.tidyLedgerIfDue() }
        }
    }

    private func result(
        _ run: ServiceRun, _ request: RunRequest, until deadline: UInt64
    ) throws(Diagnostic) -> RunResult {
        var asked: Set<Diagnostic.Code> = []
        while true {
            let host = try hostForRun()
            let runner = Runner(
                host: host, cancellation: run.cancellation,
                patience: .stay)
            // Who was told no a moment ago asks nobody; whether it may run is looked up all the same.
            if desk.isQuiet(Asker(run)), try runner.plan(request).status == .notDetermined {
                throw .nobodyAsked()
            }
            do throws(Diagnostic) { return try runner.run(request) } catch {
                // First whether it may, then of what: each is asked once.
                guard [.undecided, .nobodyToPick].contains(error.code), !run.cancellation.isCancelled,
                    asked.insert(error.code).inserted
                else { throw error }
                let picks = error.code == .nobodyToPick
                // Where too much of it waits already nobody can be asked.
                guard picks ? host.isKeptToPick(request) : host.isPending(request) else { throw error }
                if picks { tellToPick(Asker(run)) } else { tell(Asker(run)) }
                run.asks()
                switch try waits(run, request, toPick: picks, until: deadline) {
                case true?: desk.allowed(Asker(run))
                case false?:
                    desk.refused(Asker(run))
                    throw Diagnostic(.denied, "the individual said no")
                case nil: throw error
                }
            }
        }
    }

    /// True once it may run, false once the individual said no, nil where nobody answered in time.
    private func waits(
        _ run: ServiceRun, _ request: RunRequest, toPick: Bool, until deadline: UInt64
    ) throws(Diagnostic) -> Bool? {
        guard deadline > monotonicNanoseconds() else { return nil }
        var seen: [FileStamp?]?
        return try desk.wait(until: deadline, run.cancellation) { () throws(Diagnostic) -> Bool? in
            let now =
                toPick
                ? ["picked.json", "to-pick.json"].map { FileStamp(path: "\(host.home.path)/\($0)") }
                : decisionStamps()
            guard now != seen else { return nil }
            seen = now
            if toPick {
                if host.isPicked(request) { return true }
                return host.isKeptToPick(request) ? nil : false
            }
            let runner = Runner(host: try hostForRun())
            switch try runner.plan(request).status {
            case .authorized, .restricted: return true
            case .denied: return false
            case .notDetermined: return host.isPending(request) ? nil : false
            }
        }
    }

    /// The state of the files that an answer changes: runs of others change the home all the time.
    func decisionStamps() -> [FileStamp?] {
        let home = host.home.path
        return ["grants.json", "pending.json", "preferences.json", "restrictions"].map {
            FileStamp(path: "\(home)/\($0)")
        }
    }

    /// Shows the individual what somebody asks, the oldest first.
    private func tell(_ asker: Asker) {
        let host = host
        notifier.show(of: asker) {
            guard let waiting = try? host.undecidedRequests(where: { Asker($0.request) == asker }),
                let first = waiting.first
            else { return nil }
            return Notifier.Notice(first, more: waiting.count - 1) { request, answer in
                // What is asked now may be other than what was shown: an answer is for what was shown.
                guard let now = try? host.undecidedRequests(where: { $0.id == request.id }).first,
                    now.description == request.description
                else { return }
                _ = try? host.settle(request, answer)
            }
        }
    }

    /// Tells the individual that somebody waits until they pick.
    private func tellToPick(_ asker: Asker) {
        notifier.show(of: asker) { [host] in
            let waiting = try? host.pickRequests()
            return waiting?.first { Asker($0.description.app, $0.description.proof) == asker }.map {
                Notifier.Notice($0)
            }
        }
    }
}

extension Diagnostic {
    fileprivate static func nobodyAsked() -> Diagnostic {
        Diagnostic(.undecided, "the individual said no a moment ago, and is not asked again so soon")
    }
}
