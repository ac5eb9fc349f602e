import EscrowEgress
import EscrowHTTPAnswer

private let limits = ExchangeLimits(mediaType: "application/json", maxBytes: 1000, isUnlinkable: false)

/// How an answer ends that comes in pieces of a size.
private enum End: Equatable {
    case answer(IncomingResponse, isReusable: Bool)
    case failure(TransportFailure)
}

/// Feeds an answer in one piece and in pieces of a size that the first byte chooses: they must not change what is read, and
/// what is read must be within the limits. Of two faults, which one ends it may depend on the pieces: a packed body that is
/// broken, and too large before that.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzHTTPAnswer(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    guard let data, size > 1 else { return 0 }
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    let answer = Array(bytes.dropFirst())
    let whole = read(answer, by: answer.count)
    let pieces = read(answer, by: max(1, Int(bytes[0])))
    if case .failure = whole, case .failure = pieces { return 0 }
    precondition(pieces == whole, "pieces change the answer")
    if case .answer(let response, _) = whole {
        precondition(response.body.count <= limits.maxBytes && (200...999).contains(response.status))
        precondition(!(300..<400).contains(response.status))
        precondition(
            response.mediaType.isEmpty ? response.body.isEmpty : response.mediaType == limits.mediaType)
    }
    return 0
}

private func read(_ bytes: [UInt8], by size: Int) -> End {
    var reader = AnswerReader(limits)
    do throws(TransportFailure) {
        for start in stride(from: 0, to: bytes.count, by: size) {
            _ = try reader.take(bytes[start..<min(start + size, bytes.count)])
        }
        try reader.end()
    } catch {
        return .failure(error)
    }
    guard let response = reader.response else { preconditionFailure("an end without an answer") }
    return .answer(response, isReusable: reader.isReusable)
}
