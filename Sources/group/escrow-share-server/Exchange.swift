import EscrowShareService

/// A request on its way in: its body comes in pieces.
final class Exchange {
    let keeper: Keeper
    var request: ShareRequest
    let limit: Int
    var isTooLong = false

    init(_ keeper: Keeper, _ request: ShareRequest) {
        self.keeper = keeper
        self.request = request
        limit = keeper.bodyLimit(request)
    }

    func take(_ bytes: UnsafeBufferPointer<CChar>) {
        guard !isTooLong, request.body.count + bytes.count <= limit else {
            isTooLong = true
            request.body = []
            return
        }
        request.body.append(contentsOf: bytes.lazy.map { UInt8(bitPattern: $0) })
    }

    var answer: ShareAnswer {
        let answer = keeper.answer(request)
        // A stranger is told so, whatever they sent.
        return isTooLong && answer.status != 401 ? ShareAnswer(status: 413) : answer
    }
}
