private let source = FileFuzz(kind: "location", place: "a.zip", file: "a.zip")

/// Whatever a zip archive holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZip(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
