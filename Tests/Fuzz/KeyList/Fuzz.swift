private let source = FileFuzz(kind: "exposure", place: "keys.json", file: "keys.json")

/// Whatever a list of the device's own keys holds, as JSON or as CSV.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyList(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
