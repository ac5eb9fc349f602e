import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowTabular
import Glibc

/// Dataflows that are decided and wait for what the device must have, in `queue.json` of a home.
///
/// The file is replaced in one step under a lock, so that after a crash it has the state before or after. A dataflow leaves
/// it just before its run begins: it runs at most once.
///
/// Apps write into it, so what one of them puts there is bounded in number and size; and what cannot be read of it decides
/// nothing: only what would wait is refused then.
public struct WaitingQueue: Sendable {
    let path: String
    private let file: StoreFile

    init(path: String) {
        self.path = path
        file = StoreFile(
            path, limit: Self.maximumBytes, help: "let go of some: escrow queue list, escrow queue drop ID")
    }

    /// The most that wait.
    static let maximum = 256
    /// The most that wait for all together that only say which app they are: one program can say that it is any number of apps, and
    /// leaves the rest to those that are proved.
    static let maximumOfClaims = 128
    /// The most that wait for one app, so that it leaves room for others. Who only says that it is the app has as many beside it.
    static let maximumOfApp = 16
    /// The most bytes of one, as the file spells it, beside the runs that stay for it.
    static let maximumRequest = 32 << 10
    /// The most runs that stay for one.
    static let maximumHolders = 256
    /// The most names of rules, and things that it waits for, that are kept with one.
    private static let maximumWords = 16
    /// The most bytes of the file: room for as many of the largest.
    static let maximumBytes = 12 << 20

    /// One that waits.
    public struct Entry: Sendable {
        /// `q-` and digits.
        public let id: String
        /// Since when, RFC 3339 UTC.
        public let since: String
        /// What was asked for.
        public let request: RunRequest
        /// The rules that make it wait.
        public let rules: [String]
        /// What was missing when it was last looked at, in words.
        public let missing: [String]
        /// The fingerprint of a dataflow that the individual allowed once, while it waited; nil where a grant or a rule
        /// decides when it runs.
        let once: String?
        /// The processes that hold it for an app, each as often as it has a run that stays for it; none where it waits by
        /// itself.
        let holders: [Int32]

        /// Whether a process that lives holds it.
        public var isHeld: Bool { holders.contains(where: Self.lives) }

        /// Whether its app only says that it is this one.
        fileprivate var isClaim: Bool { request.proof == .claim }

        fileprivate static func lives(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

        /// The same with others that hold it, and without the answer that one of them has taken along.
        fileprivate func taken(leaving holders: [Int32]) -> Entry {
            Entry(
                id: id, since: since, request: request, rules: rules, missing: missing, once: nil,
                holders: holders)
        }
    }

