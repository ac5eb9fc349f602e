private let source = FileFuzz(kind: "photos", place: "a", file: "a/a.jpg")

/// Whatever a JPEG file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJPEG(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
