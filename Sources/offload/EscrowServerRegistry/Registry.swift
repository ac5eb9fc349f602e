public import EscrowDiagnostics

/// Which plugins may run on servers, and which devices may ask: one table of each, which several servers may share.
public protocol Registry: Sendable {
    /// All versions of a plugin that were ever registered.
    func plugins(_ id: String) throws(Diagnostic) -> [RegisteredPlugin]
    func plugins() throws(Diagnostic) -> [RegisteredPlugin]
    /// The package of a manifest's digest; nil where it was removed.
    func package(_ manifest: String) throws(Diagnostic) -> [UInt8]?
    func register(_ plugin: RegisteredPlugin, package: [UInt8]) throws(Diagnostic)
    /// Forgets a plugin's packages; what was revoked stays so. How many there were.
    func remove(_ id: String) throws(Diagnostic) -> Int
    /// Refuses versions of a plugin for ever: one by its manifest's digest, or all. How many there were.
    func revoke(_ id: String, manifest: String?) throws(Diagnostic) -> Int

    func device(_ fingerprint: String) throws(Diagnostic) -> RegisteredDevice?
    func devices() throws(Diagnostic) -> [RegisteredDevice]
    func enrol(_ device: RegisteredDevice) throws(Diagnostic)
    /// Refuses a device's certificates for ever. How many there were.
    func revokeDevice(_ name: String) throws(Diagnostic) -> Int
}

/// A version of a plugin, as it was registered.
public struct RegisteredPlugin: Sendable, Equatable {
    public var id: String
    public var version: String
    /// SHA-256 of the manifest's bytes, hexadecimal.
    public var manifest: String
    public var sequence: Int64
    public var isRevoked: Bool

    public init(id: String, version: String, manifest: String, sequence: Int64, isRevoked: Bool = false) {
        self.id = id
        self.version = version
        self.manifest = manifest
        self.sequence = sequence
        self.isRevoked = isRevoked
    }
}

/// A device, known by its certificate.
public struct RegisteredDevice: Sendable, Equatable {
    public var name: String
    /// SHA-256 of the certificate, hexadecimal.
    public var fingerprint: String
    public var isRevoked: Bool

    public init(name: String, fingerprint: String, isRevoked: Bool = false) {
        self.name = name
        self.fingerprint = fingerprint
        self.isRevoked = isRevoked
    }
}
