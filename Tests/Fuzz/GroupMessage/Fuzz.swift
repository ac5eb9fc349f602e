import EscrowGroup

/// A message of another member's: what is read is read again from what is written of it, and no answer grows with its numbers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let message = try? Message(Array(UnsafeBufferPointer(start: start, count: count))) else { return 0 }
    precondition((try? Message(message.bytes)) == message, "a message is not read as it was written")
    var others: [String: UInt64] = ["b": 0]
    others[message.senderId] = 0
    var member = Member(
        .init(id: "a", email: "", name: ""), others: others, timeToLive: 1000, pause: 10)
    for number in 1...4 { _ = member.update("Record", "\(number)", "x", at: 0) }
    let step = member.receive(message, at: 0)
    precondition(step.sent.count <= 4 && step.delivered.count <= 1, "one message asks for too much")
    return 0
}
