public import EscrowDiagnostics
public import EscrowManifest

/// Who says that they signed a package, by the keys that came along with it: for an individual who trusts none of them yet.
///
/// The signatures hold under these very keys. That tells that the package is whole, and nothing about whose keys they are.
public struct PackageKeys: Sendable {
    /// What is signed; its words are the publisher's.
    public let manifest: Manifest
    /// One for each signature, in order.
    public let keys: [PublicKey]

    /// Reads the envelope of a package and nothing after it.
    /// - Throws: E1390 where no key came along, and what a verifier throws for a package that is damaged or altered.
    public init(package path: String) throws(Diagnostic) {
        var reader = try PackageReader(opening: path)
        let envelope = try Envelope(parsing: try reader.envelope(), file: PackageReader.envelopeName)
        guard !envelope.signatures.isEmpty else { throw Verification.Reason.unsigned.diagnostic(path) }
        var keys: [PublicKey] = []
        for signature in envelope.signatures {
            guard let key = signature.key else { throw Self.noKey(path) }
            if !keys.contains(key) { keys.append(key) }
        }
        switch envelope.verify(as: .pluginManifest, keys: keys) {
        case .success(let payload): manifest = try Manifest.parse(payload.bytes, file: "plugin.json")
        case .failure(let reason): throw reason.diagnostic(path)
        }
        self.keys = keys
    }

    private static func noKey(_ path: String) -> Diagnostic {
        Diagnostic(
            .packageWithoutKey, "\(path) does not hold the public key of everyone who signed it",
            notes: ["packages of earlier versions hold none"],
            help: "ask its publisher for the key, then: escrow trust add PATTERN --key-file FILE")
    }
}
