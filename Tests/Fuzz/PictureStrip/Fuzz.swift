import EscrowMinimisation

/// A picture whose metadata are left out. What remains is of the same type, and nothing more can be left out of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPictureStrip(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    for type in ["image/jpeg", "image/png"] {
        guard let once = strip(bytes, type) else { continue }
        precondition(once.count <= bytes.count)
        precondition(strip(once, type) == once)
    }
    return 0
}

private func strip(_ bytes: [UInt8], _ type: String) -> [UInt8]? {
    PictureStrip.kept(of: type, size: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }?
        .flatMap { bytes[$0] }
}
