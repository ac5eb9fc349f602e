public import EscrowDiagnostics
import EscrowFiles
public import EscrowJSON

/// Why runs of apps failed, in `failures.json` of a home: an app is told a code and one fixed sentence, the individual looks the rest
/// up here.
///
/// What is kept holds no value of their data: of a failure after data was read only the code is kept, since a plugin's words may be
/// among the rest. It is bounded, and may be lost: the ledger has what counts.
public struct FailureLog: Sendable {
    /// One failure, or several alike.
    public struct Entry: Sendable, Equatable {
        /// When the last of them was.
        public let time: String
        public let app: String
        public let plugin: String
        public let code: String
        /// The message, where it was, what there is besides and what to do; only the message of one after data was read.
        public let words: [String]
        public var times: Int
    }

    private let path: String
    private let file: StoreFile
    /// The most that are kept: the oldest go.
    static let most = 100
    private static let longest = 500
    /// More than all of them can come to.
    private static let mostBytes = 4 << 20

    /// Names the home's folder; the file is made with the first failure.
    public init(home: String) {
        path = home + "/failures.json"
        file = StoreFile(path, limit: Self.mostBytes, help: "remove it")
    }

    /// All, the last at the end. A file that cannot be read counts as none.
    public func entries() throws(Diagnostic) -> [Entry] {
        guard let bytes = try file.read() else { return [] }
        return (try? Self.parse(bytes)) ?? []
    }

    /// Takes a failure up.
    public func note(
        _ failure: Diagnostic, app: String, plugin: String, hasReadData: Bool, time: String
    ) throws(Diagnostic) {
        let whole =
            [failure.message] + [failure.place.map { "\($0)" }].compactMap(\.self) + failure.notes
            + [failure.help.map { "help: \($0)" }].compactMap(\.self)
        let words = hasReadData ? ["after data was read"] : whole
        var entry = Entry(
            time: time, app: String(app.prefix(128)), plugin: String(plugin.prefix(128)),
            code: failure.code.rawValue, words: words.prefix(8).map { String($0.prefix(Self.longest)) },
            times: 1)
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var all = try entries()
        if let known = all.firstIndex(where: { $0.isLike(entry) }) {
            entry.times = min(all[known].times + 1, 1_000_000)
            all.remove(at: known)
        }
        all = all.suffix(Self.most - 1) + [entry]
        try file.overwrite(
            with: JSONWriter.document(["escrow-failures": 1, "failures": .array(all.map(\.json))])
        ) { (bytes) throws(Diagnostic) in
            do { _ = try Self.parse(bytes) } catch {
                throw Diagnostic(.fileWouldNotBeReadable, "the failures could not be read again")
            }
        }
    }

    private static func parse(_ bytes: [UInt8]) throws(JSONError) -> [Entry] {
        var object = try JSONObjectReader(
            try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: mostBytes, values: 100_000)))
        _ = try object.required("escrow-failures").requireInteger()
        var entries: [Entry] = []
        for item in try object.required("failures").requireArray() { entries.append(try Entry(item)) }
        try object.finish()
        return entries
    }
}

extension FailureLog.Entry {
    fileprivate func isLike(_ other: Self) -> Bool {
        app == other.app && plugin == other.plugin && code == other.code && words == other.words
    }

    fileprivate init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        time = try object.required("time").requireString()
        app = try object.required("app").requireString()
        plugin = try object.required("plugin").requireString()
        code = try object.required("code").requireString()
        var words: [String] = []
        for word in try object.required("words").requireArray() { words.append(try word.requireString()) }
        self.words = words
        times = Int(clamping: try object.required("times").requireInteger())
        try object.finish()
    }

    /// For the file, and for `--format json`.
    public var json: JSONValue {
        [
            "time": .string(time), "app": .string(app), "plugin": .string(plugin), "code": .string(code),
            "words": .array(words.map(JSONValue.string)), "times": .integer(Int64(times)),
        ]
    }
}
