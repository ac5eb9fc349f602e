private let source = FileFuzz(kind: "music", place: "a", file: "a/a.mp3")

/// Whatever an audio file holds: its first bytes tell the format, so that all of them are reached.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAudio(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    source.read(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
