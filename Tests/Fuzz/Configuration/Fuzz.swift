@_spi(Fuzzing) import EscrowHome

/// `config.json`: walls, limits, stand-ins for servers, what the ledger keeps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HomeBytes.readConfiguration(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
