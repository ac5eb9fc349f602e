internal import Crypto
public import EscrowDiagnostics
import EscrowJSON
internal import FoundationEssentials

/// Whether a server's evidence proves what is required of it. A TPM's quote is one kind; what a confidential machine shows (SEV-SNP,
/// TDX) would be others behind the same call.
public protocol AttestationVerifier: Sendable {
    /// - Parameters:
    ///   - evidence: as it came, untrusted.
    ///   - challenge: what this device asked with, for this run alone.
    ///   - now: seconds since 1970.
    func verify(_ evidence: [UInt8], _ challenge: Challenge, now: Int64) throws(AttestationRefusal)
}

/// Who makes evidence: a server.
public protocol Attesting: Sendable {
    /// The very bytes that were measured as its policy: what it is to run by.
    var policy: [UInt8] { get }
    func evidence(_ challenge: Challenge) throws(Diagnostic) -> [UInt8]
}

/// Why evidence is refused: each by its own name.
public enum AttestationRefusal: String, Error, Sendable, CaseIterable {
    /// None came.
    case missing
    /// It is no evidence, or too long.
    case unreadable
    /// What was required is too old: somebody has to look again.
    case expired
    /// The requirement rests on a register that anybody can set back.
    case resettable
    /// The requirement says nothing of firmware, boot loader or kernel: any system could measure the same.
    case bootLeftOpen
    /// What was required holds for too long: nobody would look again.
    case endless
    /// Not signed by the TPM that was named.
    case wrongKey
    /// Signed, and no quote over the registers that are required.
    case notAQuote
    /// Made for another ask: an old one played back.
    case wrongNonce
    /// Made for another connection, device, key or plugin: somebody is in between.
    case wrongChannel
    /// The boot state is another.
    case wrongRegister
    /// The register is not what the measurements lead to: it was set back, or something is left out.
    case wrongMeasurements
    /// Another program serves.
    case wrongServer
    /// It serves by another policy.
    case wrongPolicy

    /// In words for the individual.
    public var words: String {
        switch self {
        case .missing: "it shows nothing"
        case .unreadable: "what it shows cannot be read"
        case .expired: "what you required of it is too old and has to be looked at again"
        case .resettable: "what is required rests on a register that anybody there can set back"
        case .bootLeftOpen: "what is required leaves open how the machine is started"
        case .endless: "what is required holds for more than three years, and nobody would look again"
        case .wrongKey: "another machine signed it"
        case .notAQuote: "what it shows is no quote over the registers that are required"
        case .wrongNonce: "it was made for an earlier ask, and is played back"
        case .wrongChannel: "it was made for another connection, device or plugin: somebody may be in between"
        case .wrongRegister: "the machine was started in another way"
        case .wrongMeasurements: "its register does not follow from what it says was measured"
        case .wrongServer: "another program serves there"
        case .wrongPolicy: "it serves by another policy"
        }
    }
}

/// What a device asks with: fresh for each run, and bound to both ends of the connection and to what is to run.
public struct Challenge: Sendable, Equatable {
    public static let nonceBytes = 16
    public let nonce: [UInt8]
    public let channel: [UInt8]

    /// - Parameters:
    ///   - nonce: sixteen random bytes, used once.
    ///   - server: SHA-256 of the server's public key, hexadecimal: the device has pinned it, so nobody without that key ends the TLS
    ///     connection that carries this.
    ///   - device: SHA-256 of the device's certificate, hexadecimal.
    ///   - manifest: SHA-256 of the plugin's manifest, hexadecimal.
    public init(nonce: [UInt8], server: String, device: String, manifest: String) {
        self.nonce = nonce
        let words = "escrow attestation 1\n\(server)\n\(device)\n\(manifest)\n"
        channel = Array(SHA256.hash(data: Array(words.utf8)))
    }

    /// SHA-256 of a certificate in PEM, hexadecimal.
    public static func fingerprint(ofCertificate pem: String) -> String {
        let body = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
        return Hexadecimal.text(Array(SHA256.hash(data: Base64.decode(body) ?? [])))
    }

    /// What the TPM puts into its statement: 48 bytes, which every TPM takes.
    public var qualifying: [UInt8] { nonce + channel }
}

/// A quote of a TPM 2.0.
public struct TPMQuoteVerifier: AttestationVerifier {
    private let required: Requirement

    public init(_ required: Requirement) { self.required = required }

    public func verify(
        _ bytes: [UInt8], _ challenge: Challenge, now: Int64
    ) throws(AttestationRefusal) {
        if let weakness = required.weakness(now: now) { throw weakness }
        let pcrs = required.pcrs
        guard !bytes.isEmpty else { throw .missing }
        guard let evidence = Evidence(bytes), evidence.signature.count == 64 else { throw .unreadable }
        guard let key = try? P256.Signing.PublicKey(rawRepresentation: required.key),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: evidence.signature),
            key.isValidSignature(signature, for: Data(evidence.statement))
        else { throw .wrongKey }
        guard let statement = Statement(evidence.statement), statement.pcrs == pcrs else { throw .notAQuote }
        guard statement.extraData.count == challenge.qualifying.count,
            Array(statement.extraData.prefix(Challenge.nonceBytes)) == challenge.nonce
        else { throw .wrongNonce }
        guard statement.extraData == challenge.qualifying else { throw .wrongChannel }
        guard evidence.registers == required.registers else { throw .wrongRegister }
        // What was signed is the only word that counts: the registers above and the one that the measurements lead to.
        var own = [UInt8](repeating: 0, count: 32)
        for measurement in evidence.measurements {
            guard measurement.pcr == required.pcr else { throw .wrongMeasurements }
            own = Array(SHA256.hash(data: own + measurement.digest))
        }
        var hash = SHA256()
        for pcr in pcrs.sorted() {
            hash.update(data: pcr == required.pcr ? own : required.registers[pcr] ?? [])
        }
        guard Array(hash.finalize()) == statement.digest else { throw .wrongMeasurements }
        // Two measurements and no more: what would be measured later runs there as well.
        guard evidence.measurements.first?.digest == required.server else { throw .wrongServer }
        guard evidence.measurements.count == 2, evidence.measurements[1].digest == required.policy else {
            throw .wrongPolicy
        }
    }
}
