import Glibc
import Synchronization

/// Some probes: all are built, all controls run, then all run inside, once for each user.
final class ProbeRun: Sendable {
    /// What came of one probe.
    struct Row: Sendable {
        let probe: Probe
        /// How it ended inside, or why it could not be tried.
        var got = ""
        /// Why the control was not run, where that is no fault.
        var skippedControl: String?
        /// Why nothing was run on this machine.
        var skipped: String?
        var failed = false
    }

    private struct Job {
        let probe: Probe
        let driver: any ProbeDriver
        /// The driver's place in the list.
        let place: Int
    }

    private let jobs: [Job]
    private let rows: Mutex<[Row]>
    /// Some probes only wait for a limit; twice the processors keeps both busy.
    private let threads = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)) * 2)

    init(_ probes: [Probe], drivers: [any ProbeDriver]) throws(ProbeFailure) {
        var jobs: [Job] = []
        for probe in probes {
            guard let place = drivers.firstIndex(where: { $0.families.contains(probe.family) }) else {
                throw ProbeFailure("\(probe.title): no driver runs the family `\(probe.family)`")
            }
            jobs.append(Job(probe: probe, driver: drivers[place], place: place))
        }
        self.jobs = jobs
        rows = Mutex(probes.map { Row(probe: $0) })
    }

    /// Builds all, runs all controls, then all inside, once for each account in turn: whoever has become
    /// another has done so for good. No account stands for whoever runs this. Returns the rows of each pass.
    func run(as accounts: [Account], in workplace: Workplace) throws(ProbeFailure) -> [[Row]] {
        let held = try Need.heldCapabilities()
        each { job, row in
            // What only another processor has cannot even be compiled here.
            let machine = job.probe.header.needs.filter(\.isOfMachine).compactMap { $0.missing(held: held) }
            row.skipped = try machine.first ?? job.driver.build(job.probe)
        }
        // A control may end before it has read what it is fed. For the runs inside the default is back: there
        // it is the sandbox's part that a plugin which does not read kills no host.
        signal(SIGPIPE, SIG_IGN)
        try Orphans.adopt()
        each { job, row in try self.control(job, &row, held) }
        Orphans.end()
        signal(SIGPIPE, SIG_DFL)
        let outside = rows.withLock { $0 }
        if accounts.isEmpty { return [try runInside()] }
        var passes: [[Row]] = []
        for account in accounts {
            rows.withLock { $0 = outside }
            if account.user != geteuid() { try account.become(giving: workplace) }
            passes.append(try runInside())
        }
        return passes
    }

    private func runInside() throws(ProbeFailure) -> [Row] {
        var prepared: Set<Int> = []
        for job in jobs where prepared.insert(job.place).inserted { try job.driver.prepareInside() }
        each { job, row in
            let end = try job.driver.inside(job.probe)
            row.got = end.text
            row.failed = end != job.probe.header.expected
        }
        return rows.withLock { $0 }
    }

    /// Does something for each probe that has not failed and was not skipped.
    private func each(_ body: @escaping @Sendable (Job, inout Row) throws -> Void) {
        inParallel(jobs.count, threads: threads) { [self] index in
            var row = rows.withLock { $0[index] }
            guard !row.failed, row.skipped == nil else { return }
            do { try body(jobs[index], &row) } catch {
                row.failed = true
                row.got = "\(error)"
            }
            let done = row
            rows.withLock { $0[index] = done }
        }
    }

    private func control(_ job: Job, _ row: inout Row, _ held: UInt64) throws(ProbeFailure) {
        let header = job.probe.header
        if let reason = header.needs.compactMap({ $0.missing(held: held) }).first {
            row.skippedControl = reason
            return
        }
        let end = try job.driver.control(job.probe)
        guard end != header.control else { return }
        if let reason = header.needs.compactMap({ $0.explains(end) }).first {
            row.skippedControl = reason
        } else {
            row.failed = true
            row.got = "VOID: the control outside must end `\(header.control.text)`, and ended `\(end.text)`"
        }
    }
}
