private let source = FileFuzz(kind: "exposure", place: "export.bin", file: "export.bin")
private let header = Array("EK Export v1    ".utf8)

/// Whatever follows the header of a key server's export.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKeyExport(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(header + Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
