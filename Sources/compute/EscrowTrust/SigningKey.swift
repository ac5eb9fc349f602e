internal import Crypto
public import EscrowDiagnostics
internal import EscrowFiles
internal import EscrowJSON
internal import FoundationEssentials
internal import Glibc

/// An Ed25519 private key.
///
/// On disk it is a PKCS #8 PEM file (RFC 8410), which stock `openssl` reads, for its owner alone (mode 0600).
public struct SigningKey: Sendable {
    private let secret: Curve25519.Signing.PrivateKey
    public let publicKey: PublicKey

    private init(_ secret: Curve25519.Signing.PrivateKey) throws(Diagnostic) {
        self.secret = secret
        publicKey = try PublicKey(Array(secret.publicKey.rawRepresentation))
    }

    public static func generate() throws(Diagnostic) -> SigningKey {
        try SigningKey(Curve25519.Signing.PrivateKey())
    }

    /// The key of a 32-byte seed (RFC 8032 section 5.1.5).
    public init(seed: [UInt8]) throws(Diagnostic) {
        guard seed.count == 32, let secret = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        else { throw Self.malformed("key") }
        try self.init(secret)
    }

    /// Reads a key file. Throws if others than its owner may read it, or if it is no Ed25519 key.
    public static func load(_ path: String) throws(Diagnostic) -> SigningKey {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .file(path, "cannot be read", errno) }
        guard status.st_mode & 0o077 == 0 else {
            throw Diagnostic(
                .keyFile, "\(path) may be read by others than its owner",
                help: "chmod 600 \(path), or make a new key")
        }
        let text = String(decoding: try SecureFile.read(path, limit: 4_096), as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: true)
        guard lines.count == 3, lines[0] == "-----BEGIN PRIVATE KEY-----",
            lines[2] == "-----END PRIVATE KEY-----",
            let der = Base64.decode(String(lines[1])), der.count == 48, der.starts(with: prefix)
        else { throw malformed(path) }
        return try SigningKey(seed: Array(der[16...]))
    }

    /// Writes a new key file, mode 0600. Throws if there is a file already: a key is never overwritten.
    public func save(_ path: String) throws(Diagnostic) {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw Diagnostic(
                .keyFile, "\(path) exists, and a key is never overwritten",
                help: "choose another name, or move it away")
        }
        let der = Self.prefix + Array(secret.rawRepresentation)
        let pem = "-----BEGIN PRIVATE KEY-----\n\(Base64.encode(der))\n-----END PRIVATE KEY-----\n"
        try SecureFile.replace(path, with: Array(pem.utf8), mode: 0o600)
    }

    /// Signs bytes; 64 bytes (RFC 8032 section 5.1.6).
    ///
    /// Callers sign the pre-authentication encoding of an ``Envelope``, never bare bytes: the payload type is what keeps a
    /// signature for one purpose from counting for another.
    func signature(for message: [UInt8]) throws(Diagnostic) -> [UInt8] {
        guard let signature = try? secret.signature(for: message) else {
            throw Diagnostic(.ownFault, "the signature could not be made")
        }
        return Array(signature)
    }

    /// PKCS #8 version 0, AlgorithmIdentifier 1.3.101.112, and the headers of the nested 32-byte octet string.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]

    private static func malformed(_ path: String) -> Diagnostic {
        Diagnostic(
            .keyFile, "\(path) is not an Ed25519 private key in PKCS #8 form",
            help: "make one with `escrow key new` or `openssl genpkey -algorithm ed25519`")
    }
}
