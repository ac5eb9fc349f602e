private let source = FileFuzz(kind: "photos", place: "a", file: "a/a.jpg")

/// Whatever EXIF data a JPEG holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzExif(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    // The input is the TIFF data of a JPEG's EXIF segment.
    let bytes = UnsafeBufferPointer(start: data, count: size).prefix(65_000)
    let length = bytes.count + 8
    let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)]
    let frame: [UInt8] = [0xFF, 0xC0, 0, 17, 8, 0, 4, 0, 5, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]
    source.read(head + Array("Exif\0\0".utf8) + bytes + frame)
    return 0
}
