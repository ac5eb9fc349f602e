import EscrowDiagnostics
import EscrowTrust

/// Whatever is read as an envelope is written again as the same bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let envelope = try? Envelope(parsing: bytes, file: "envelope") else { return 0 }
    precondition(envelope.encoded == bytes)
    return 0
}
