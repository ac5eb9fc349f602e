import EscrowLocationPrivacy

/// The spelling of a mechanism: what is read is printed as it was.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    guard let mechanism = try? Mechanism(text) else { return 0 }
    precondition(mechanism.description == text, "a mechanism has two spellings")
    _ = mechanism.words
    return 0
}
