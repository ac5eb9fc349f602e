import EscrowShareService

/// A request on its way in: its body comes in pieces.
final class Exchange {
    let service: LockedService
    var request: ShareRequest
    let limit: Int
    var isTooLong = false

    init(_ service: LockedService, _ request: ShareRequest) {
        self.service = service
        self.request = request
        limit = service.bodyLimit(request)
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
        let answer = service.answer(request)
        // A stranger is told so, whatever they sent.
        return isTooLong && answer.status != 401 ? ShareAnswer(status: 413) : answer
    }
}
