import EscrowSharing

/// A share from a server that nobody trusts: what is read has one spelling, and alone it gives no message.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let share = try? Share(bytes) else { return 0 }
    precondition(share.bytes == bytes, "two spellings of one share")
    guard let scheme = try? Scheme.senderFirst(threshold: 2, shares: 3) else { return 0 }
    let found = Combination(
        [Reply(server: "one", number: share.number, bytes: bytes)], scheme: scheme)
    precondition(found.message == nil, "one share gave a message")
    return 0
}
