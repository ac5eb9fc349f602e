@_spi(Fuzzing) import EscrowConsent

/// `grants.uses`: whole lines count, whatever else a crash or an editor left never does, nor ends the host.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    // The last byte says where the file is cut in two.
    precondition(
        GrantUseBytes.read(bytes, split: Int(bytes.last ?? 0) * 7 + 1),
        "a file is read otherwise in two pieces")
    return 0
}
