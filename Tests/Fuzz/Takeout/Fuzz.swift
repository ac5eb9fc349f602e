private let source = FileFuzz(kind: "location", place: "a.json", file: "a.json")

/// Whatever a location history holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTakeout(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
