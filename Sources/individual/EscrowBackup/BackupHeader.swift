public import EscrowDiagnostics

/// The first 48 bytes of a backup, in the clear: which format, and how the key is made. Every chunk is bound to them.
public struct BackupHeader: Sendable, Equatable {
    public static let size = 48
    static let magic = Array("ESCROWBK".utf8)
    static let version: UInt8 = 1
    /// scrypt with r = 8 and p = 1.
    static let scrypt: UInt8 = 1
    static let blockSize = 8
    /// 64 MiB and some 0.2 s for one guess.
    static let standardCost: UInt8 = 16
    /// What a reader takes: a header from a stranger must not cost more than 256 MiB, nor make the passphrase cheap.
    static let costs: ClosedRange<UInt8> = 14...18

    /// The base-2 logarithm of scrypt's N.
    var cost = Self.standardCost
    /// 32 random bytes, new in every backup, so that no key is used twice.
    var salt: [UInt8]

    init(salt: [UInt8]) { self.salt = salt }

    /// Magic, version, kind of key derivation, cost, r, p, three zeros, salt.
    var bytes: [UInt8] {
        Self.magic + [Self.version, Self.scrypt, cost, UInt8(Self.blockSize), 1, 0, 0, 0] + salt
    }

    public init(_ bytes: [UInt8]) throws(Diagnostic) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic) else {
            throw Diagnostic(
                .noBackup, "this is no backup of an escrow home", help: "name a file that escrow backup made")
        }
        guard bytes[8] == Self.version else {
            throw Diagnostic(
                .noBackup, "the backup has format \(bytes[8]); this escrow reads format \(Self.version)",
                help: "use the version of escrow that made it, or a newer one")
        }
        guard bytes[9] == Self.scrypt, Self.costs.contains(bytes[10]), bytes[11] == Self.blockSize,
            bytes[12] == 1, bytes[13...15].allSatisfy({ $0 == 0 })
        else { throw Diagnostic(.noBackup, "the backup's header is damaged", help: "use another copy of it") }
        cost = bytes[10]
        salt = Array(bytes[16...])
    }
}
