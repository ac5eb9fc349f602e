private let source = FileFuzz(kind: "location", place: "a.geojson", file: "a.geojson")

/// Whatever a GeoJSON file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGeoJSON(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
