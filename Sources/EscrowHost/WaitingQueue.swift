public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowMinimisation
import EscrowTabular
import Glibc

/// Dataflows that are decided and wait for what the device must have, in `queue.json` of a home.
///
/// The file is replaced in one step under a lock, so that after a crash it has the state before or after. A dataflow leaves
/// it just before its run begins: it runs at most once.
public struct WaitingQueue: Sendable {
    let path: String

    init(path: String) { self.path = path }

    /// The most that wait.
    static let maximum = 256

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
        guard let bytes = try SecureFile.readIfPresent(path, limit: 16 << 20) else { return [] }
        do throws(JSONError) {
            var object = try JSONObjectReader(
                try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: 16 << 20, values: 1_000_000)))
            _ = try object.required("escrow-queue").requireInteger()
            var entries: [Entry] = []
            for item in try object.required("waiting").requireArray() { entries.append(try Entry(item)) }
            try object.finish()
            return entries
        } catch {
            throw Diagnostic(
                "E1121", "the queue cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "move the file away: what waited is forgotten, and can be run again")
        }
    }

    /// The one of an id. E1120.
    public func entry(_ id: String) throws(Diagnostic) -> Entry {
        guard let entry = try list().first(where: { $0.id == id }) else {
            throw Diagnostic(
                "E1120", "nothing waits under that id", help: "see what waits: escrow queue list")
        }
        return entry
    }

    /// The one that waits for the same request, if any.
    func entry(for request: RunRequest) throws(Diagnostic) -> Entry? {
        let key = request.key
        return try list().first { $0.request.key == key }
    }

    /// Adds a request, or says anew what it waits for; the same request stands there once, and is held by every run that
    /// stays for it. E1122 where too many wait.
    func put(
        _ request: RunRequest, rules: [String], missing: [String], once: String?, isHeld: Bool
    ) throws(Diagnostic) -> Entry {
        try change { (entries) throws(Diagnostic) in
            let key = request.key
            let old = entries.first { $0.request.key == key }
            entries.removeAll { $0.id == old?.id }
            guard entries.count < Self.maximum else {
                throw Diagnostic(
                    "E1122", "\(entries.count) dataflows wait already, no more are kept",
                    help: "let go of some: escrow queue list, escrow queue drop ID")
            }
            var generator = SystemRandomNumberGenerator()
            let entry = Entry(
                id: old?.id ?? "q-" + String(generator.next() & 0xFFFF_FFFF, radix: 16),
                since: old?.since ?? Self.now(), request: request, rules: rules, missing: missing,
                once: once ?? old?.once,
                holders: (old?.holders.filter(Entry.lives) ?? []) + (isHeld ? [getpid()] : []))
            entries.append(entry)
            return entry
        }
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
        try SecureFile.replace(
            path,
            with: JSONWriter.document(["escrow-queue": 1, "waiting": .array(entries.map(\.json))]))
        return value
    }

    private static func now() -> String {
        String((Timestamp(microseconds: Int64(time(nil)) * 1_000_000)?.iso8601 ?? "").prefix(19)) + "Z"
    }
}

extension WaitingQueue.Entry {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        func strings(_ node: JSONNode) throws(JSONError) -> [String] {
            var texts: [String] = []
            for item in try node.requireArray() { texts.append(try item.requireString()) }
            return texts
        }
        var request = RunRequest(
            app: try object.required("app").requireString(),
            sql: try object.optional("sql")?.requireString(),
            plugin: try object.required("plugin").requireString())
        for member in try object.required("arguments").requireMembers() {
            request.arguments[member.name] = try member.value.requireString()
        }
        for member in try object.required("bindings").requireMembers() {
            guard let cell = member.value.value.cell else {
                throw JSONError(.wrongType(expected: "a value that SQL has"), at: member.value.position)
            }
            request.bindings[member.name] = cell
        }
        // What the individual imposed must not be lost: a queue without it is not understood.
        let coarser = try object.required("coarser")
        guard let imposed = try? Minimisation(parsing: try strings(coarser)) else {
            throw JSONError(.wrongType(expected: "ways to serve data more coarsely"), at: coarser.position)
        }
        request.imposed = imposed
        request.isPreview = try object.optional("preview")?.requireBool() ?? false
        self.init(
            id: try object.required("id").requireString(),
            since: try object.required("since").requireString(),
            request: request, rules: try strings(try object.required("rules")),
            missing: try strings(try object.required("missing")),
            once: try object.optional("once")?.requireString(),
            holders: try Self.holders(&object))
        try object.finish()
    }

    /// Earlier files name one at most.
    private static func holders(_ object: inout JSONObjectReader) throws(JSONError) -> [Int32] {
        var holders: [Int32] = []
        if let one = object.optional("holder") { holders.append(Int32(clamping: try one.requireInteger())) }
        for item in try object.optional("holders")?.requireArray() ?? [] {
            holders.append(Int32(clamping: try item.requireInteger()))
        }
        return holders
    }

    fileprivate var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [
            ("id", .string(id)), ("since", .string(since)), ("app", .string(request.app)),
            ("plugin", .string(request.plugin)),
        ]
        if let sql = request.sql { members.append(("sql", .string(sql))) }
        members += [
            (
                "arguments",
                .object(request.arguments.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
            ),
            (
                "bindings",
                .object(request.bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })
            ), ("coarser", .array(request.imposed.terms.map(JSONValue.string))),
            ("rules", .array(rules.map(JSONValue.string))),
            ("missing", .array(missing.map(JSONValue.string))),
        ]
        // Who asked to see the result first still does when it runs.
        if request.isPreview { members.append(("preview", true)) }
        if let once { members.append(("once", .string(once))) }
        if !holders.isEmpty {
            members.append(("holders", .array(holders.map { .integer(Int64($0)) })))
        }
        return .object(members)
    }
}

extension RunRequest {
    /// What makes two requests the same.
    fileprivate var key: [UInt8] {
        JSONWriter.line([
            "app": .string(app), "sql": sql.map(JSONValue.string) ?? .null, "plugin": .string(plugin),
            "arguments": .object(arguments.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }),
            "bindings": .object(bindings.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }),
            "coarser": .array(imposed.terms.map(JSONValue.string)), "preview": .bool(isPreview),
        ])
    }
}

extension Cell {
    /// The value as JSON. No binding is bytes: neither an app nor a command line can give any.
    fileprivate var json: JSONValue {
        switch self {
        case .null, .blob: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let value): .string(value)
        }
    }
}
