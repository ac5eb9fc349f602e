@_spi(Fuzzing) import EscrowHost

/// `config.json`: walls, limits, stand-ins for servers, what the ledger keeps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HostBytes.readConfiguration(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
