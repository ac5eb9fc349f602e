internal import Crypto
public import EscrowDiagnostics
public import Foundation
internal import SwiftASN1
internal import X509

/// A certificate and its key, PEM.
public struct KeyPair: Sendable {
    public let certificate: String
    public let key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    /// SHA-256 of the public key, hexadecimal: by this a server is known, whoever vouches for it.
    public var pin: String { get throws(Diagnostic) { try Self.pin(ofCertificate: certificate) } }

    /// SHA-256 of the certificate, hexadecimal: by this a device is known.
    public var fingerprint: String {
        get throws(Diagnostic) {
            do {
                return Self.hexadecimal(SHA256.hash(data: try PEMDocument(pemString: certificate).derBytes))
            } catch { throw Authority.unfit() }
        }
    }

    public static func pin(ofCertificate pem: String) throws(Diagnostic) -> String {
        do { return pin(of: try Certificate(pemEncoded: pem)) } catch { throw Authority.unfit() }
    }

    static func pin(of certificate: Certificate) -> String {
        var serializer = DER.Serializer()
        // A key that was read can be written.
        try? serializer.serialize(certificate.publicKey)
        return hexadecimal(SHA256.hash(data: serializer.serializedBytes))
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Who vouches for one individual's servers and devices: a certificate authority of one household.
public struct Authority: Sendable {
    public let pair: KeyPair

    public init(_ pair: KeyPair) { self.pair = pair }

    /// What a certificate is for.
    public enum Role: Sendable {
        case server(host: String)
        case device
    }

    public static let serverDays = 397
    public static let deviceDays = 397
    public static let ownDays = 3650

    /// A new one.
    public static func make(name: String, now: Date = Date()) throws(Diagnostic) -> Authority {
        do {
            let key = P256.Signing.PrivateKey()
            let subject = try DistinguishedName { CommonName("\(name) escrow authority") }
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: now.addingTimeInterval(-300),
                notValidAfter: now.addingTimeInterval(Double(ownDays) * 86_400), issuer: subject,
                subject: subject, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                    Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                }, issuerPrivateKey: .init(key))
            return Authority(
                KeyPair(certificate: try certificate.serializeAsPEM().pemString, key: key.pemRepresentation))
        } catch { throw unfit() }
    }

    /// A certificate for a new key.
    ///
    /// - Parameters:
    ///   - days: how long it is valid; less than none for one that is over, which tests need.
    ///   - key: an older key to go on with, PEM: a renewed server keeps its pin.
    public func issue(
        _ role: Role, name: String, days: Int, key pem: String? = nil, now: Date = Date()
    ) throws(Diagnostic) -> KeyPair {
        do {
            let issuer = try Certificate(pemEncoded: pair.certificate)
            let issuerKey = try P256.Signing.PrivateKey(pemRepresentation: pair.key)
            let key =
                try pem.map { try P256.Signing.PrivateKey(pemRepresentation: $0) }
                ?? P256.Signing.PrivateKey()
            let usage: ExtendedKeyUsage.Usage = if case .server = role { .serverAuth } else { .clientAuth }
            let host: String? = if case .server(let host) = role { host } else { nil }
            let end = now.addingTimeInterval(Double(days) * 86_400)
            let certificate = try Certificate(
                version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey),
                notValidBefore: min(now.addingTimeInterval(-300), end.addingTimeInterval(-86_400)),
                notValidAfter: end, issuer: issuer.subject,
                subject: try DistinguishedName { CommonName(name) }, signatureAlgorithm: .ecdsaWithSHA256,
                extensions: try Certificate.Extensions {
                    Critical(BasicConstraints.notCertificateAuthority)
                    Critical(KeyUsage(digitalSignature: true))
                    try ExtendedKeyUsage([usage])
                    if let host { SubjectAlternativeNames([.dnsName(host)]) }
                }, issuerPrivateKey: .init(issuerKey))
            return KeyPair(
                certificate: try certificate.serializeAsPEM().pemString, key: key.pemRepresentation)
        } catch { throw Self.unfit() }
    }

    static func unfit() -> Diagnostic {
        Diagnostic(.certificateUnfit, "a certificate or its key cannot be read, or does not fit the other")
    }
}
