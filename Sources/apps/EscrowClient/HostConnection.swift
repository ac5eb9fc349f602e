import Dispatch
import EscrowAppWire
import Synchronization

/// The requests that are open at a host, and the thread that reads its answers.
///
/// Reads block on a thread of their own, writes on a queue of their own: no thread of Swift's pool ever waits for the
/// host, and a host that does not read holds up nobody but itself.
final class HostConnection: Sendable {
    /// What a request ends with.
    enum Answer: Sendable {
        case greeting(String)
        case result(AppResult)
        case status(ConsentStatus)
    }

    private enum Kind { case greeting, run, status }

    /// Who is told again and again.
    private enum Listener {
        case statuses(AsyncThrowingStream<ConsentStatus, any Error>.Continuation)
        case results(AsyncThrowingStream<AppResult, any Error>.Continuation)

        func finish(throwing error: EscrowError) {
            switch self {
            case .statuses(let listener): listener.finish(throwing: error)
            case .results(let listener): listener.finish(throwing: error)
            }
        }
    }

    /// How many results of a following wait for an app that does not read: newer ones replace older ones.
    static let mostUnread = 16

    private struct Pending {
        let kind: Kind
        let continuation: CheckedContinuation<Answer, any Error>
    }

    private struct State {
        var lastID: Int64 = 0
        var pending: [Int64: Pending] = [:]
        /// Cancelled between getting an id and being sent.
        var withdrawn: Set<Int64> = []
        /// Cancelled after being sent; the host still answers each once.
        var abandoned: Set<Int64> = []
        /// What is told again and again, and what nobody listens to any more.
        var watches: [Int64: Listener] = [:]
        var abandonedWatches: Set<Int64> = []
        var end: EscrowError?
        var isGone = false
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    /// The id under which the greeting is waited for: no request has it.
    private static let greetingID: Int64 = 0
    /// How long a host may take to end after its stdin has; SIGTERM follows, and after as long again, SIGKILL.
    private static let grace: DispatchTimeInterval = .seconds(10)

    private let process: HostProcess
    private let reads = DispatchQueue(label: "escrow.client.read")
    private let writes = DispatchQueue(label: "escrow.client.write")
    private let state = Mutex(State())

    init(_ process: HostProcess) { self.process = process }

    /// Begins to read, and waits for the first line.
    func greeting() async throws -> Answer {
        try await wait(Self.greetingID, .greeting, line: nil)
    }

    /// Sends a request and waits for its answer.
    func ask(_ request: (Int64) -> AppRequest) async throws -> Answer {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let request = request(id)
        let kind: Kind = if case .status = request { .status } else { .run }
        let line: [UInt8]
        do throws(AppWireError) {
            line = try request.line()
        } catch {
            throw EscrowError(error)
        }
        return try await wait(id, kind, line: line)
    }

    private func wait(_ id: Int64, _ kind: Kind, line: [UInt8]?) async throws -> Answer {
        defer { state.withLock { _ = $0.withdrawn.remove(id) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let refusal: (any Error)? = state.withLock { state in
                    if let end = state.end { return end }
                    if state.withdrawn.contains(id) { return CancellationError() }
                    guard state.pending.count < AppWire.openCap else { return EscrowError(.tooManyOpen) }
                    state.pending[id] = Pending(kind: kind, continuation: continuation)
                    // Under the lock, so that no later line, such as this one's cancel, comes before it.
                    if let line { send(line) }
                    return nil
                }
                // Even where nobody waits any more: the process must be reaped.
                if kind == .greeting { startReading() }
                if let refusal { continuation.resume(throwing: refusal) }
            }
        } onCancel: {
            withdraw(id)
        }
    }

    /// Sends a question whose answer is told again whenever it changes. It is withdrawn when nobody listens any more.
    func watch(_ body: RunBody) -> AsyncThrowingStream<ConsentStatus, any Error> {
        AsyncThrowingStream { continuation in
            listen(.statuses(continuation)) {
                .watch(id: $0, body)
            } onOpen: { id in
                continuation.onTermination = { [weak self] _ in self?.endWatch(id) }
            }
        }
    }

