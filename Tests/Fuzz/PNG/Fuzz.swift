private let source = FileFuzz(kind: "photos", place: "a", file: "a/a.png")

/// Whatever a PNG file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPNG(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
