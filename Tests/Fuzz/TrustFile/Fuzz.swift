import EscrowDiagnostics
import EscrowTrust

/// Whatever is read as an entry is written as a line that reads as the same entry.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let store = try? TrustStore(parsing: bytes, file: "trust.signers") else { return 0 }
    let text = store.entries.map { $0.line + "\n" }.joined()
    precondition((try? TrustStore(parsing: Array(text.utf8), file: "again")) == store)
    return 0
}
