private let tracks = FileFuzz(kind: "location", place: "a.zip", file: "a.zip")
private let pictures = FileFuzz(kind: "photos", place: "a.zip", file: "a.zip")

/// Whatever a zip archive holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzZip(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    tracks.read(bytes)
    pictures.read(bytes)
    return 0
}
