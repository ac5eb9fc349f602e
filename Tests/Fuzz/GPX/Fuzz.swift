private let source = FileFuzz(kind: "location", place: "a.gpx", file: "a.gpx")

/// Whatever a GPX file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGPX(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
