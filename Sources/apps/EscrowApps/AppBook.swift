public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowTrust
import Glibc

/// The apps that the individual added, in `apps.json` of a home: their profiles, and the digests of their tokens.
public struct AppBook: Sendable {
    private let path: String
    private let file: StoreFile

    /// One app.
    public struct Entry: Sendable {
        /// Its id.
        public let id: String
        /// What it may use where it is confined.
        public var profile = AppProfile()
        /// SHA-256 of its token, in hexadecimal; nil where it has none.
        public fileprivate(set) var tokenDigest: String?

        fileprivate init(id: String) { self.id = id }
    }

    /// Names the home's folder; the file is made with the first app.
    public init(home: String) {
        path = home + "/apps.json"
        file = StoreFile(path, limit: 1 << 20, help: "remove some: escrow app list, escrow app remove ID")
    }

    /// All, by id. E1252.
    public func list() throws(Diagnostic) -> [Entry] {
        guard let bytes = try file.read() else { return [] }
        return try parse(bytes)
    }

    /// The app that a token was given to; nil for none.
    public func app(token: String) throws(Diagnostic) -> String? {
        guard token.utf8.count <= 128 else { return nil }
        let digest = Digest(of: Array(token.utf8)).hexadecimal
        // Digests, so that how long a comparison takes tells nothing of a token.
        return try list().first { $0.tokenDigest == digest }?.id
    }

    /// Adds an app, or gives it another profile, and a new token where one is wanted: told here and nowhere again.
    public func put(
        _ id: String, profile: AppProfile?, newToken: Bool
    ) throws(Diagnostic) -> String? {
        let token = newToken ? Self.newToken() : nil
        try change { (entries) in
            var entry = entries.first { $0.id == id } ?? Entry(id: id)
            if let profile { entry.profile = profile }
            if let token { entry.tokenDigest = Digest(of: Array(token.utf8)).hexadecimal }
            entries.removeAll { $0.id == id }
            entries.append(entry)
            entries.sort { $0.id < $1.id }
        }
        return token
    }

    /// Removes an app: its token proves nothing any more. False where there was none.
    public func remove(_ id: String) throws(Diagnostic) -> Bool {
        var wasThere = false
        try change { (entries) in
            wasThere = entries.contains { $0.id == id }
            entries.removeAll { $0.id == id }
        }
        return wasThere
    }

    /// Takes the tokens of all apps, which stay; names those that had one.
    public func dropTokens() throws(Diagnostic) -> [String] {
        var dropped: [String] = []
        try change { (entries) in
            for index in entries.indices where entries[index].tokenDigest != nil {
                dropped.append(entries[index].id)
                entries[index].tokenDigest = nil
            }
        }
        return dropped
    }

    private func change(_ body: (inout [Entry]) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        var entries = try list()
        body(&entries)
        try file.replace(
            with: JSONWriter.document(["escrow-apps": 1, "apps": .array(entries.map(\.json))])
        ) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
    }

    private static func newToken() -> String {
        var generator = SystemRandomNumberGenerator()
        let words = (0..<4).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return "escrow-" + words.joined()
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> [Entry] {
        do throws(JSONError) {
            var object = try JSONObjectReader(
                try JSONParser.parse(bytes, limits: .init(depth: 8, bytes: 1 << 20, values: 100_000)))
            _ = try object.required("escrow-apps").requireInteger()
            var entries: [Entry] = []
            for item in try object.required("apps").requireArray() { entries.append(try Entry(item)) }
            try object.finish()
            return entries
        } catch {
            throw Diagnostic(
                .appsUnreadable, "the apps cannot be read: \(error.impersonalMessage)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help: "restore the file from a backup of the home, or remove it and add the apps again")
        }
    }
}

extension AppBook.Entry {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        id = try object.required("id").requireString()
        tokenDigest = try object.optional("token")?.requireString()
        profile.network = try object.required("network").requireBool()
        profile.display = try object.required("display").requireBool()
        profile.sound = try object.required("sound").requireBool()
        for item in try object.required("folders").requireArray() {
            var folder = try JSONObjectReader(item)
            profile.folders.append(
                .init(
                    try folder.required("path").requireString(),
                    writes: try folder.required("writes").requireBool()))
            try folder.finish()
        }
        try object.finish()
    }

    fileprivate var json: JSONValue {
        var members: [(name: String, value: JSONValue)] = [("id", .string(id))]
        if let tokenDigest { members.append(("token", .string(tokenDigest))) }
        members += [
            ("network", .bool(profile.network)), ("display", .bool(profile.display)),
            ("sound", .bool(profile.sound)),
            (
                "folders",
                .array(
                    profile.folders.map { ["path": .string($0.path), "writes": .bool($0.writes)] })
            ),
        ]
        return .object(members)
    }
}
