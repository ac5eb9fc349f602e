private let source = FileFuzz(kind: "calendar", place: "a.ics", file: "a.ics")

/// Whatever an iCalendar file holds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCalendar(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
