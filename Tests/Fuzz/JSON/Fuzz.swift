import EscrowJSON

/// Whatever is accepted must be written and read again to the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    guard let node = try? JSONParser.parse(bytes) else { return 0 }
    let value = node.value
    for text in [JSONWriter.line(value), JSONWriter.document(value)] {
        guard let again = try? JSONParser.parse(text, limits: .init(bytes: 64 << 20)) else {
            preconditionFailure("the writer's text was refused")
        }
        precondition(again.value == value, "the writer's text reads differently")
    }
    return 0
}
