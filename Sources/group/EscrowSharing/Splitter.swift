internal import Crypto
internal import FoundationEssentials

extension Scheme {
    /// The n shares of a message, that of server 1 first. The coefficients are the key stream of a key that is made for this
    /// message alone and forgotten: a fresh byte for each byte of the message and each power.
    public func split(_ message: [UInt8]) throws(SharingError) -> [Share] {
        guard message.count <= Share.longestMessage else { throw .tooLong }
        let length = message.count + Share.hashSize
        let random: [UInt8] = try Self.random((threshold - 1) * length + shares * Share.hashSize)
        let salts = random.suffix(shares * Share.hashSize)
        func salt(_ number: Int) -> [UInt8] {
            let start = salts.startIndex + (number - 1) * Share.hashSize
            return Array(salts[start..<start + Share.hashSize])
        }
        let coefficients = (0..<threshold - 1).map { Array(random[$0 * length..<($0 + 1) * length]) }
        let rows = [message + Share.digest(of: message, threshold: threshold, shares: shares)] + coefficients
        let values = (1...shares).map { Field.standard.value(of: rows, at: UInt8($0)) }
        let commitments = (1...shares).map {
            Share.commitment(salt: salt($0), number: UInt8($0), values: values[$0 - 1])
        }
        return (1...shares).map {
            Share(
                threshold: UInt8(threshold), number: UInt8($0), salt: salt($0), commitments: commitments,
                values: values[$0 - 1])
        }
    }

    private static func random(_ count: Int) throws(SharingError) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(
                [UInt8](repeating: 0, count: count), using: SymmetricKey(size: .bits256),
                nonce: ChaChaPoly.Nonce(data: [UInt8](repeating: 0, count: 12)))
            return Array(box.ciphertext)
        } catch {
            throw .noRandomness
        }
    }
}
