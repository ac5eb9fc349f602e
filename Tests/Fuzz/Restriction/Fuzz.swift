import EscrowConsent
import EscrowDiagnostics

/// A restriction's payload, which is read before its signature is checked: it permits nothing. And an author's document,
/// which is signed only as something that can be read again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let restriction = try? Restriction.parse(bytes, file: "restriction") { check(restriction) }
    let payload = try? Restriction.payload(
        author: bytes, key: "a key", sequence: 7, isRemoved: false, file: "author")
    if let payload {
        guard let restriction = try? Restriction.parse(payload, file: "payload") else {
            preconditionFailure("what is to be signed cannot be read")
        }
        precondition(restriction.sequence == 7 && restriction.key == "a key" && !restriction.isRemoved)
        check(restriction)
    }
    return 0
}

private func check(_ restriction: Restriction) {
    precondition(restriction.sequence > 0)
    precondition(restriction.preferences.rules.allSatisfy { $0.effect != .permit }, "a restriction permits")
    _ = restriction.preferences.decide(DataflowFacts())
}
