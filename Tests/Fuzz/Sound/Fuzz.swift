/// What a confined program says to a sound server, and what that answers, in one piece and in pieces of a size that the first byte
/// chooses: they change nothing, only what is on the list passes, and it passes a second time as it is.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSound(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    let said = Array(bytes.dropFirst())
    let whole = pass(said, by: said.count)
    precondition(pass(said, by: max(1, Int(bytes[0]))) == whole, "pieces change what passes")
    if let whole {
        check(whole)
        precondition(pass(whole, by: max(1, whole.count)) == whole, "what passed does not pass again")
    }
    var filter = SoundFilter(app: "org.example.player")
    if let answers = try? filter.fromServer(said[...]) {
        precondition(said.starts(with: answers), "an answer was changed that nobody waited for")
    }
    return 0
}

/// What of a program's bytes passes; nil where they end the connection.
private func pass(_ bytes: [UInt8], by size: Int) -> [UInt8]? {
    var filter = SoundFilter(app: "org.example.player")
    var passed: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
        guard let more = try? filter.fromClient(bytes[start..<min(start + size, bytes.count)]) else {
            return nil
        }
        passed += more
    }
    return passed
}

private func check(_ passed: [UInt8]) {
    var frames = SoundFrames(mostPacket: SoundFilter.mostPacket, head: SoundFilter.mostPacket)
    var rest = passed[...]
    while let piece = try? frames.next(&rest) {
        guard case .frame(let frame) = piece else { continue }
        guard frame.isPacket else {
            precondition(frame.flags <= 3, "shared memory")
            continue
        }
        let command = frame.number(0).flatMap(SoundCommand.init)
        precondition(command != nil, "a command that is not on the list")
        if command == .authenticate { precondition(frame.number(2)! <= 0xFFFF, "shared memory is agreed on") }
    }
}
