import EscrowGroup
import EscrowJSON

/// What people hand to one another as files, and a version of an object that merges: the first byte chooses.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: start, count: count).dropFirst())
    switch start?.pointee {
    case UInt8(ascii: "i"):
        guard let paper = try? Introduction(bytes) else { return 0 }
        precondition((try? Introduction(JSONWriter.line(paper.json))) == paper, "not read as it was written")
    case UInt8(ascii: "l"):
        guard let paper = try? Invitation(bytes) else { return 0 }
        precondition((try? Invitation(JSONWriter.line(paper.json))) == paper, "not read as it was written")
        precondition(
            (try? Letter(paper.letter, for: MemberKeys(), from: paper.owner.identity)) == nil,
            "a letter to somebody else was opened")
    case UInt8(ascii: "m"):
        var (one, other) = (Merging(member: "a"), Merging(member: "b"))
        guard (try? one.updateRemote("o", String(decoding: bytes, as: UTF8.self))) != nil,
            let version = one.version(of: "o")
        else { return 0 }
        precondition((try? other.take(version, of: "o")) != nil, "what is kept is not read")
        precondition(other.version(of: "o") == version, "another version is kept than was read")
        precondition(
            (try? one.take(version, of: "o")) != nil && one.version(of: "o") == version, "twice is not once")
        precondition(one.objects == other.objects, "two members see two objects")
    default: break
    }
    return 0
}
