internal import Crypto
public import EscrowDiagnostics
internal import EscrowJSON
internal import FoundationEssentials

/// An Ed25519 public key (RFC 8032) that is fit to be trusted.
public struct PublicKey: Sendable, Hashable {
    public let bytes: [UInt8]

    /// Takes 32 bytes; throws for another length, for a point of small order, and for a spelling of a coordinate beyond
    /// the field's prime.
    ///
    /// A key of small order "verifies" trivial signatures over any message, and the curve code accepts it as a key: so
    /// it is refused here, once, for every way by which a key can come in.
    public init(_ bytes: [UInt8]) throws(Diagnostic) {
        guard bytes.count == 32 else {
            throw Diagnostic(.publicKeyInvalid, "an Ed25519 public key has 32 bytes, not \(bytes.count)")
        }
        guard !Self.isSmallOrder(bytes), Self.isCanonical(bytes) else {
            throw Diagnostic(
                .publicKeyInvalid, "this public key would accept signatures that nobody made",
                notes: ["it is a point of small order, or not the one spelling of its point"],
                help: "do not trust it, and ask its publisher how it came about")
        }
        self.bytes = bytes
    }

    /// Reads the 44 bytes of a SubjectPublicKeyInfo (RFC 8410), as `openssl pkey -pubout -outform DER` writes them.
    public init(spki: [UInt8]) throws(Diagnostic) {
        guard spki.count == 44, spki.starts(with: Self.prefix) else {
            throw Diagnostic(
                .publicKeyInvalid, "this is not the SubjectPublicKeyInfo of an Ed25519 key (RFC 8410)",
                help: "`openssl pkey -in KEY -pubout -outform DER | base64 -w0` prints one")
        }
        try self.init(Array(spki[12...]))
    }

    /// Reads the base64 of a SubjectPublicKeyInfo, as trust stores hold it.
    public init(base64 text: String) throws(Diagnostic) {
        guard let spki = Base64.decode(text) else {
            throw Diagnostic(
                .publicKeyInvalid, "the public key is not base64",
                help: "`escrow key list` prints keys as they are added")
        }
        try self.init(spki: spki)
    }

    public var spki: [UInt8] { Self.prefix + bytes }

    /// The base64 of the SubjectPublicKeyInfo: what a trust store holds.
    public var base64: String { Base64.encode(spki) }

    /// The id: `SHA256:` and the unpadded base64 of SHA-256 over ``spki``. Always computed, never taken from a file.
    public var id: KeyID { KeyID(Digest(of: spki)) }

    /// Whether a signature over some bytes is this key's (RFC 8032 section 5.1.7).
    func isValid(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        guard signature.count == 64, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: message)
    }

    /// AlgorithmIdentifier 1.3.101.112 and the header of a 32-byte bit string.
    private static let prefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]

    /// The y coordinates of the 8 points of order 1, 2, 4 and 8, little-endian. The sign bit is masked before comparing,
    /// which covers both points of each and the two encodings with a meaningless sign. Spellings of the same points with
    /// y ≥ p are caught by ``isCanonical(_:)``.
    private static let smallOrder: [[UInt8]] = [
        [0] + [UInt8](repeating: 0, count: 31),
        [1] + [UInt8](repeating: 0, count: 31),
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    ]

    private static func isSmallOrder(_ bytes: [UInt8]) -> Bool {
        var y = bytes
        y[31] &= 0x7F
        return smallOrder.contains(y)
    }

    /// Whether y < p = 2^255 - 19.
    private static func isCanonical(_ bytes: [UInt8]) -> Bool {
        bytes[31] & 0x7F != 0x7F || bytes[1..<31].contains { $0 != 0xFF } || bytes[0] < 0xED
    }
}

/// The name of a key: a digest of it.
public struct KeyID: Sendable, Hashable, CustomStringConvertible {
    private let digest: Digest

    init(_ digest: Digest) { self.digest = digest }

    /// `SHA256:` and 43 characters.
    public var description: String { "SHA256:" + Base64.encode(digest.bytes, padding: false) }

    /// Whether a text is spelled as an id is.
    static func isSpelled(_ text: String) -> Bool {
        text.hasPrefix("SHA256:") && Base64.decode(text.dropFirst(7) + "=")?.count == 32
    }

    /// Shortened for people: `SHA256:fnvj…9hs`.
    public var short: String {
        let text = Base64.encode(digest.bytes, padding: false)
        return "SHA256:\(text.prefix(4))…\(text.suffix(3))"
    }
}
