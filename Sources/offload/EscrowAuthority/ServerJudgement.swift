internal import Crypto
public import Foundation
internal import SwiftASN1
internal import X509

/// Why a server's certificate is refused.
public enum ServerRefusal: String, Error, Sendable, CaseIterable {
    case wrongAuthority
    case expired
    case wrongServer
}

/// Whether a certificate is that of the one server that was named: its authority vouches for it, it is valid now, it is for
/// servers, and its key is the one that was pinned.
public struct ServerJudgement: Sendable {
    private let authority: String
    private let pin: String
    private let clock: @Sendable () -> Date

    public init(authority: String, pin: String, clock: @escaping @Sendable () -> Date = { Date() }) {
        self.authority = authority
        self.pin = pin
        self.clock = clock
    }

    /// - Parameter chain: the certificates that the server showed, DER, its own first.
    public func judge(_ chain: [[UInt8]]) async -> ServerRefusal? {
        guard let root = try? Certificate(pemEncoded: authority), let first = chain.first,
            let leaf = try? Certificate(derEncoded: first)
        else { return .wrongAuthority }
        // Whose it is comes first: by a time at which both were valid.
        let began = max(leaf.notValidBefore, root.notValidBefore)
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy(fixedValidationTime: began)
        }
        guard case .validCertificate = await verifier.validate(leaf: leaf, intermediates: CertificateStore())
        else {
            return .wrongAuthority
        }
        let now = clock()
        for certificate in [leaf, root]
        where now < certificate.notValidBefore || now > certificate.notValidAfter {
            return .expired
        }
        guard let usage = try? leaf.extensions.extendedKeyUsage, usage.contains(.serverAuth),
            KeyPair.pin(of: leaf) == pin
        else { return .wrongServer }
        return nil
    }
}