    /// Sends a request that is answered at each update. It is withdrawn when nobody listens any more.
    func follow(_ body: RunBody, _ mode: FollowMode) -> AsyncThrowingStream<AppResult, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(Self.mostUnread)) { continuation in
            listen(.results(continuation)) {
                .follow(id: $0, body, mode)
            } onOpen: { id in
                continuation.onTermination = { [weak self] _ in self?.endWatch(id) }
            }
        }
    }

    private func listen(
        _ listener: Listener, _ request: (Int64) -> AppRequest, onOpen: (Int64) -> Void
    ) {
        let refusal: EscrowError? = state.withLock { state in
            if let end = state.end { return end }
            state.lastID += 1
            let id = state.lastID
            let line: [UInt8]
            do throws(AppWireError) { line = try request(id).line() } catch { return EscrowError(error) }
            guard state.pending.count + state.watches.count < AppWire.openCap else {
                return EscrowError(.tooManyOpen)
            }
            state.watches[id] = listener
            onOpen(id)
            send(line)
            return nil
        }
        if let refusal { listener.finish(throwing: refusal) }
    }

    private func endWatch(_ id: Int64) {
        state.withLock { state in
            guard state.watches.removeValue(forKey: id) != nil else { return }
            state.abandonedWatches.insert(id)
            state.lastID += 1
            // Both ids are positive and the line is short: it cannot fail.
            if let line = try? AppRequest.cancel(id: state.lastID, target: id).line() { send(line) }
        }
    }

    /// Hands a status to who watches; false where nobody ever did under this id.
    private func tell(_ status: ConsentStatus, to id: Int64) -> Bool {
        let (listener, isKnown) = known(id)
        if case .statuses(let listener)? = listener { listener.yield(status) }
        return isKnown
    }

    /// The same with the result of an update.
    private func tell(_ result: AppResult, to id: Int64) -> Bool {
        let (listener, isKnown) = known(id)
        if case .results(let listener)? = listener { listener.yield(result) }
        return isKnown
    }

    private func known(_ id: Int64) -> (Listener?, isKnown: Bool) {
        state.withLock { state in
            (state.watches[id], state.watches[id] != nil || state.abandonedWatches.contains(id))
        }
    }

    /// Ends a watch that the host ended; false where there was none under this id.
    private func finishWatch(_ id: Int64, _ error: EscrowError) -> Bool {
        let (watcher, isKnown) = state.withLock { state in
            let watcher = state.watches.removeValue(forKey: id)
            return (watcher, state.abandonedWatches.remove(id) != nil || watcher != nil)
        }
        // Outside the lock: to finish a stream calls its end.
        watcher?.finish(throwing: error)
        return isKnown
    }

    private func withdraw(_ id: Int64) {
        let pending: Pending? = state.withLock { state in
            guard let pending = state.pending.removeValue(forKey: id) else {
                state.withdrawn.insert(id)
                return nil
            }
            state.abandoned.insert(id)
            state.lastID += 1
            // Both ids are positive and the line is short: it cannot fail.
            if id != Self.greetingID, let line = try? AppRequest.cancel(id: state.lastID, target: id).line() {
                send(line)
            }
            return pending
        }
        pending?.continuation.resume(throwing: CancellationError())
    }

    private func send(_ line: [UInt8]) {
        // A failure needs no word here: the thread that reads sees the end as well.
        writes.async { [process] in _ = process.write(line) }
    }

    // MARK: Reading

    private func startReading() {
        reads.async { [self] in
            let end = readUntilEnd()
            process.disconnect()
            finish(end)
            // Nobody may be in close() now; a host that outlives its connection must not outlive it for long.
            signalAfterGrace()
            process.reap()
            let closers = state.withLock { state in
                state.isGone = true
                defer { state.closers = [] }
                return state.closers
            }
            closers.forEach { $0.resume() }
        }
    }

    private func readUntilEnd() -> EscrowError {
        var lines = LineBuffer(cap: AppWire.answerCap)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { buffer.deallocate() }
        do throws(AppWireError) {
            while true {
                while let line = try lines.next() {
                    if let end = try take(HostMessage(line: line)) { return end }
                }
                let count = process.read(into: buffer)
                guard count > 0 else { return EscrowError(.hostEnded) }
                lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        } catch {
            return EscrowError(error.reason == .noHost ? .noHost : .hostEnded)
        }
    }

    /// Hands a message to whom it is for; an error ends the connection.
    private func take(_ message: HostMessage) throws(AppWireError) -> EscrowError? {
        switch message {
        case .greeting(let version): try resolve(Self.greetingID, .greeting, .success(.greeting(version)))
        case .result(let id, let result) where tell(result, to: id): break
        case .result(let id, let result): try resolve(id, .run, .success(.result(result)))
        case .status(let id, let status) where tell(status, to: id): break
        case .failure(let id?, let failure) where finishWatch(id, EscrowError(failure)): break
        case .status(let id, let status): try resolve(id, .status, .success(.status(status)))
        case .failure(let id?, let failure): try resolve(id, nil, .failure(EscrowError(failure)))
        case .failure(nil, let failure): return EscrowError(failure)
        }
        return nil
    }

    /// Ends one request. An answer of the wrong kind, or to what nobody asked, breaks the protocol.
    private func resolve(
        _ id: Int64, _ kind: Kind?, _ answer: Result<Answer, any Error>
    ) throws(AppWireError) {
        let found: (Bool, Pending?) = state.withLock { state in
            if state.abandoned.remove(id) != nil { return (true, nil) }
            guard let pending = state.pending[id], kind == nil || kind == pending.kind else {
                return (false, nil)
            }
            state.pending[id] = nil
            return (true, pending)
        }
        guard found.0 else { throw AppWireError(.badID) }
        found.1?.continuation.resume(with: answer)
    }

    private func finish(_ end: EscrowError) {
        let (open, watches) = state.withLock { state in
            if state.end == nil { state.end = end }
            defer { (state.pending, state.watches) = ([:], [:]) }
            return (state.pending, state.watches)
        }
        for watcher in watches.values { watcher.finish(throwing: end) }
        for (id, pending) in open {
            // Whatever ends a host before its greeting, there was no host.
            let isUngreeted = id == Self.greetingID && end == EscrowError(.hostEnded)
            pending.continuation.resume(throwing: isUngreeted ? EscrowError(.noHost) : end)
        }
    }

    // MARK: Ending

    /// Closes the host's stdin and does not wait.
    func hangUp() {
        state.withLock { state in
            if state.end == nil { state.end = EscrowError(.hostEnded) }
        }
        // On the queue, behind the lines that were sent before.
        writes.async { [process] in process.endInput() }
        signalAfterGrace()
    }

    /// Closes the host's stdin and waits until the process is gone.
    func close() async {
        hangUp()
        await withCheckedContinuation { continuation in
            let isGone = state.withLock { state in
                if !state.isGone { state.closers.append(continuation) }
                return state.isGone
            }
            if isGone { continuation.resume() }
        }
    }

    private func signalAfterGrace() {
        let queue = DispatchQueue.global()
        queue.asyncAfter(deadline: .now() + Self.grace) { [weak process] in
            process?.signal(15)
            queue.asyncAfter(deadline: .now() + Self.grace) { [weak process] in process?.signal(9) }
        }
    }
}
