private let xmp = FileFuzz(kind: "photos", place: "a", file: "a/a.xmp", beside: ["a/a.webp"])
private let takeout = FileFuzz(kind: "photos", place: "a", file: "a/a.webp.json", beside: ["a/a.webp"])

/// Whatever lies beside a picture: JSON where the first byte says so, else XMP.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSideCar(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    (bytes.first == UInt8(ascii: "{") ? takeout : xmp).read(bytes)
    return 0
}
