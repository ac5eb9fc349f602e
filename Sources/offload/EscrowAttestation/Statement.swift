/// TPMS_ATTEST of a quote (TPM 2.0 Library, part 2, 10.12.8), big-endian.
struct Statement: Equatable {
    var extraData: [UInt8]
    /// How often the TPM was reset, and restarted: both change where a machine boots anew.
    var resetCount: UInt32
    var restartCount: UInt32
    /// The registers that were quoted, of the SHA-256 bank.
    var pcrs: Set<Int>
    /// SHA-256 over their values, one after the other.
    var digest: [UInt8]

    /// TPM_GENERATED_VALUE: a restricted key signs nothing from outside that begins so.
    private static let generated: [UInt8] = [0xFF, 0x54, 0x43, 0x47]
    /// TPM_ST_ATTEST_QUOTE
    private static let quote: [UInt8] = [0x80, 0x18]
    /// TPM_ALG_SHA256
    private static let sha256: [UInt8] = [0x00, 0x0B]

    /// Nil for what is no quote over the SHA-256 bank alone.
    init?(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8]? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func number(_ count: Int) -> UInt64? { take(count)?.reduce(0) { $0 << 8 | UInt64($1) } }
        func sized() -> [UInt8]? { number(2).flatMap { take(Int($0)) } }
        guard take(4) == Self.generated, take(2) == Self.quote, sized() != nil, let extra = sized(),
            number(8) != nil, let resets = number(4), let restarts = number(4), number(1) != nil,
            number(8) != nil, number(4) == 1, take(2) == Self.sha256, let size = number(1), size <= 3,
            let selected = take(Int(size)), let digest = sized(), digest.count == 32, rest.isEmpty
        else { return nil }
        extraData = extra
        resetCount = UInt32(resets)
        restartCount = UInt32(restarts)
        pcrs = []
        for (index, byte) in selected.enumerated() {
            for bit in 0..<8 where byte & 1 << bit != 0 { pcrs.insert(index * 8 + bit) }
        }
        self.digest = digest
    }
}
