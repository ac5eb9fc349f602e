public import EscrowConsent
public import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
import EscrowTrust
import Glibc

/// The restrictions in force: those that were added to this home, and those of the machine's owner.
///
///     restrictions/index.json     which there are, by whose key, and in which version; also those taken back
///     restrictions/ID.dsse.json   each as it was signed
///     /etc/escrow/restrictions/   the machine owner's, which only root can write
public struct RestrictionStore: Sendable {
    private let directory: String
    private let system: String
    /// Whose files count in the machine's folder.
    private let owner: uid_t

    /// Names the folders.
    public init(
        directory: String, system: String = "/etc/escrow/restrictions", owner: UInt32 = 0
    ) {
        self.directory = directory
        self.system = system
        self.owner = owner
    }

    /// One that the index knows.
    private struct Known {
        let id: String
        let key: String
        var sequence: Int64
        var isRemoved: Bool
    }

    /// All that are in force. E1116 where one is missing, changed, or was put back to an earlier version: what is missing
    /// may forbid, so nothing runs.
    public func list() throws(Diagnostic) -> [Restriction] {
        var restrictions: [Restriction] = []
        for known in try index() where !known.isRemoved {
            let path = path(known.id)
            guard let bytes = try SecureFile.readIfPresent(path, limit: Envelope.maximumBytes) else {
                throw Self.damage(path, "it is missing")
            }
            let restriction: Restriction
            do { restriction = try Self.verified(bytes, file: path) } catch {
                throw Self.damage(path, error.message)
            }
            guard restriction.key == known.key, restriction.sequence == known.sequence else {
                throw Self.damage(path, "it is not the version that was added")
            }
            restrictions.append(restriction)
        }
        return restrictions + (try machine())
    }

    /// Throws E1129 where a restriction keeps decisions as they are.
    public func requireChangeable() throws(Diagnostic) {
        guard let restriction = try list().first(where: \.freezesDecisions) else { return }
        throw Diagnostic(
            .decisionsFrozen, "decisions stay as they are, by \(restriction.setter)",
            notes: ["nothing was changed"],
            help: "only who set it can change it: escrow restriction list")
    }

    /// Adds a restriction, or a later version of one. Who sets it is believed the first time, and from then on only the same
    /// key can change it. E1117, E1119.
    public func add(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Restriction {
        try SecureFile.makeFolder(directory)
        let lock = try FileLock.acquire(directory + "/lock")
        defer { withExtendedLifetime(lock) {} }
        let restriction = try Self.verified(bytes, file: file)
        var index = try index()
        let place = index.firstIndex { $0.id == restriction.id }
        if let place {
            guard index[place].key == restriction.key else {
                throw Diagnostic(
                    .restrictionOfAnother,
                    "\(restriction.id) was set by somebody else, who alone can change it",
                    notes: ["it was signed by another key than before"],
                    help: "see who set it: escrow restriction list")
            }
            guard restriction.sequence > index[place].sequence else {
                throw Diagnostic(
                    .notARestriction,
                    "this version of \(restriction.id) is not newer than the one that is in force",
                    help: "ask who set it for a later one")
            }
        } else if restriction.isRemoved {
            throw Diagnostic(.noSuchRestriction, "there is no restriction \(restriction.id) to take back")
        }
        let known = Known(
            id: restriction.id, key: restriction.key, sequence: restriction.sequence,
            isRemoved: restriction.isRemoved)
        if let place { index[place] = known } else { index.append(known) }
        // A crash in between leaves a file that the index does not fit: nothing runs until it is added again.
        try indexFile.check(Self.bytes(of: index)) { (bytes) throws(Diagnostic) in _ = try parse(bytes) }
        try StoreFile(
            path(restriction.id), limit: Envelope.maximumBytes, help: "ask who set it for a shorter one"
        ).replace(with: bytes) { (bytes) throws(Diagnostic) in _ = try Self.verified(bytes, file: file) }
        try indexFile.replace(with: Self.bytes(of: index)) { (bytes) throws(Diagnostic) in
            _ = try parse(bytes)
        }
        return restriction
    }

    /// Those that were added to this home, each as it was signed; also those that were taken back, as that was signed.
    public func signed() throws(Diagnostic) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for known in try index() {
            files[known.id] = try SecureFile.readIfPresent(path(known.id), limit: Envelope.maximumBytes)
        }
        return files
    }

