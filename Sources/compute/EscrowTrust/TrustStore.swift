public import EscrowDiagnostics
internal import EscrowFiles
public import EscrowManifest

/// The keys that the owner of this host trusts, and for what: a line file, `trust.signers`, after OpenSSH's
/// allowed_signers. Algorithm and key always come from here, never from an envelope.
public struct TrustStore: Sendable, Hashable {
    public let entries: [TrustEntry]

    public static let maximumBytes = 1 << 20

    public init(_ entries: [TrustEntry]) { self.entries = entries }

    /// Reads a store; throws with the line for anything that is not understood: a store is read whole or not at
    /// all, since a line that was skipped could be a restriction.
    public init(parsing bytes: [UInt8], file: String) throws(Diagnostic) {
        guard bytes.count <= Self.maximumBytes, String(validating: bytes, as: UTF8.self) != nil else {
            throw Diagnostic(
                .trustStoreInvalid, "\(file) is too large or is not UTF-8", at: .init(file: file))
        }
        var entries: [TrustEntry] = []
        for (index, line) in Self.lines(bytes).enumerated() {
            do throws(Diagnostic) {
                // Editors that write it would show one line as two, or two as one.
                guard !line.utf8.contains(UInt8(ascii: "\r")) else {
                    throw TrustEntry.malformed(
                        "a line ends with a line feed alone, and holds no carriage return")
                }
                guard let first = line.first(where: { $0 != " " && $0 != "\t" }), first != "#" else {
                    continue
                }
                entries.append(try TrustEntry(line: line))
            } catch {
                throw Diagnostic(
                    error.code, "the trust store is not understood: \(error.message)",
                    at: .init(file: file, line: index + 1), notes: error.notes, help: error.help)
            }
        }
        self.entries = entries
    }

    /// The lines of a file, split by its bytes: to Swift a carriage return and a line feed are one character.
    static func lines(_ bytes: [UInt8]) -> [String] {
        bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    /// Reads the file, or gives an empty store where there is none.
    public static func load(_ path: String) throws(Diagnostic) -> TrustStore {
        guard let bytes = try file(path).read() else { return TrustStore([]) }
        return try TrustStore(parsing: bytes, file: path)
    }

    /// The file as it is read and written.
    static func file(_ path: String) -> StoreFile {
        StoreFile(path, limit: maximumBytes, help: "trust fewer keys: escrow trust list, escrow trust remove")
    }

    /// All distinct keys that may sign this kind of document about something, at whatever time.
    public func keys(for type: PayloadType) -> [PublicKey] {
        var keys: [PublicKey] = []
        for entry in entries where entry.types.contains(type) && !keys.contains(entry.key) {
            keys.append(entry.key)
        }
        return keys
    }

    public func name(of key: KeyID) -> String? { entries.first { $0.key.id == key && $0.name != nil }?.name }

    /// Those of the keys that are trusted for this kind of document about this id now, or why they do not suffice.
    public func judge(
        _ keys: [PublicKey], for type: PayloadType, id: String, at now: Moment
    ) -> Result<[PublicKey], Verification.Reason> {
        let covering = entries.filter { $0.covers(type, id: id, at: now) }
        let trusted = keys.filter { key in covering.contains { $0.key == key } }
        guard let first = keys.first else { return .failure(.unsigned) }
        guard !trusted.isEmpty else { return .failure(.signerNotForThis(id: id, signer: first.id)) }
        let needed = threshold(for: type, id: id)
        let found = signers(trusted)
        guard found >= needed else { return .failure(.tooFewSigners(id: id, found: found, needed: needed)) }
        return .success(trusted)
    }

    /// The strictest line that names the id holds, whether its key counts now or not: neither a laxer line nor the end of a
    /// strict one's time undoes a threshold.
    private func threshold(for type: PayloadType, id: String) -> Int {
        entries.filter { $0.covers(type, id: id) }.map(\.threshold).max() ?? 1
    }

    /// How many signatures all plugins of a pattern need; nil where no line trusts anybody for all of them.
    public func threshold(pattern: String) -> Int? {
        entries.filter { $0.types.contains(.pluginManifest) && Lineage.covers($0.pattern, pattern) }
            .map(\.threshold).max()
    }

    /// How many signers some keys are: a key and those that followed it by rotation are one.
    private func signers(_ keys: [PublicKey]) -> Int {
        var rows: [Set<String>] = []
        for key in keys {
            var row = Set(entries.filter { $0.key == key }.compactMap(\.lineage) + [key.id.description])
            for other in rows where !other.isDisjoint(with: row) { row.formUnion(other) }
            rows = rows.filter { $0.isDisjoint(with: row) } + [row]
        }
        return rows.count
    }
}

/// The file `trust.signers`: changed under a lock, replaced in one step, comments kept.
public struct TrustFile: Sendable {
    public let path: String
    /// What it held when it was parsed.
    private let read: ParsedFile<TrustStore>

