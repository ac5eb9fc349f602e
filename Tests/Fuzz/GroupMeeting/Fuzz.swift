import EscrowMeeting
import Glibc

/// What a stranger on the network sends to a device that meets another, and what a QR code says: the first byte chooses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
    switch start?.pointee {
    case UInt8(ascii: "s"): stranger(bytes)
    case UInt8(ascii: "x"): altered(bytes)
    case UInt8(ascii: "l"):
        guard let link = MeetingLink(String(decoding: bytes, as: UTF8.self)) else { return 0 }
        precondition(MeetingLink("\(link)") == link, "a link is not read as it was written")
        precondition(link.code.utf8.allSatisfy { (0x30...0x39).contains($0) }, "a code that is no number")
    case UInt8(ascii: "f"): framed(bytes)
    default: break
    }
    return 0
}

/// Without the code nobody is let in, whatever they send, on either side.
private func stranger(_ bytes: [UInt8]) {
    for role in [Meeting.Role.owner, .newcomer] {
        let channel = Played(bytes)
        precondition(
            (try? Meeting(role, over: channel, code: "1")) == nil, "somebody without the code is let in")
    }
}

private let names = (a: Array("a".utf8), b: Array("b".utf8))
private let here = PasswordExchange(.a, code: [1], names: names)!
private let there = PasswordExchange(.b, code: [1], names: names)!
private let key = here.key(from: there.message)

/// Whoever changes a bit of what two devices with the same code send one another makes no key that both have.
private func altered(_ bytes: [UInt8]) {
    guard bytes.count <= there.message.count else { return }
    var message = there.message
    for (place, byte) in bytes.enumerated() { message[place] ^= byte }
    precondition(
        (here.key(from: message) == key) == (message == there.message),
        "an altered message makes the same key")
}

/// A TCP stream: no message is longer than what is asked for, and the end comes.
private func framed(_ bytes: [UInt8]) {
    var ends: [Int32] = [0, 0]
    guard bytes.count < 1 << 16, socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
        return
    }
    let socket = NearSocket(ends[0], seconds: 5)
    precondition(write(ends[1], bytes, bytes.count) == bytes.count)
    close(ends[1])
    while let message = try? socket.receive(atMost: 100) {
        precondition(message.count <= 100, "more came than was asked for")
    }
}

/// Messages of a length byte and so many bytes, one after the other.
private final class Played: MeetingChannel {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    func send(_ bytes: [UInt8]) {}

    func receive(atMost count: Int) throws(MeetingError) -> [UInt8] {
        guard let length = rest.popFirst(), Int(length) <= rest.count, Int(length) <= count else {
            throw .broken
        }
        defer { rest = rest.dropFirst(Int(length)) }
        return Array(rest.prefix(Int(length)))
    }
}
