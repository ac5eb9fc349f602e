@_spi(Fuzzing) import EscrowSources

/// What the escrow home keeps of files, and what the kernel tells of changes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    IndexFuzz.read(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