    private func path(_ id: String) -> String { "\(directory)/\(id).dsse.json" }

    /// The machine owner's: every file of the folder, which must be root's and writable by nobody else.
    private func machine() throws(Diagnostic) -> [Restriction] {
        let names: [String]
        // A folder that this user may not read may forbid all the same.
        do { names = try Folder.namesIfPresent(system) ?? [] } catch {
            throw Self.damage(system, error.message)
        }
        var restrictions: [Restriction] = []
        for name in names where name.hasSuffix(".dsse.json") {
            let path = "\(system)/\(name)"
            for item in [system, path] {
                var status = stat()
                guard lstat(item, &status) == 0, status.st_uid == owner, status.st_mode & 0o022 == 0 else {
                    throw Self.damage(item, "others than root can write it")
                }
            }
            let restriction = try Self.verified(
                try SecureFile.read(path, limit: Envelope.maximumBytes), file: path)
            if !restriction.isRemoved { restrictions.append(restriction) }
        }
        return restrictions
    }

    /// Checks the signature by the key that the payload names; nothing else of the payload is believed before.
    fileprivate static func verified(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Restriction {
        let envelope = try Envelope(parsing: bytes, file: file)
        let claimed = try Restriction.parse(envelope.payload, file: file)
        let key = try PublicKey(base64: claimed.key)
        guard case .success = envelope.verify(as: .restriction, keys: [key]) else {
            throw Diagnostic(
                .notARestriction, "the restriction in \(file) is not signed by the key that it names",
                help: "ask who set it for the file as it was signed")
        }
        return claimed
    }

    // MARK: The index

    private var indexFile: StoreFile {
        StoreFile(
            directory + "/index.json", limit: 1 << 20,
            help: "no more restrictions are kept: escrow restriction list")
    }

    private func index() throws(Diagnostic) -> [Known] {
        guard let bytes = try indexFile.read() else { return [] }
        return try parse(bytes)
    }

    private func parse(_ bytes: [UInt8]) throws(Diagnostic) -> [Known] {
        do throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(bytes))
            _ = try object.required("escrow-restrictions").requireInteger()
            var index: [Known] = []
            for item in try object.required("restrictions").requireArray() {
                var entry = try JSONObjectReader(item)
                index.append(
                    Known(
                        id: try entry.required("id").requireString(),
                        key: try entry.required("key").requireString(),
                        sequence: try entry.required("sequence").requireInteger(),
                        isRemoved: try entry.required("removed").requireBool()))
                try entry.finish()
            }
            try object.finish()
            return index
        } catch { throw Self.damage(indexFile.path, error.impersonalMessage) }
    }

    private static func bytes(of index: [Known]) -> [UInt8] {
        let items = index.map {
            [
                "id": .string($0.id), "key": .string($0.key), "sequence": .integer($0.sequence),
                "removed": .bool($0.isRemoved),
            ] as JSONValue
        }
        return JSONWriter.document(["escrow-restrictions": 1, "restrictions": .array(items)])
    }

    private static func damage(_ path: String, _ why: String) -> Diagnostic {
        Diagnostic(
            .restrictionUntrusted, "a restriction cannot be trusted: \(path): \(why)",
            notes: ["nothing runs until it can be: what is missing may be what forbids"],
            help: "add the file again, as it was signed: escrow restriction add FILE")
    }
}

extension Restriction {
    /// Signs a document of whoever sets a restriction. E1117.
    public static func sign(
        _ author: [UInt8], with keyFile: String, sequence: Int64, isRemoved: Bool, file: String
    ) throws(Diagnostic) -> [UInt8] {
        let key = try SigningKey.load(keyFile)
        let payload = try Restriction.payload(
            author: author, key: key.publicKey.base64, sequence: sequence, isRemoved: isRemoved, file: file)
        return try Envelope.sign(payload, as: .restriction, with: [key]).encoded
    }

    /// Whether a signed file takes a restriction back. E1117 where its signature does not hold.
    public static func isRemoval(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Bool {
        try RestrictionStore.verified(bytes, file: file).isRemoved
    }

    /// The fingerprint of the key of who set it.
    public var fingerprint: String { (try? PublicKey(base64: key))?.id.description ?? "" }
}
