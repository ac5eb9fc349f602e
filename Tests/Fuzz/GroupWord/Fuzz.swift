import EscrowGroup
import EscrowGroupAnswers

/// A word of a question: nothing that nobody signed is taken, whatever it says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let word = try? Word(text, members: ["a": member, "b": member])
    precondition(word == nil, "a word without a signature is taken")
    return 0
}

private let member = MemberKeys().identity
