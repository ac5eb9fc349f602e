private let source = FileFuzz(kind: "health", place: "export.xml", file: "export.xml")

/// Whatever an export of Apple Health holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAppleHealth(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
