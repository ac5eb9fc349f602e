public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
public import EscrowManifest

/// What is no longer trusted, signed by the owner of this host: keys, single manifests, versions of a plugin.
///
///     {"schema":"escrow.revocations/1","sequence":3,"expires":"2027-01-01T00:00:00Z","keys":["SHA256:…"],
///      "manifests":["<sha256>"],"versions":[{"id":"org.example.a","below":"1.2.0"}],"except":["<sha256>"]}
public struct Revocations: Sendable, Hashable {
    /// Strictly increasing from list to list; 0 for the empty list that holds before there is one.
    public let sequence: Int64
    /// The list must be renewed by then; nil only for the empty one.
    public let expires: Moment?
    public let keys: [String]
    public let manifests: [String]
    public let versions: [Versions]
    /// Manifests of a revoked key that stay, by digest.
    public let except: [String]

    /// All versions of a plugin below one.
    public struct Versions: Sendable, Hashable {
        public let id: String
        /// The first version that stays.
        public let below: SemanticVersion

        public init(id: String, below: SemanticVersion) {
            self.id = id
            self.below = below
        }
    }

    /// The list that holds before there is one.
    public static let none = Revocations(sequence: 0, expires: nil)

    public init(
        sequence: Int64, expires: Moment?, keys: [String] = [], manifests: [String] = [],
        versions: [Versions] = [], except: [String] = []
    ) {
        self.sequence = sequence
        self.expires = expires
        self.keys = keys
        self.manifests = manifests
        self.versions = versions
        self.except = except
    }

    /// Reads the file, which the owner must have signed; ``none`` where there is no file. Throws for an expired list: the
    /// owner alone can renew it, and an old copy put back must not hold for ever.
    public static func load(_ path: String, owner: PublicKey, now: Moment) throws(Diagnostic) -> Revocations {
        try RevocationsFile(path, owner: owner).load(now: now)
    }

    /// Signs a list and replaces the file, under a lock. Throws unless its sequence is greater than that of the file.
    public func save(_ path: String, owner: SigningKey) throws(Diagnostic) {
        let lock = try FileLock.acquire(path + ".lock")
        defer { withExtendedLifetime(lock) {} }
        let file = Self.file(path)
        if let bytes = try file.read() {
            let old = try Revocations(
                verifying: Envelope(parsing: bytes, file: path), owner: owner.publicKey, file: path)
            guard sequence > old.sequence else {
                throw Self.refusal(
                    "its sequence \(sequence) is not greater than \(old.sequence), which is in force")
            }
        }
        guard sequence > 0, let expires else { throw Self.refusal("it needs a sequence from 1 and an end") }
        let value: JSONValue = [
            "schema": .string(Self.schema), "sequence": .integer(sequence),
            "expires": .string(expires.description),
            "keys": .array(keys.map(JSONValue.string)), "manifests": .array(manifests.map(JSONValue.string)),
            "versions": .array(
                versions.map { ["id": .string($0.id), "below": .string($0.below.description)] as JSONValue }),
            "except": .array(except.map(JSONValue.string)),
        ]
        let payload = JSONWriter.line(value)
        try file.replace(with: Envelope.sign(payload, as: .revocations, with: [owner]).encoded) {
            (bytes) throws(Diagnostic) in
            _ = try Revocations(
                verifying: Envelope(parsing: bytes, file: path), owner: owner.publicKey, file: path)
        }
    }

    /// The file as it is read and written.
    static func file(_ path: String) -> StoreFile {
        StoreFile(
            path, limit: Envelope.maximumBytes,
            help:
                "stop trusting the key instead, and remove the plugin: escrow trust remove, escrow plugin remove"
        )
    }

    public init(verifying envelope: Envelope, owner: PublicKey, file: String) throws(Diagnostic) {
        switch envelope.verify(as: .revocations, keys: [owner]) {
        case .success(let payload): self = try Self.parse(payload.bytes, file: file)
        case .failure(let reason): throw reason.diagnostic(file)
        }
    }

    /// What of a plugin is revoked, in words; nil if nothing is.
    public func match(
        manifest digest: Digest, id: String, version: SemanticVersion, keys signers: [PublicKey]
    ) -> String? {
        let hexadecimal = digest.hexadecimal
        if manifests.contains(hexadecimal) { return "this very manifest" }
        if versions.contains(where: { $0.id == id && version < $0.below }) { return "this version" }
        if let signer = signers.first(where: { keys.contains($0.id.description) }),
            !except.contains(hexadecimal)
        {
            return "the key \(signer.id.short) that signed it"
        }
        return nil
    }

    private static let schema = "escrow.revocations/1"

    private static func parse(_ bytes: [UInt8], file: String) throws(Diagnostic) -> Revocations {
        do { return try read(bytes) } catch {
            throw refusal("\(file) is not understood: \(error.impersonalMessage)")
        }
    }

    private static func read(_ bytes: [UInt8]) throws(JSONError) -> Revocations {
        var object = try JSONObjectReader(
            JSONParser.parse(bytes, limits: .init(depth: 4, bytes: Envelope.maximumBytes, values: 50_000)))
        try object.requireSchema(schema)
        let sequenceNode = try object.required("sequence")
        let sequence = try sequenceNode.requireInteger()
        let expiresNode = try object.required("expires")
        guard sequence > 0, let expires = Moment(try expiresNode.requireString()) else {
            throw JSONError(
                .wrongType(expected: "a sequence from 1 and a moment in UTC"), at: sequenceNode.position)
        }
        let keys = try texts(object.required("keys")) { $0.hasPrefix("SHA256:") && $0.utf8.count == 50 }
        let manifests = try texts(object.required("manifests")) { Digest(hexadecimal: $0) != nil }
        var versions: [Versions] = []
        for item in try object.required("versions").requireArray() {
            var entry = try JSONObjectReader(item)
            let id = try entry.required("id").requireString()
            let below = SemanticVersion(try entry.required("below").requireString())
            try entry.finish()
            guard PluginID.isValid(id), let below else {
                throw JSONError(.wrongType(expected: "a plugin id and a version"), at: item.position)
            }
            versions.append(Versions(id: id, below: below))
        }
        let except = try texts(object.required("except")) { Digest(hexadecimal: $0) != nil }
        try object.finish()
        return Revocations(
            sequence: sequence, expires: expires, keys: keys, manifests: manifests, versions: versions,
            except: except)
    }

    private static func texts(_ node: JSONNode, _ isValid: (String) -> Bool) throws(JSONError) -> [String] {
        var texts: [String] = []
        for item in try node.requireArray() {
            let text = try item.requireString()
            guard isValid(text) else {
                throw JSONError(.wrongType(expected: "a key id or a digest"), at: item.position)
            }
            texts.append(text)
        }
        return texts
    }

    static func refusal(_ what: String, help: String? = nil) -> Diagnostic {
        Diagnostic(.revocationsRefused, "the list of revocations is refused: \(what)", help: help)
    }
}
