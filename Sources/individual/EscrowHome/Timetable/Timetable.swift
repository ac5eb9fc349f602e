import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// What runs by itself, `timetable.json` of the home.
public struct Timetable: Sendable {
    private let file: StoreFile
    private let presence: String

    /// The most that there may be.
    static let most = 64
    /// After so long without the individual nothing runs by itself: who is away for a month may not want it any more.
    static let longestAbsence: Int64 = 30 * 86_400

    package init(home: String) {
        file = StoreFile(
            home + "/timetable.json", limit: 1 << 18, help: "escrow schedule remove what you no longer need")
        presence = home + "/present"
    }

    /// All, in the order in which they were set. E0017 for a file that is not understood.
    public func list() throws(Diagnostic) -> [PeriodicRun] {
        guard let bytes = try file.read() else { return [] }
        return try read(bytes)
    }

    private func read(_ bytes: [UInt8]) throws(Diagnostic) -> [PeriodicRun] {
        do throws(JSONError) {
            var runs: [PeriodicRun] = []
            for node in try JSONParser.parse(bytes).requireArray() { runs.append(try PeriodicRun(node)) }
            return runs
        } catch {
            throw Diagnostic(
                .homeDamaged, "your timetable is not understood: \(error.message)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                help: "remove the file and set it anew: escrow schedule add")
        }
    }

    /// Sets one.
    public func add(
        app: String, plugin: String, arguments: [String: String], every: PeriodicRun.Every, onCharge: Bool
    ) throws(Diagnostic) -> PeriodicRun {
        var generator = SystemRandomNumberGenerator()
        let run = PeriodicRun(
            id: "t-" + String(generator.next() & 0xFFFF_FFFF_FFFF | 1 << 47, radix: 16), app: app,
            plugin: plugin, arguments: arguments, every: every, onCharge: onCharge,
            since: ConsentTime.now().description)
        try change { all throws(Diagnostic) in
            guard all.count < Self.most else {
                throw Diagnostic(
                    .fileWouldNotBeReadable, "your timetable has \(Self.most) entries, no more",
                    help: "escrow schedule remove what you no longer need")
            }
            all.append(run)
        }
        return run
    }

    /// Takes one back; false where there is none of that id.
    public func remove(_ id: String) throws(Diagnostic) -> Bool {
        var isThere = false
        try change { all in
            isThere = all.contains { $0.id == id }
            all.removeAll { $0.id == id }
        }
        return isThere
    }

    /// After how many seconds to look again; nil where nothing runs by itself, so that nobody need look before the file changes.
    ///
    /// What is due and did not run waits for power or for the individual: no call of the kernel waits for either, so it is looked
    /// for once a minute. Whatever the clock is set to meanwhile is seen within an hour.
    package func pause(at now: Int64) throws(Diagnostic) -> Int32? {
        guard let next = try list().map({ $0.secondsToDue(at: now) }).min() else { return nil }
        return next == 0 ? 60 : Int32(min(next, 3_600))
    }

    /// Claims what is due now, so that no second process runs it as well.
    package func claim(at now: Int64, isCharging: Bool?) throws(Diagnostic) -> [PeriodicRun] {
        var due: [PeriodicRun] = []
        guard try list().contains(where: { $0.isDue(at: now) }) else { return [] }
        try change { all in
            for index in all.indices where all[index].isDue(at: now) {
                guard !all[index].onCharge || isCharging == true else { continue }
                due.append(all[index])
                all[index].last = now
            }
        }
        return due
    }

    /// Takes note of how one ended.
    package func note(_ id: String, _ end: String, at now: Int64) throws(Diagnostic) {
        try change { all in
            guard let index = all.firstIndex(where: { $0.id == id }) else { return }
            all[index].note(end, at: now)
        }
    }

    private func change(_ body: (inout [PeriodicRun]) throws(Diagnostic) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(file.path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var all = try list()
        try body(&all)
        try file.replace(with: JSONWriter.document(.array(all.map(\.json)))) { (bytes) throws(Diagnostic) in
            _ = try read(bytes)
        }
    }

    // MARK: The individual

    /// The individual is here: at a terminal, or on their page.
    public func seeIndividual() {
        let descriptor = open(presence, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        futimens(descriptor, nil)
        close(descriptor)
    }

    /// Whether they were not here for a month. Where nobody looked yet, they are.
    public func isIndividualAway(at now: Int64) -> Bool {
        var status = stat()
        guard lstat(presence, &status) == 0 else { return false }
        return now - Int64(status.st_mtim.tv_sec) > Self.longestAbsence
    }
}
