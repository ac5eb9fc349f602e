import Dispatch
import EscrowAppWire
import EscrowServiceCall
import FoundationEssentials

/// The individual's service, asked over its Unix socket: a connection and a thread for each request that is open.
final class ServiceConnection: Sendable {
    private let socket: String
    private let token: String?
    private let queue = DispatchQueue(label: "escrow.client.service", attributes: .concurrent)

    init(socket: String, token: String?) {
        self.socket = socket
        self.token = token
    }

    /// The service's version: what `GET /v1` says.
    func version() async throws -> String {
        struct About: Decodable { let escrow: String }
        let about = Data(try await document("GET", "/v1", nil))
        do { return try JSONDecoder().decode(About.self, from: about).escrow } catch {
            throw EscrowError(.hostEnded)
        }
    }

    func run(_ body: RunBody, wait seconds: Int) async throws -> AppResult {
        let document = try Self.told { () throws(AppWireError) in try body.document() }
        let answer = try await ask("POST", "/v1/runs", document, wait: seconds)
        return try Self.told { () throws(AppWireError) in try AppResult.read(answer) }
    }

    func status(_ body: RunBody) async throws -> ConsentStatus {
        let document = try Self.told { () throws(AppWireError) in try body.document() }
        let answer = try await ask("POST", "/v1/status", document)
        return try Self.told { () throws(AppWireError) in try ConsentStatus.read(answer) }
    }

    /// A document of the service's, as it is.
    func document(_ method: String, _ path: String, _ body: RunBody?) async throws -> [UInt8] {
        let document = try body.map { body in
            try Self.told { () throws(AppWireError) in try body.document() }
        }
        return try await ask(method, path, document)
    }

    /// The status, asked anew each second, and told whenever it is another.
    func watch(_ body: RunBody) -> AsyncThrowingStream<ConsentStatus, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                do {
                    var told: ConsentStatus?
                    while true {
                        let status = try await self.status(body)
                        if status != told { continuation.yield(status) }
                        told = status
                        try await Task.sleep(for: .seconds(1))
                    }
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The results of each update, until nobody listens any more.
    func follow(_ body: RunBody, _ mode: FollowMode) -> AsyncThrowingStream<AppResult, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(HostConnection.mostUnread)) { continuation in
            let document: [UInt8]
            do { document = try Self.told { () throws(AppWireError) in try body.document() } } catch {
                return continuation.finish(throwing: error)
            }
            let call = ServiceCall()
            continuation.onTermination = { _ in call.cancel() }
            queue.async { [socket, token] in
                do throws(HostFailure) {
                    try call.results(mode, to: socket, token: token, document) { continuation.yield($0) }
                } catch { continuation.finish(throwing: EscrowError(error)) }
            }
        }
    }

    private func ask(
        _ method: String, _ path: String, _ body: [UInt8]?, wait seconds: Int = 0
    ) async throws -> [UInt8] {
        let call = ServiceCall()
        let result: Result<ServiceCall.Answer, HostFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { [socket, token] in
                    do throws(HostFailure) {
                        continuation.resume(
                            returning: .success(
                                try call.send(method, path, to: socket, token: token, wait: seconds, body)))
                    } catch { continuation.resume(returning: .failure(error)) }
                }
            }
        } onCancel: {
            call.cancel()
        }
        try Task.checkCancellation()
        switch result {
        case .failure(let failure): throw EscrowError(failure)
        case .success(let answer) where answer.status >= 400:
            throw EscrowError(
                try Self.told { () throws(AppWireError) in try HostFailure.read(problem: answer.body) })
        case .success(let answer): return answer.body
        }
    }

    private static func told<Value>(_ body: () throws(AppWireError) -> Value) throws(EscrowError) -> Value {
        do throws(AppWireError) { return try body() } catch { throw EscrowError(error) }
    }
}
