@_spi(Fuzzing) import EscrowLedger

/// The first byte chooses the reader.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLedger(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let choice = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch choice {
    case UInt8(ascii: "l"): LedgerBytes.readLine(rest)
    case UInt8(ascii: "r"): LedgerBytes.readRecord(rest)
    default: LedgerBytes.readHead(rest)
    }
    return 0
}
