import CTPM
public import EscrowDiagnostics
import Synchronization

/// A TPM 2.0, opened for quotes.
public final class TPM: Sendable {
    /// One caller at a time: neither the library's context nor the device takes two.
    private final class Handle {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { ctpm_close(pointer) }
    }

    private let handle: Mutex<Handle>
    /// The attestation key's point, X and then Y.
    public let key: [UInt8]

    /// - Parameter words: tpm2-tss's, `device:/dev/tpmrm0` or `swtpm:path=…`.
    public init(_ words: String) throws(Diagnostic) {
        var opened: OpaquePointer?
        let error = ctpm_open(words, &opened)
        guard error == 0, let opened else { throw Self.failed("cannot be opened", error) }
        var point = [UInt8](repeating: 0, count: 64)
        ctpm_key(opened, &point)
        key = point
        handle = Mutex(Handle(opened))
    }

    /// Extends a register: it can be read afterwards, and not be taken back until the machine starts anew.
    public func extend(_ pcr: Int, by digest: [UInt8]) throws(Diagnostic) {
        let error = handle.withLock { ctpm_extend($0.pointer, UInt32(pcr), digest) }
        guard error == 0 else { throw Self.failed("did not extend register \(pcr)", error) }
    }

    public func value(of pcr: Int) throws(Diagnostic) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let error = handle.withLock { ctpm_read($0.pointer, UInt32(pcr), &digest) }
        guard error == 0 else { throw Self.failed("did not give register \(pcr)", error) }
        return digest
    }

    /// A quote over registers, with what the device asked with in it.
    public func quote(
        _ pcrs: [Int], _ qualifying: [UInt8]
    ) throws(Diagnostic) -> (statement: [UInt8], signature: [UInt8]) {
        var statement = [UInt8](repeating: 0, count: Int(CTPM_MOST))
        var signature = [UInt8](repeating: 0, count: 64)
        var size = 0
        let mask = pcrs.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
        let error = handle.withLock {
            ctpm_quote($0.pointer, mask, qualifying, qualifying.count, &statement, &size, &signature)
        }
        guard error == 0 else { throw Self.failed("gave no quote", error) }
        return (Array(statement.prefix(size)), signature)
    }

    private static func failed(_ words: String, _ error: UInt32) -> Diagnostic {
        Diagnostic(
            .tpmUnusable, "the TPM \(words): 0x\(String(error, radix: 16))",
            help: "tpm2_rc_decode 0x\(String(error, radix: 16)) says what that means")
    }
}
