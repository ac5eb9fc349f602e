import AsyncHTTPClient
import EscrowEgress
import NIOCore
import NIOHTTP1
import Synchronization

/// Ends an exchange whose answer has a status that the plugin may know, and a body that nobody wants.
struct StatusAlone: Error {
    let status: Int
}

/// Takes an answer piece by piece, and stops it at the first thing that the limits do not allow.
final class ResponseTaker: HTTPClientResponseDelegate {
    typealias Response = IncomingResponse

    private struct State {
        var status = 0
        var mediaType = ""
        var body: [UInt8] = []
    }

    private let limits: ExchangeLimits
    private let state = Mutex(State())

    init(_ limits: ExchangeLimits) { self.limits = limits }

    func didReceiveHead(
        task: HTTPClient.Task<IncomingResponse>, _ head: HTTPResponseHead
    ) -> EventLoopFuture<Void> {
        task.eventLoop.makeCompletedFuture(Result { try take(head) })
    }

    func didReceiveBodyPart(
        task: HTTPClient.Task<IncomingResponse>, _ piece: ByteBuffer
    ) -> EventLoopFuture<Void> {
        task.eventLoop.makeCompletedFuture(Result { try take(piece) })
    }

    func didFinishRequest(task: HTTPClient.Task<IncomingResponse>) throws -> IncomingResponse {
        state.withLock { state in
            IncomingResponse(status: state.status, body: state.body, mediaType: state.mediaType)
        }
    }

    private func take(_ head: HTTPResponseHead) throws {
        let status = Int(head.status.code)
        // RFC 9110 section 7.8: no upgrade was asked for.
        guard status >= 200 else { throw TransportFailure.malformed }
        guard !(300..<400).contains(status) else { throw TransportFailure.redirect }
        let encodings = head.headers["content-encoding"].map { $0.lowercased() }
        guard encodings.allSatisfy({ $0 == "gzip" || $0 == "identity" }), encodings.count <= 1 else {
            throw TransportFailure.encoding
        }
        // RFC 9112 section 6.1: another transfer coding is a packing, too, which nobody here undoes.
        guard head.headers["transfer-encoding"].allSatisfy({ $0.lowercased() == "chunked" }) else {
            throw TransportFailure.encoding
        }
        let types = head.headers["content-type"]
        let type = types.first.map {
            String($0.prefix { $0 != ";" }).lowercased().filter { $0 != " " && $0 != "\t" }
        }
        let isWanted = types.count == 1 && type == limits.mediaType
        guard isWanted || status == 204 else {
            // An error page is of whatever type and length the server likes: it is not read.
            if (200..<300).contains(status) { throw TransportFailure.mediaType }
            throw StatusAlone(status: status)
        }
        if let text = head.headers["content-length"].first, let announced = Int(text), encodings.isEmpty,
            announced > limits.maxBytes
        {
            throw TransportFailure.tooLarge
        }
        state.withLock { state in
            state.status = status
            state.mediaType = status == 204 ? "" : limits.mediaType
        }
    }

    private func take(_ piece: ByteBuffer) throws {
        try state.withLock { state in
            guard state.body.count + piece.readableBytes <= limits.maxBytes else {
                throw TransportFailure.tooLarge
            }
            state.body += piece.readableBytesView
        }
    }
}
