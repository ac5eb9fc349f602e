private let source = FileFuzz(kind: "location", place: "a.kml", file: "a.kml")

/// Whatever a KML file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKML(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
