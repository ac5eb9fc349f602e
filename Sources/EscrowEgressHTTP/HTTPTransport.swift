public import EscrowEgress
import EscrowEgressWire
import EscrowFiles
import Synchronization

/// Sends requests by `escrow-egress`, a program of its own: what speaks TLS and HTTP with servers of the internet does it in
/// a process that holds one run's requests and answers, and nothing else of the person's.
///
/// A process is started for the first request, and keeps its connections for the later ones. It ends with the run, so that
/// no connection, session or byte of memory is shared between two runs. Requests at the same time have a process each.
public final class HTTPTransport: Transport {
    private let roots: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var idle: [SenderProcess] = []
        var busy: [SenderProcess] = []
        var isCancelled = false
    }

    /// Trusts the system's certificate authorities, and for stand-ins, and them alone, those of a PEM file as well.
    /// Nil where the file cannot be read.
    public init?(additionalRoots path: String? = nil) {
        guard let path else {
            roots = []
            return
        }
        guard let pem = try? SecureFile.read(path, limit: SendGreeting.mostBytes),
            CertificateFile.hasCertificates(pem)
        else {
            return nil
        }
        roots = pem
    }

    deinit { close() }

    public func close() {
        let idle = state.withLock { state in
            defer { state.idle = [] }
            return state.idle
        }
        for process in idle { process.end() }
    }

    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for process in state.idle + state.busy { process.kill() }
        }
    }

    public func exchange(
        _ request: OutgoingRequest, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        let process = try take()
        do throws(TransportFailure) {
            let response = try process.exchange(request.bytes, with: destination, limits: limits)
            giveBack(process)
            return response
        } catch {
            // Only what it says in order leaves it in order.
            if error == .sender { remove(process) } else { giveBack(process) }
            // Whatever else it looks like: the end of the run came first, or at the same time.
            guard !state.withLock({ $0.isCancelled }) else { throw .cancelled }
            throw error
        }
    }

    private func take() throws(TransportFailure) -> SenderProcess {
        let taken = state.withLock { state -> Result<SenderProcess, TransportFailure> in
            guard !state.isCancelled else { return .failure(.cancelled) }
            // Started while the lock is held: whoever cancels sees it.
            guard let process = state.idle.popLast() ?? SenderProcess(roots: roots) else {
                return .failure(.sender)
            }
            state.busy.append(process)
            return .success(process)
        }
        return try taken.get()
    }

    private func giveBack(_ process: SenderProcess) {
        state.withLock { state in
            state.busy.removeAll { $0 === process }
            state.idle.append(process)
        }
    }

    private func remove(_ process: SenderProcess) {
        state.withLock { state in state.busy.removeAll { $0 === process } }
    }
}
