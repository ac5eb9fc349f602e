/// The readers of untrusted bytes, one by one, for the fuzzer.
@_spi(Fuzzing) public enum LedgerBytes {
    /// Reads a line of the log; what is accepted must be spelled again in the same bytes.
    public static func readLine(_ bytes: [UInt8]) {
        guard let line = try? LogLine(bytes) else { return }
        precondition(line.bytes == bytes, "a line has two spellings")
        _ = try? line.entry()
    }

    public static func readRecord(_ bytes: [UInt8]) {
        let line = RecordLine(salt: [UInt8](repeating: 0, count: 32), record: bytes)
        guard let entry = try? line.entry() else { return }
        let again = RecordLine.record(
            sequence: entry.sequence, time: entry.time, clock: entry.clock, kind: entry.kind, run: entry.run,
            fields: entry.fields)
        precondition((try? RecordLine(salt: line.salt, record: again).entry().fields) == entry.fields)
    }

    /// Reads a page of heads as if its signature were good.
    public static func readHead(_ bytes: [UInt8]) {
        var page = bytes
        page += [UInt8](repeating: 0x20, count: max(0, HeadPage.size - 1 - bytes.count))
        page.append(0x0A)
        guard let head = try? HeadPage(page, verifier: AnySignature()) else { return }
        precondition(head.bytes == page, "a page has two spellings")
    }

    /// Reads a signed note; what is accepted must be spelled again in the same bytes.
    public static func readNote(_ bytes: [UInt8]) {
        guard let note = SignedNote(note: String(decoding: bytes, as: UTF8.self)) else { return }
        precondition(SignedNote(note: note.note) == note, "a note has two spellings")
        if let checkpoint = Checkpoint(text: note.text) { precondition(checkpoint.text == note.text) }
    }

    private struct AnySignature: HeadVerifier {
        let keyID = "SHA256:TEST-ONLY-7"
        let publicKey = [UInt8](repeating: 7, count: 32)
        func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
    }
}
