@_spi(Fuzzing) import EscrowHome

/// Records of requests to the network, and the HTTP Archive of them: lines, each the fields of one record.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    HomeBytes.exportRequests(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
