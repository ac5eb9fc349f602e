internal import EscrowHashing

/// The key by which the records that a run read are told apart: SipHash-2-4 (Aumasson and Bernstein, 2012) of a
/// record's id. A new key for each run, so that the digests of two cannot be compared.
public struct RecordKey: Sendable, Equatable {
    private let key: SipHash

    public init() { key = SipHash() }

    init(_ first: UInt64, _ second: UInt64) { key = SipHash(first, second) }

    public init?(_ text: String) {
        guard text.utf8.count == 32, let first = UInt64(text.prefix(16), radix: 16),
            let second = UInt64(text.suffix(16), radix: 16)
        else { return nil }
        self.init(first, second)
    }

    public var text: String {
        [key.first, key.second].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    public func hash(_ id: [UInt8]) -> UInt64 { id.withUnsafeBytes { hash($0) } }

    public func hash(_ id: UnsafeRawBufferPointer) -> UInt64 { key.digest(id, rounds: 2, last: 4) }
}