    /// All that wait, the oldest first. E1121.
    public func list() throws(Diagnostic) -> [Entry] {
        guard let bytes = try file.read() else { return [] }
        return try parse(bytes)
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> [Entry] {
        do throws(JSONError) {
            var object = try JSONObjectReader(
                try JSONParser.parse(
                    bytes, limits: .init(depth: 8, bytes: Self.maximumBytes, values: 1_000_000)))
            _ = try object.required("escrow-queue").requireInteger()
            var entries: [Entry] = []
            for item in try object.required("waiting").requireArray() { entries.append(try Entry(item)) }
            try object.finish()
            return entries
        } catch {
            throw Diagnostic(
                .queueUnreadable, "the queue cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "forget what waited, which can be run again: escrow queue drop --all")
        }
    }

    /// The one of an id. E1120.
    public func entry(_ id: String) throws(Diagnostic) -> Entry {
        guard let entry = try list().first(where: { $0.id == id }) else {
            throw Diagnostic(
                .nothingWaits, "nothing waits under that id", help: "see what waits: escrow queue list")
        }
        return entry
    }

    /// The one that waits for the same request, if any. Where the file cannot be read nothing does: it must not keep
    /// anybody's dataflow from being decided.
    func entry(for request: RunRequest) -> Entry? {
        guard access(path, F_OK) == 0, let entries = try? list() else { return nil }
        let key = request.key
        return entries.first { $0.request.key == key }
    }

    /// Adds a request, or says anew what it waits for; the same request stands there once, and is held by every run that
    /// stays for it. E0046 for one that is too large, E0047 and E1122 where too many wait.
    func put(
        _ request: RunRequest, rules: [String], missing: [String], once: String?, isHeld: Bool
    ) throws(Diagnostic) -> Entry {
        try change { (entries) throws(Diagnostic) in
            let key = request.key
            let old = entries.first { $0.request.key == key }
            entries.removeAll { $0.id == old?.id }
            let staying = old?.holders.filter(Entry.lives) ?? []
            guard staying.count < Self.maximumHolders else { throw .tooManyOfApp(staying.count) }
            var generator = SystemRandomNumberGenerator()
            let entry = Entry(
                id: old?.id ?? "q-" + String(generator.next() & 0xFFFF_FFFF, radix: 16),
                since: old?.since ?? Self.now(), request: request,
                rules: Array(rules.prefix(Self.maximumWords)),
                missing: Array(missing.prefix(Self.maximumWords)),
                once: once ?? old?.once, holders: staying + (isHeld ? [getpid()] : []))
            try Self.checkRoom(for: entry, among: entries)
            entries.append(entry)
            return entry
        }
    }

    private static func checkRoom(
        for entry: Entry, among entries: [Entry]
    ) throws(Diagnostic) {
        let size = bytes(of: [entry.taken(leaving: [])]).count
        guard size <= maximumRequest else {
            throw Diagnostic(
                .requestTooLargeToWait,
                "a request of \(size) bytes is too large to wait; \(maximumRequest) are allowed",
                help: "run it when the device has what it must have, or ask with a shorter query")
        }
        guard entries.count < maximum else {
            throw Diagnostic(
                .tooManyWait, "\(entries.count) dataflows wait already, no more are kept",
                help: "let go of some: escrow queue list, escrow queue drop ID")
        }
        let alike = entries.filter { $0.isClaim == entry.isClaim }
        guard !entry.isClaim || alike.count < maximumOfClaims else {
            throw Diagnostic(
                .tooManyWait,
                "\(alike.count) dataflows of apps that are not proved wait already, no more of these",
                help: "let go of some: escrow queue list, escrow queue drop ID")
        }
        let own = alike.count { $0.request.app == entry.request.app }
        guard own < maximumOfApp else { throw .tooManyOfApp(own) }
    }

    /// Takes one out for a run that did not stay for it. Nil where it is gone: somebody else has it. Runs that stay for the
    /// same keep their place, but not an answer that was given to it once.
    @discardableResult
    public func take(_ id: String) throws(Diagnostic) -> Entry? {
        try take(id) { holders in holders }
    }

    /// Takes one out for a run of this process that stayed for it. Nil where it is gone: it was let go. Others that stay for
    /// the same keep their place: each is an answer that an app waits for.
    @discardableResult
    func takeHeld(_ id: String) throws(Diagnostic) -> Entry? {
        try take(id) { holders in
            guard let own = holders.firstIndex(of: getpid()) else { return nil }
            var rest = holders
            rest.remove(at: own)
            return rest
        }
    }

    /// Lets one go, whoever holds it.
    public func drop(_ id: String) throws(Diagnostic) {
        try change { (entries) throws(Diagnostic) in entries.removeAll { $0.id == id } }
    }

    /// Lets all go, also where the file cannot be read: it is made anew. Returns how many went; nil where nobody knows.
    @discardableResult
    public func dropAll() throws(Diagnostic) -> Int? {
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        guard access(path, F_OK) == 0 else { return 0 }
        let count = try? list().count
        try save([])
        return count
    }

    /// Takes one out as far as nobody who is left holds it; nil where it is gone, or `rest` has no place in it.
    private func take(_ id: String, rest: ([Int32]) -> [Int32]?) throws(Diagnostic) -> Entry? {
        try change { (entries) throws(Diagnostic) in
            guard let place = entries.firstIndex(where: { $0.id == id }),
                let left = rest(entries[place].holders)?.filter(Entry.lives)
            else { return nil }
            let entry = entries[place]
            if left.isEmpty {
                entries.remove(at: place)
            } else {
                entries[place] = entry.taken(leaving: left)
            }
            return entry
        }
    }

    private func change<Value>(
        _ body: (inout [Entry]) throws(Diagnostic) -> Value
    ) throws(Diagnostic) -> Value {
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var entries = try list()
        let value = try body(&entries)
        try save(entries)
        return value
    }

    private func save(_ entries: [Entry]) throws(Diagnostic) {
        try file.replace(with: Self.bytes(of: entries)) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
    }

    private static func bytes(of entries: [Entry]) -> [UInt8] {
        JSONWriter.document(["escrow-queue": 1, "waiting": .array(entries.map(\.json))])
    }

    private static func now() -> String {
        String((Timestamp(microseconds: Int64(time(nil)) * 1_000_000)?.iso8601 ?? "").prefix(19)) + "Z"
    }
}

extension Diagnostic {
    fileprivate static func tooManyOfApp(_ count: Int) -> Diagnostic {
        Diagnostic(
            .appHasTooManyWaiting, "\(count) dataflows of this app wait already, no more of it are kept",
            help: "let go of some: escrow queue list, escrow queue drop ID")
    }
}