    public init(_ path: String) {
        self.path = path
        read = ParsedFile(TrustStore.file(path))
    }

    /// What it holds now; an empty store where there is none.
    public func load() throws(Diagnostic) -> TrustStore {
        try read.value { (bytes) throws(Diagnostic) in try TrustStore(parsing: bytes, file: path) }
            ?? TrustStore([])
    }

    /// Adds an entry at the end; one that stands there already is not added twice.
    public func add(_ entry: TrustEntry) throws(Diagnostic) {
        try edit { lines throws(Diagnostic) in
            if try !TrustStore(parsing: Self.join(lines), file: path).entries.contains(entry) {
                lines.append(entry.line)
            }
        }
    }

    /// Removes all entries of a key, or only that for one pattern; returns those that were removed.
    public func remove(_ key: KeyID, pattern: String? = nil) throws(Diagnostic) -> [TrustEntry] {
        var removed: [TrustEntry] = []
        try edit { lines throws(Diagnostic) in
            var kept: [String] = []
            for line in lines {
                if let entry = try TrustStore(parsing: Array(line.utf8), file: path).entries.first,
                    entry.key.id == key,
                    pattern == nil || pattern == entry.pattern
                {
                    removed.append(entry)
                } else {
                    kept.append(line)
                }
            }
            lines = kept
        }
        return removed
    }

    /// Applies a rotation: each entry of the old key that the lineage covers gains a line for the new key, with the same
    /// or a narrower pattern and the same kinds, and ends for the old key when the lineage says so. Refused where a key of the
    /// two is revoked, or the old one does not count now.
    public func apply(_ lineage: Lineage, revocations: Revocations, now: Moment) throws(Diagnostic) {
        try edit { lines throws(Diagnostic) in
            let store = try TrustStore(parsing: Self.join(lines), file: path)
            let rotated = try lineage.rotate(store, revocations: revocations, now: now)
            var output: [String] = []
            for line in lines {
                guard let entry = try TrustStore(parsing: Array(line.utf8), file: path).entries.first,
                    let change = rotated.first(where: { $0.old == entry })
                else {
                    output.append(line)
                    continue
                }
                output += change.new.map(\.line)
            }
            lines = output
        }
    }

    private func edit(_ change: (inout [String]) throws(Diagnostic) -> Void) throws(Diagnostic) {
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        let file = TrustStore.file(path)
        let bytes = try file.read() ?? []
        _ = try TrustStore(parsing: bytes, file: path)
        var lines = TrustStore.lines(bytes)
        if lines.last?.isEmpty ?? false { lines.removeLast() }
        try change(&lines)
        let output = Self.join(lines)
        // What was written must be what is meant, also after the next reader's rules.
        try file.replace(with: output) { (bytes) throws(Diagnostic) in
            _ = try TrustStore(parsing: bytes, file: path)
        }
    }

    private static func join(_ lines: [String]) -> [UInt8] {
        Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}
