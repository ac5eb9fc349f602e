private let source = FileFuzz(kind: "location", place: "a.rec", file: "a.rec")

/// Whatever a OwnTracks file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOwnTracks(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
