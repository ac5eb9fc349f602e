@_spi(Fuzzing) import EscrowPlaces

/// A table of places, as `escrow location places add` reads it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    PlaceBytes.readTable(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
