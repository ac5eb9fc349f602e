@_spi(Fuzzing) import EscrowBus

/// A message of D-Bus, as a bus or whoever is on it writes one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    BusBytes.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
