import Dispatch
import EscrowAppWire
package import EscrowDiagnostics
import Synchronization

/// `escrow host --stdio` where the service runs: the app's lines as requests to it, its answers as lines. It holds no data, and
/// opens no file of the home.
///
/// docs/spec/app-protocol.md, docs/service.md
package final class ServiceBridge: Sendable {
    private let socket: String
    private let pipes: AppPipes
    private let version: String
    private let open = Mutex(OpenRequests())
    private let calls = Mutex<[Int64: Withdrawal]>([:])
    private let answers = DispatchGroup()
    private let queue = DispatchQueue(label: "escrow.bridge", attributes: .concurrent)

    /// Ends what a request waits for: now, and whatever it asks next.
    private final class Withdrawal: Sendable {
        private let state = Mutex<(isOver: Bool, call: ServiceCall?)>((false, nil))
        private let over = DispatchSemaphore(value: 0)

        func next() -> ServiceCall {
            let call = ServiceCall()
            state.withLock { state in
                state.call = call
                if state.isOver { call.cancel() }
            }
            return call
        }

        func end() {
            state.withLock { state in
                state.isOver = true
                state.call?.cancel()
            }
            over.signal()
        }

        /// Waits a moment; true when the request was withdrawn meanwhile.
        func isOver(after seconds: Int) -> Bool { over.wait(timeout: .now() + .seconds(seconds)) == .success }
    }

    /// Prepares to serve an app over two descriptors. An app that reads nothing for `stallSeconds`, while something waits for it,
    /// loses its connection. E0001 where the system has no descriptors left.
    package init(
        socket: String, input: Int32, output: Int32, version: String, stallSeconds: Double = 60
    ) throws(Diagnostic) {
        self.socket = socket
        self.version = version
        pipes = try AppPipes(input: input, output: output, stallSeconds: stallSeconds)
    }

    /// Serves until the app closes its end, then withdraws what is open. Throws where the app's lines cannot be understood, or it
    /// does not read.
    package func serve() throws(Diagnostic) {
        send(.greeting(version: version))
        var buffer = LineBuffer(cap: AppWire.requestCap)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        defer {
            for call in calls.withLock({ Array($0.values) }) { call.end() }
            answers.wait()
        }
        while true {
            let bytes = try pipes.read(into: &chunk)
            guard !bytes.isEmpty else { return }
            buffer.append(bytes)
            do throws(AppWireError) {
                while let line = try buffer.next() { try take(line) }
            } catch {
                send(.failure(id: nil, HostFailure(error)))
                throw error.diagnostic
            }
        }
    }

    private func take(_ line: [UInt8]) throws(AppWireError) {
        let request: AppRequest
        do throws(AppWireError) {
            request = try AppRequest(line: line)
            if case .cancel(_, let target) = request {
                calls.withLock { $0[target] }?.end()
                return
            }
            try open.withLock { (open: inout OpenRequests) throws(AppWireError) in try open.open(request.id) }
        } catch {
            guard let id = error.id else { throw error }
            send(.failure(id: id, HostFailure(error)))
            return
        }
        let withdrawal = Withdrawal()
        calls.withLock { $0[request.id] = withdrawal }
        queue.async(group: answers) { [self] in finish(request, answer(request, withdrawal)) }
    }

    private func answer(_ request: AppRequest, _ withdrawal: Withdrawal) -> HostMessage {
        do throws(HostFailure) {
            switch request {
            case .run(let id, let body):
                let document = try ask("/v1/runs", body, withdrawal.next())
                return .result(id: id, try Self.told { () throws(AppWireError) in try .read(document) })
            case .status(let id, let body): return .status(id: id, try status(body, withdrawal))
            case .watch(let id, let body):
                var told: ConsentStatus?
                repeat {
                    let status = try status(body, withdrawal)
                    if status != told { send(.status(id: id, status)) }
                    told = status
                } while !withdrawal.isOver(after: 1)
                throw HostFailure(AppWireError(.cancelled))
            case .follow(let id, let body, let mode):
                let document = try Self.told { () throws(AppWireError) in try body.document() }
                try withdrawal.next().results(mode, to: socket, document) { send(.result(id: id, $0)) }
            case .cancel(let id, _): throw HostFailure(AppWireError(.badID, id: id))
            }
        } catch { return .failure(id: request.id, error) }
    }

    private func status(_ body: RunBody, _ withdrawal: Withdrawal) throws(HostFailure) -> ConsentStatus {
        let document = try ask("/v1/status", body, withdrawal.next())
        return try Self.told { () throws(AppWireError) in try .read(document) }
    }

    private func ask(_ path: String, _ body: RunBody, _ call: ServiceCall) throws(HostFailure) -> [UInt8] {
        let document = try Self.told { () throws(AppWireError) in try body.document() }
        let answer = try call.send("POST", path, to: socket, document)
        guard answer.status < 400 else {
            throw try Self.told { () throws(AppWireError) in try HostFailure.read(problem: answer.body) }
        }
        return answer.body
    }

    private static func told<Value>(_ body: () throws(AppWireError) -> Value) throws(HostFailure) -> Value {
        do throws(AppWireError) { return try body() } catch { throw HostFailure(error) }
    }

    private func finish(_ request: AppRequest, _ message: HostMessage) {
        calls.withLock { $0[request.id] = nil }
        _ = open.withLock { $0.close(request.id) }
        send(message)
    }

    /// Writes one line, whole.
    private func send(_ message: HostMessage) {
        guard let line = try? message.line() else {
            if let id = message.id { send(.failure(id: id, HostFailure(AppWireError(.lineTooLong)))) }
            return
        }
        pipes.write(line)
    }
}
