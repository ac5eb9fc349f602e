internal import CSodium
internal import Crypto
internal import FoundationEssentials

/// SPAKE2 (Abdalla and Pointcheval, 2005; RFC 9382) on Ed25519's curve, as PyPI's `spake2` has it: of a short code two sides make a
/// long key, and whoever listens, or plays one of them, can try one code in each run and no more.
public struct PasswordExchange: Sendable {
    public enum Side: UInt8, Sendable {
        case a = 0x41, b = 0x42
    }

    private let side: Side
    private let code: [UInt8]
    private let names: (a: [UInt8], b: [UInt8])
    private let secret: [UInt8]
    /// What the other side is sent: 33 bytes.
    public let message: [UInt8]

    /// Points whose logarithms nobody knows; made of the seeds `M` and `N` by that package.
    private static let blinding: [Side: [UInt8]] = [
        .a: hex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"),
        .b: hex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"),
    ]

    /// - Parameter names: who the two sides are; both must say the same.
    public init?(_ side: Side, code: [UInt8], names: (a: [UInt8], b: [UInt8])) {
        guard sodium_init() >= 0 else { return nil }
        var scalar = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_random(&scalar)
        self.init(side, code: code, names: names, secret: scalar)
    }

    /// With a secret that is given.
    init?(_ side: Side, code: [UInt8], names: (a: [UInt8], b: [UInt8]), secret: [UInt8]) {
        self.side = side
        self.code = code
        self.names = names
        self.secret = secret
        var own = [UInt8](repeating: 0, count: 32)
        guard crypto_scalarmult_ed25519_base_noclamp(&own, secret) == 0,
            let blinded = Self.times(Self.scalar(of: code), Self.blinding[side] ?? []),
            let sum = Self.combined(own, blinded, crypto_core_ed25519_add)
        else { return nil }
        message = [side.rawValue] + sum
    }

    /// The key, of what the other side sent; nil for what is no point of the group, or comes from the same side.
    public func key(from other: [UInt8]) -> [UInt8]? {
        let theirs: Side = side == .a ? .b : .a
        guard other.count == 33, other[0] == theirs.rawValue else { return nil }
        let point = Array(other.dropFirst())
        guard crypto_core_ed25519_is_valid_point(point) == 1, point != Array(message.dropFirst()),
            let blinded = Self.times(Self.scalar(of: code), Self.blinding[theirs] ?? []),
            let bare = Self.combined(point, blinded, crypto_core_ed25519_sub),
            let shared = Self.times(secret, bare)
        else { return nil }
        let mine = Array(message.dropFirst())
        var hash = SHA256()
        for part in [code, names.a, names.b] { hash.update(data: Array(SHA256.hash(data: part))) }
        hash.update(data: side == .a ? mine + point : point + mine)
        hash.update(data: shared)
        return Array(hash.finalize())
    }

    /// 48 bytes of HKDF, read with the greatest byte first, modulo the group's order.
    private static func scalar(of code: [UInt8]) -> [UInt8] {
        let long = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: code), info: Array("SPAKE2 pw".utf8), outputByteCount: 48
        ).withUnsafeBytes { Array($0) }
        var scalar = [UInt8](repeating: 0, count: 32)
        crypto_core_ed25519_scalar_reduce(&scalar, long.reversed() + [UInt8](repeating: 0, count: 16))
        return scalar
    }

    private static func times(_ scalar: [UInt8], _ point: [UInt8]) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: 32)
        return crypto_scalarmult_ed25519_noclamp(&result, scalar, point) == 0 ? result : nil
    }

    private static func combined(
        _ left: [UInt8], _ right: [UInt8],
        _ operation: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Int32
    ) -> [UInt8]? {
        var result = [UInt8](repeating: 0, count: 32)
        return operation(&result, left, right) == 0 ? result : nil
    }

    private static func hex(_ text: String) -> [UInt8] {
        let digits = Array(text)
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0
        }
    }
}
