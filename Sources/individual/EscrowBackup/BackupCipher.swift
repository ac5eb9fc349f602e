internal import Crypto
internal import CryptoExtras
internal import EscrowDiagnostics
internal import FoundationEssentials

/// Seals and opens the chunks of one backup: ChaCha20-Poly1305 with the STREAM construction. The nonce is the chunk's
/// number and whether it is the last, so no chunk can be left out, moved, repeated or cut off; each authenticates the
/// header.
struct BackupCipher {
    /// Bytes of a chunk in the clear; only the last one may be shorter.
    static let chunkSize = 65_536
    static let tagSize = 16

    private let key: SymmetricKey
    private let header: [UInt8]
    private var number: UInt64 = 0

    /// Makes the key of a passphrase; takes the memory and time that the header says.
    init(_ header: BackupHeader, passphrase: [UInt8]) throws(Diagnostic) {
        self.header = header.bytes
        do {
            key = try KDF.Scrypt.deriveKey(
                from: passphrase, salt: header.salt, outputByteCount: 32, rounds: 1 << Int(header.cost),
                blockSize: BackupHeader.blockSize, parallelism: 1)
        } catch {
            throw Diagnostic(
                .homeNotBackedUp, "the passphrase's key cannot be made: there is too little memory")
        }
    }

    private mutating func nextNonce(isLast: Bool) -> [UInt8] {
        defer { number += 1 }
        return [0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } + [
            isLast ? 1 : 0
        ]
    }

    /// A chunk as it is stored.
    mutating func seal(_ chunk: [UInt8], isLast: Bool) throws(Diagnostic) -> [UInt8] {
        do {
            let box = try ChaChaPoly.seal(
                chunk, using: key, nonce: ChaChaPoly.Nonce(data: nextNonce(isLast: isLast)),
                authenticating: header)
            return Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw Diagnostic(.ownFault, "a chunk of the backup cannot be sealed")
        }
    }

    /// A stored chunk in the clear.
    mutating func open(_ chunk: [UInt8], isLast: Bool) throws(Diagnostic) -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: ChaChaPoly.Nonce(data: nextNonce(isLast: isLast)),
                ciphertext: chunk.dropLast(Self.tagSize), tag: chunk.suffix(Self.tagSize))
            return Array(try ChaChaPoly.open(box, using: key, authenticating: header))
        } catch {
            throw .altered
        }
    }
}

extension Diagnostic {
    /// One error for both: who does not know the passphrase cannot tell them apart either.
    static let altered = Diagnostic(
        .backupNotOpened,
        "the passphrase is wrong, or the backup was altered or cut off; nothing was restored",
        help: "type the passphrase again, or use another copy of the backup")
}
