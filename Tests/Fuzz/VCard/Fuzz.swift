private let source = FileFuzz(kind: "contacts", place: "a.vcf", file: "a.vcf")

/// Whatever a vCard file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzVCard(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
