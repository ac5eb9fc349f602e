private let source = FileFuzz(kind: "photos", place: "a", file: "a/a.heic")

/// Whatever a HEIF file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHEIF(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
