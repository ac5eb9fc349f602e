import EscrowDiagnostics
@_spi(Fuzzing) import EscrowLedger

/// The first byte chooses the reader.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLedger(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch choice {
    case UInt8(ascii: "l"): LedgerBytes.readLine(rest)
    case UInt8(ascii: "r"): LedgerBytes.readRecord(rest)
    case UInt8(ascii: "n"): LedgerBytes.readNote(rest)
    case UInt8(ascii: "p"): readProof(String(decoding: rest, as: UTF8.self))
    case UInt8(ascii: "s"): readRecordSet(String(decoding: rest, as: UTF8.self))
    default: LedgerBytes.readHead(rest)
    }
    return 0
}

/// A proof is checked or refused, whatever it claims; what is read has one spelling.
private func readProof(_ text: String) {
    guard let proof = try? LedgerProof(text: text) else { return }
    precondition(proof.text.utf8.elementsEqual(text.utf8), "a proof has two spellings")
    _ = try? proof.verify(AnySignature())
}

/// A set of records has one spelling, and holds what it lists and not the neighbours of it.
private func readRecordSet(_ text: String) {
    guard let set = RecordSet(text) else { return }
    precondition(set.text.utf8.elementsEqual(text.utf8), "a set has two spellings")
    precondition(RecordSet(set.digests.reversed()) == set, "a set is not in order")
    let listed = Set(set.digests)
    for digest in set.digests {
        precondition(set.contains(digest))
        precondition(digest == 0 || set.contains(digest - 1) == listed.contains(digest - 1))
    }
}

/// Takes every signature for good, so that what stands behind one is reached.
private struct AnySignature: HeadVerifier {
    let keyID = "SHA256:TEST-ONLY-7"
    let publicKey = [UInt8](repeating: 7, count: 32)
    func isValid(signature: [UInt8], for message: [UInt8]) -> Bool { true }
}
