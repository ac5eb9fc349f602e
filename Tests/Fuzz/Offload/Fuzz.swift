import EscrowOffloadWire
import Glibc

/// What a server tells a device, what a device tells a server, their frames, and a stream of frames: the first byte chooses. What is read
/// is written as it came: no message has two spellings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    guard let first = input.first else { return 0 }
    let bytes = Array(input.dropFirst())
    if first & 7 == 4 {
        compare(bytes)
        return 0
    }
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

/// Whoever reads as it comes finds the frames that whoever waits for each finds.
private func compare(_ bytes: [UInt8]) {
    // What a socket holds without a reader.
    guard bytes.count <= 1 << 16 else { return }
    let (one, other) = (filled(bytes), filled(bytes))
    defer {
        close(one.descriptor)
        close(other.descriptor)
    }
    var reader = FrameReader(one)
    var isOver = false
    while true {
        let expected = try? other.receive()
        var found: RemoteFrame?
        while found == nil, !isOver {
            do { found = try reader.next() } catch { isOver = true }
            if found == nil, !isOver, case .end = reader.read() { isOver = true }
        }
        precondition(found == expected, "two readers find other frames")
        if found == nil { return }
    }
}

/// A socket that has these bytes and then its end.
private func filled(_ bytes: [UInt8]) -> FrameSocket {
    var ends: [Int32] = [-1, -1]
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    precondition(write(ends[0], bytes, bytes.count) == bytes.count)
    close(ends[0])
    return FrameSocket(ends[1])
}
