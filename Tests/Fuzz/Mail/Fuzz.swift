private let mbox = FileFuzz(kind: "mail", place: "a.mbox", file: "a.mbox")
private let single = FileFuzz(kind: "mail", place: "mail", file: "mail/a.eml")

/// Whatever an mbox or a file of one mail holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMail(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    mbox.read(bytes)
    single.read(bytes)
    return 0
}
