import EscrowOffloadWire

/// What a server tells a device, what a device tells a server, and their frames: the first byte chooses. What is read is written as
/// it came: no message has two spellings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    switch first & 3 {
    case 0:
        guard let message = try? FromServer(bytes) else { return 0 }
        precondition(message.encoded == bytes, "a server's message has two spellings")
    case 1:
        guard let message = try? FromDevice(bytes) else { return 0 }
        precondition(message.encoded == bytes, "a device's message has two spellings")
    case 2:
        guard let description = try? ServerDescription(bytes) else { return 0 }
        precondition(description.encoded == bytes, "a description has two spellings")
    default:
        guard let kind = bytes.first, let frame = try? RemoteFrame(kind: kind, body: Array(bytes.dropFirst()))
        else {
            return 0
        }
        precondition(frame.encoded.count == bytes.count + 4, "a frame is written as another")
    }
    return 0
}
