import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import Glibc

/// What the individual is to pick, and what they picked, until the run that it is for: `to-pick.json` and `picked.json` of a home.
///
/// Of what was picked only digests are kept, and for ten minutes: rows stand in no file.
struct PickBook: Sendable {
    private let queue: WaitingQueue
    private let file: StoreFile
    private let clock: @Sendable () -> Int64

    /// So long a pick counts, in seconds: an app that went away is not given it another day.
    static let lifetime: Int64 = 600
    private static let most = 64

    private struct Pick {
        let id: String
        let at: Int64
        let marks: [String]
    }

    init(home: String, clock: @escaping @Sendable () -> Int64 = { Int64(time(nil)) }) {
        queue = WaitingQueue(path: home + "/to-pick.json")
        file = StoreFile(home + "/picked.json", limit: 1 << 20, help: "pick less at once")
        self.clock = clock
    }

    /// Those that wait to be picked for, the oldest first.
    func waiting() throws(Diagnostic) -> [WaitingQueue.Entry] {
        let picked = Set(try picks().map(\.id))
        return try queue.list().filter { !picked.contains($0.id) }
    }

    /// Keeps a request. Where there is no room for it, it is refused all the same.
    func keep(_ request: RunRequest) {
        guard queue.entry(for: request) == nil else { return }
        _ = try? queue.put(request, rules: [], missing: [], once: nil, isHeld: false)
    }

    /// Whether such a request is kept: to be picked for, or picked for already.
    func isKept(_ request: RunRequest) -> Bool {
        ((try? queue.list()) ?? []).contains { $0.request.isKept(of: request) }
    }

    /// Whether the individual picked for it. The values of the request are those that count, or more.
    func isPicked(_ request: RunRequest) throws(Diagnostic) -> Bool {
        let ids = Set(try picks().map(\.id))
        guard !ids.isEmpty else { return false }
        return try queue.list().contains { ids.contains($0.id) && $0.request.isKept(of: request) }
    }

    /// The individual picked these.
    func settle(_ id: String, _ marks: Set<String>) throws(Diagnostic) {
        try change { (all) throws(Diagnostic) in
            all.removeAll { $0.id == id }
            guard all.count < Self.most else {
                throw Diagnostic(.appHasTooManyWaiting, "\(Self.most) picks wait for their apps already")
            }
            all.append(Pick(id: id, at: clock(), marks: marks.sorted()))
        }
    }

    /// The individual picks nothing, or it waits no more.
    func drop(_ id: String) throws(Diagnostic) {
        try queue.drop(id)
        try change { all in all.removeAll { $0.id == id } }
    }

    /// A run had it picked at the terminal: what was kept of the same request waits no more.
    func forget(_ request: RunRequest) throws(Diagnostic) {
        if let entry = queue.entry(for: request) { try drop(entry.id) }
    }

    /// Takes what was picked for a run, which no second one gets; nil where nothing was.
    func take(_ request: RunRequest) throws(Diagnostic) -> Set<String>? {
        guard let entry = queue.entry(for: request) else { return nil }
        var marks: [String]?
        try change { all in
            marks = all.first { $0.id == entry.id }?.marks
            all.removeAll { $0.id == entry.id }
        }
        if marks != nil { try queue.drop(entry.id) }
        return marks.map { Set($0) }
    }

    // MARK: The file

    /// Those that still count.
    private func picks() throws(Diagnostic) -> [Pick] {
        guard let bytes = try file.read() else { return [] }
        let now = clock()
        return try read(bytes).filter { $0.at <= now && now - $0.at <= Self.lifetime }
    }

    private func read(_ bytes: [UInt8]) throws(Diagnostic) -> [Pick] {
        do throws(JSONError) {
            var picks: [Pick] = []
            for node in try JSONParser.parse(bytes).requireArray() {
                var object = try JSONObjectReader(node)
                var marks: [String] = []
                for mark in try object.required("marks").requireArray() {
                    marks.append(try mark.requireString())
                }
                picks.append(
                    Pick(
                        id: try object.required("id").requireString(),
                        at: try object.required("at").requireInteger(), marks: marks))
                try object.finish()
            }
            return picks
        } catch {
            throw Diagnostic(
                .homeDamaged, "what you picked is not understood: \(error.impersonalMessage)",
                at: .init(file: file.path, line: error.position.line, column: error.position.column),
                help: "remove the file and pick anew")
        }
    }

    private func change(_ body: (inout [Pick]) throws(Diagnostic) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(file.path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        let before = try picks()
        var all = before
        try body(&all)
        guard !(all.isEmpty && before.isEmpty) else { return }
        let json = all.map { pick -> JSONValue in
            [
                "id": .string(pick.id), "at": .integer(pick.at),
                "marks": .array(pick.marks.map(JSONValue.string)),
            ]
        }
        try file.replace(with: JSONWriter.document(.array(json))) { (bytes) throws(Diagnostic) in
            _ = try read(bytes)
        }
    }
}

extension RunRequest {
    /// Whether this is what is kept of a request: of that only the values that count.
    func isKept(of request: RunRequest) -> Bool {
        app == request.app && plugin == request.plugin && sql == request.sql && proof == request.proof
            && arguments.allSatisfy { request.arguments[$0.key] == $0.value }
            && bindings.allSatisfy { request.bindings[$0.key] == $0.value }
    }
}
