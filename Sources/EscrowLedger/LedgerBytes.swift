import EscrowDiagnostics

/// The readers of untrusted bytes, one by one, for the fuzzer.
@_spi(Fuzzing) public enum LedgerBytes {
    /// Reads a line of the log; what is accepted must be spelled again in the same bytes.
    public static func readLine(_ bytes: [UInt8]) {
        guard let line = try? RecordLine(bytes) else { return }
        precondition(line.bytes == bytes, "a line has two spellings")
        _ = try? line.entry()
    }

    /// Reads a record whose commitment is right.
    public static func readRecord(_ bytes: [UInt8]) {
        let line = RecordLine(salt: [UInt8](repeating: 0, count: 32), record: bytes)
        guard let entry = try? line.entry() else { return }
        let again = RecordLine.record(
            sequence: entry.sequence, time: entry.time, clock: entry.clock, kind: entry.kind, run: entry.run,
            fields: entry.fields)
        precondition((try? RecordLine(salt: line.salt, record: again).entry().fields) == entry.fields)
    }

    /// Reads a head file as if its signature were good.
    public static func readHead(_ bytes: [UInt8]) {
        guard let slot = try? HeadSlot(bytes, verifier: AnySignature()) else { return }
        precondition(Head(payload: slot.head.payload) == slot.head, "a head reads differently once written")
    }

    private struct AnySignature: HeadVerifier {
        let keyID = "SHA256:TEST-ONLY-7"
        func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
    }
}
