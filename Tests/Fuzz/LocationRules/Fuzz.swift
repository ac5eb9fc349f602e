@_spi(Fuzzing) import EscrowLocation

/// `location.json`: the individual's rules about their places, and the secret that noise is made with.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    LocationBytes.readPlaces(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
