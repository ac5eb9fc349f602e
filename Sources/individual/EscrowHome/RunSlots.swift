package import EscrowDiagnostics
import EscrowFiles
import Glibc

/// The places for runs of one home. Every run holds one while it is under way, in whatever process it runs; who finds none
/// waits for its turn.
///
/// A place is a file in `runs/open`, locked (flock(2)) by the process that runs, so that the kernel frees it with the process,
/// however it ends. Its name says all that others need to know; whether a process is still there is only looked at where that would
/// make room, or where somebody waits. The turns go by the order of asking. A run that waits for others of its own app is passed by those of
/// other apps, so that no app can keep the places of all.
package struct RunSlots: Sendable {
    /// The folder `runs` of the home.
    package let directory: String
    package let caps: RunCaps

    /// The slots of a home.
    package init(directory: String, caps: RunCaps) {
        self.directory = directory
        self.caps = caps
    }

    /// The most runs of one app that wait at a time.
    package static let mostWaiting = 64

    /// One run that is under way, or waits.
    package struct Entry: Equatable {
        /// The order of asking.
        let sequence: Int
        let run: String
        let app: String
        let memoryMiB: Int
        package var isRunning: Bool
    }

    /// What keeps a run from beginning.
    package enum Obstacle { case ownApp, home }

    private var open: String { directory + "/open" }

    /// Takes a place, and waits for it where there is none. Throws E0050 where too many of the same app wait already, or
    /// somebody cancelled.
    package func take(
        run: String, app: String, memoryMiB: Int, _ cancellation: any Cancelling
    ) throws(Diagnostic) -> RunSlot {
        try SecureFile.makeFolder(open)
        var place = try ask(run: run, app: app, memoryMiB: memoryMiB)
        if place.entry.isRunning { return place }
        place.hasWaited = true
        let changes = try HomeChanges(open, cancellation)
        while try !begin(&place) {
            guard !cancellation.isCancelled else {
                throw Diagnostic(.noPlaceForTheRun, "the run was withdrawn while it waited for its turn")
            }
            // A process that was killed closes its file a moment before the lock is free: that is seen a second later.
            changes.wait(seconds: 1)
        }
        return place
    }

    /// All that run or wait, in the order in which they asked. What a process that is gone left behind is removed.
    package func list() throws(Diagnostic) -> [Entry] {
        guard access(open, F_OK) == 0 else { return [] }
        return try exclusively { () throws(Diagnostic) in try alive() }
    }

    /// What keeps `entry` from beginning: what runs already, or somebody who asked before. Nil where nothing does.
    package static func obstacle(of entry: Entry, among all: [Entry], _ caps: RunCaps) -> Obstacle? {
        let running = all.filter(\.isRunning)
        func own(_ entry: Entry) -> Obstacle? {
            let siblings = running.filter { $0.app == entry.app }
            if !caps.app.hasRoom(for: entry, beside: siblings) { return .ownApp }
            return caps.home.hasRoom(for: entry, beside: running) ? nil : .home
        }
        if let obstacle = own(entry) { return obstacle }
        let before = all.filter { !$0.isRunning && $0.sequence < entry.sequence }
        if before.contains(where: { $0.app == entry.app }) { return .ownApp }
        return before.contains { own($0) != .ownApp } ? .home : nil
    }

    /// Asks for a place; one that is free at once is taken by the same step.
    private func ask(run: String, app: String, memoryMiB: Int) throws(Diagnostic) -> RunSlot {
        try exclusively { () throws(Diagnostic) in
            var all = try entries()
            var own = Entry(
                sequence: (all.last?.sequence ?? 0) + 1, run: run, app: app, memoryMiB: memoryMiB,
                isRunning: false)
            if all.contains(where: { !$0.isRunning }) || Self.obstacle(of: own, among: all, caps) != nil {
                all = try alive()
            }
            guard all.count(where: { $0.app == app && !$0.isRunning }) < Self.mostWaiting else {
                throw Diagnostic(
                    .noPlaceForTheRun, "\(Self.mostWaiting) runs of \(app) wait for their turn already",
                    help: "let some of them end first; escrow doctor shows how many are under way")
            }
            own.isRunning = Self.obstacle(of: own, among: all, caps) == nil
            let path = path(of: own)
            let file = try Descriptor(opening: path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            guard flock(file.raw, LOCK_EX | LOCK_NB) == 0 else {
                throw .file(path, "cannot be locked", errno)
            }
            if own.isRunning { try wakeNext(among: all, path) }
            return RunSlot(own, path, file)
        }
    }

    private func begin(_ place: inout RunSlot) throws(Diagnostic) -> Bool {
        try exclusively { () throws(Diagnostic) in
            let all = try alive()
            var own = place.entry
            guard all.contains(own), Self.obstacle(of: own, among: all, caps) == nil else { return false }
            own.isRunning = true
            // The new name wakes the next in turn, too.
            try place.become(own, path(of: own))
            return true
        }
    }

    /// Where two places became free at once, the next in turn is to look again: a closed file wakes it.
    private func wakeNext(among others: [Entry], _ path: String) throws(Diagnostic) {
        if others.contains(where: { !$0.isRunning }) {
            _ = try Descriptor(opening: path, O_WRONLY | O_NOFOLLOW)
        }
    }

    private func exclusively<Result: ~Copyable>(_ body: () throws(Diagnostic) -> Result) throws(Diagnostic)
        -> Result
    {
        let lock = try FileLock.acquire(directory + "/lock")
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// All by their names, in the order in which they asked; processes that are gone among them.
    private func entries() throws(Diagnostic) -> [Entry] {
        try Folder.names(open).compactMap(Entry.init(fileName:)).sorted { $0.sequence < $1.sequence }
    }

    /// The same without those that are gone, whose files are removed, whatever they are called.
    private func alive() throws(Diagnostic) -> [Entry] {
        var alive: [Entry] = []
        for name in try Folder.names(open) where !name.hasPrefix(".") {
            let path = "\(open)/\(name)"
            // For reading alone: otherwise each look would wake everybody who waits for a file to be closed.
            let raw = retrying { Glibc.open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC) }
            // A run that ends takes its file away without asking anybody.
            if raw < 0, errno == ENOENT { continue }
            guard raw >= 0 else { throw .file(path, "cannot be opened", errno) }
            let file = Descriptor(owning: raw)
            if flock(file.raw, LOCK_SH | LOCK_NB) == 0 {
                unlink(path)
            } else if let entry = Entry(fileName: name) {
                alive.append(entry)
            }
        }
        return alive.sorted { $0.sequence < $1.sequence }
    }

    private func path(of entry: Entry) -> String { "\(open)/\(entry.fileName)" }
}

extension RunSlots.Entry {
    /// `NUMBER_RUN_runs_MEMORY_APP`: neither a run's id nor an app's has a line below.
    var fileName: String { "\(sequence)_\(run)_\(isRunning ? "runs" : "waits")_\(memoryMiB)_\(app)" }

    init?(fileName: String) {
        let words = fileName.split(separator: "_", omittingEmptySubsequences: false)
        guard words.count == 5, let sequence = Int(words[0]), let memory = Int(words[3]),
            words[2] == "runs" || words[2] == "waits"
        else { return nil }
        self.init(
            sequence: sequence, run: String(words[1]), app: String(words[4]), memoryMiB: memory,
            isRunning: words[2] == "runs")
    }
}

/// A run's place: free again when this value goes, or its process.
package struct RunSlot: ~Copyable {
    fileprivate private(set) var entry: RunSlots.Entry
    fileprivate private(set) var path: String
    private let file: Descriptor
    /// Whether it was not free at once: what was decided before may be otherwise by now.
    package fileprivate(set) var hasWaited = false

    fileprivate init(_ entry: RunSlots.Entry, _ path: String, _ file: consuming Descriptor) {
        self.entry = entry
        self.path = path
        self.file = file
    }

    deinit { unlink(path) }

    /// From waiting to running, by its name.
    fileprivate mutating func become(_ entry: RunSlots.Entry, _ path: String) throws(Diagnostic) {
        guard rename(self.path, path) == 0 else { throw .file(self.path, "cannot be renamed", errno) }
        self.entry = entry
        self.path = path
    }
}

extension RunSlots {
    /// How many run and wait, for `escrow doctor`.
    package func summary() throws(Diagnostic) -> String {
        let all = try list()
        let running = all.filter(\.isRunning)
        guard !all.isEmpty else { return "none under way" }
        let memory = running.reduce(0) { $0 + $1.memoryMiB }
        return "\(running.count) under way with at most \(memory) MiB, \(all.count - running.count) wait"
    }
}
