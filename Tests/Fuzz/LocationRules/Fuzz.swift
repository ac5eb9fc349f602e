@_spi(Fuzzing) import EscrowLocation

/// The files of a home about places, `location.json`, `location.places.NAME.json`, `location.memory.json` and `live.json`, and the
/// lines of gpsd.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    LocationBytes.readPlaces(bytes)
    LocationBytes.readList(bytes)
    LocationBytes.readMemory(bytes)
    LocationBytes.readReport(bytes)
    return 0
}
