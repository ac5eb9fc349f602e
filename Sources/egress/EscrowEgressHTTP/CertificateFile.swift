import EscrowJSON

/// PEM files of certificates: RFC 7468.
enum CertificateFile {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// Whether there is a certificate in it, and nothing of a certificate that is none by its outside.
    static func hasCertificates(_ pem: [UInt8]) -> Bool {
        var inside: [UInt8]?
        var count = 0
        for line in String(decoding: pem, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if line == begin {
                guard inside == nil else { return false }
                inside = []
            } else if line == end {
                // DER: a sequence.
                guard let text = inside, Base64.decode(text)?.first == 0x30 else { return false }
                inside = nil
                count += 1
            } else if inside != nil {
                inside? += line.utf8.filter { $0 != 0x20 && $0 != 0x09 }
            }
        }
        return count > 0 && inside == nil
    }
}
