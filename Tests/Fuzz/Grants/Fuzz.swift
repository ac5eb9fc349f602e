@_spi(Fuzzing) import EscrowConsent

/// `grants.json` and exported decisions, which come from other homes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    GrantBytes.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
