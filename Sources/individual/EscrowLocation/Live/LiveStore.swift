public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// Who may follow the individual live, who does, and who did in the last day, in `live.json` of a home. Each call reads the
/// file anew.
public struct LiveStore: Sendable {
    /// When an app may be told of moves.
    public enum Permission: String, Sendable, CaseIterable {
        case never
        /// As long as the program runs that began it.
        case whileUsing = "while-using"
        case always

        /// As the individual reads it.
        public var words: String {
            switch self {
            case .never: "is never told live where you are"
            case .whileUsing: "may be told live where you are while you use it"
            case .always: "may be told live where you are at any time"
            }
        }
    }

    private let file: StoreFile
    private let lockPath: String
    private let directory: String

    /// For how long it is shown after its end, in seconds.
    public static let shownSeconds: Int64 = 24 * 3_600

    /// Names the home's folder.
    public init(directory: String) {
        self.directory = directory
        file = StoreFile(
            "\(directory)/live.json", limit: LiveFile.maximumBytes,
            help: "forget apps: escrow location live allow --app ID never")
        lockPath = "\(directory)/live.json.lock"
    }

    /// What the individual decided about each app, by its id.
    public func permissions() throws(Diagnostic) -> [(app: String, permission: Permission)] {
        try read().apps
    }

    /// What they decided about one; nil where they did not.
    public func permission(of app: String) throws(Diagnostic) -> Permission? {
        try read().apps.first { $0.app == app }?.permission
    }

    /// Decides about an app.
    public func allow(_ app: String, _ permission: Permission) throws(Diagnostic) {
        try change { file throws(Diagnostic) in
            file.apps.removeAll { $0.app == app }
            guard file.apps.count < LiveFile.mostApps else {
                throw Diagnostic(
                    .locationRuleInvalid, "there are decisions about \(file.apps.count) apps already",
                    help: "see them: escrow location live")
            }
            file.apps.append((app, permission))
        }
    }

    /// Throws where an app may not follow: E1371 where it never may, E1372 where nobody decided.
    @discardableResult
    public func check(_ app: String) throws(Diagnostic) -> Permission {
        switch try permission(of: app) {
        case .never:
            throw Diagnostic(
                .liveForbidden, "\(app) is never told live where you are: you said so",
                help: "decide anew: escrow location live allow --app \(app) while-using")
        case nil:
            throw Diagnostic(
                .liveUndecided, "nobody decided whether \(app) may be told live where you are",
                notes: ["nothing was told"],
                help: "decide: escrow location live allow --app \(app) while-using, always or never")
        case .some(let permission): return permission
        }
    }

    /// Who follows or did in the last day, the newest first.
    public func follows(now: Int64? = nil) throws(Diagnostic) -> [LiveFollow] {
        let now = now ?? Int64(time(nil))
        var shown: [LiveFollow] = []
        for var follow in try read().follows {
            follow.isRunning = try isHeld(follow.id)
            if follow.isRunning || follow.last >= now - Self.shownSeconds { shown.append(follow) }
        }
        return shown.sorted {
            ($0.isRunning ? 1 : 0, $0.last, $0.id) > ($1.isRunning ? 1 : 0, $1.last, $1.id)
        }
    }

    /// A following that goes on for as long as this value lives, however its process ends.
    public struct Running: ~Copyable {
        /// Its number in the store.
        public let id: Int
        let lock: FileLock
    }

    /// Begins to follow; forgets what ended more than a day ago.
    public func begin(_ follow: LiveFollow) throws(Diagnostic) -> Running {
        let outdated = follow.began - Self.shownSeconds
        var held: Set<Int> = []
        for known in try read().follows where try isHeld(known.id) { held.insert(known.id) }
        var id = 0
        let stillHeld = held
        try change { file throws(Diagnostic) in
            for gone in file.follows where gone.last < outdated && !stillHeld.contains(gone.id) {
                unlink(lockPath(gone.id))
            }
            file.follows.removeAll { $0.last < outdated && !stillHeld.contains($0.id) }
            guard file.follows.count < LiveFile.mostFollows else {
                throw Diagnostic(
                    .liveForbidden, "live location was begun \(file.follows.count) times within a day",
                    help: "see by whom: escrow location live")
            }
            let names = Set(file.follows.map(\.id))
            id = (1...).first { !names.contains($0) } ?? 0
            var follow = follow
            follow.id = id
            file.follows.append(follow)
        }
        guard let lock = try FileLock.tryToAcquire(lockPath(id)) else {
            throw Diagnostic(.ownFault, "a new following is held by somebody")
        }
        return Running(id: id, lock: lock)
    }

    /// Notes an update, or the end.
    public func note(_ id: Int, updates: Int, at seconds: Int64) throws(Diagnostic) {
        try change { file throws(Diagnostic) in
            guard let index = file.follows.firstIndex(where: { $0.id == id }) else { return }
            file.follows[index].updates = updates
            file.follows[index].last = max(file.follows[index].last, seconds)
        }
    }

    private func lockPath(_ id: Int) -> String { "\(directory)/live.\(id).lock" }

    private func isHeld(_ id: Int) throws(Diagnostic) -> Bool {
        guard access(lockPath(id), F_OK) == 0 else { return false }
        guard let lock = try FileLock.tryToAcquire(lockPath(id)) else { return true }
        withExtendedLifetime(lock) {}
        return false
    }

    private func read() throws(Diagnostic) -> LiveFile {
        guard let bytes = try file.read() else { return LiveFile() }
        return try parse(bytes)
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> LiveFile {
        do { return try LiveFile(bytes) } catch {
            throw Diagnostic(
                .liveUnreadable, "who may follow you live cannot be read: \(error.impersonalMessage)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                notes: ["nobody is told where you are: what cannot be read may forbid it"],
                help: "restore the file from a backup, or remove it and decide anew")
        }
    }

    private func change(_ body: (inout LiveFile) throws(Diagnostic) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(lockPath)
        defer { withExtendedLifetime(lock) {} }
        var known = try read()
        try body(&known)
        try file.replace(with: known.bytes) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
    }
}
