public import EscrowDiagnostics
public import EscrowEgress
import EscrowEgressWire
import EscrowFiles
import Synchronization

/// Sends requests by `escrow-egress`: TLS and HTTP are spoken in a process that holds one run's requests and answers, and
/// nothing else of the person's.
///
/// The first request starts a process, which keeps its connections and ends with the run, so that two runs share no
/// connection, session or memory. Concurrent requests have a process each.
public final class HTTPTransport: Transport {
    private let roots: [UInt8]
    private let state = Mutex(State())

    private struct State {
        var idle: [SenderProcess] = []
        var busy: [SenderProcess] = []
        var isCancelled = false
    }

    /// Trusts the system's certificate authorities and, for stand-ins alone, those of a PEM file, which `config.json` names. E0611
    /// where it cannot be read.
    public init(additionalRoots path: String? = nil) throws(Diagnostic) {
        guard let path else {
            roots = []
            return
        }
        guard let pem = try? SecureFile.read(path, limit: SendGreeting.mostBytes),
            CertificateFile.hasCertificates(pem)
        else {
            throw Diagnostic(
                .certificatesUnreadable,
                "the certificates that config.json names under egress.trustRoots cannot be read",
                help: "name a PEM file, or take the member away")
        }
        roots = pem
    }

    /// Starts `escrow-egress` as for a run and sends nothing: its path, or why no request can be sent here.
    public static func checkProgram() throws(Diagnostic) -> String {
        guard let path = SenderProgram.path else {
            throw Diagnostic(
                .egressProgramUnfit,
                "\(SenderProgram.name) is not beside escrow, or others could have put it there: no request can be sent",
                help:
                    "install escrow again: both programs belong in one folder, writable by their owner alone")
        }
        guard let process = SenderProcess(roots: []), process.startsAndEnds() else {
            throw Diagnostic(
                .egressProgramUnfit, "\(path) does not start: no request can be sent",
                help: "install escrow again; `strace -f escrow doctor` shows the call that failed")
        }
        return path
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
        try exchange(request, nil, with: destination, limits: limits)
    }

    public func exchange(
        _ request: OutgoingRequest, file: any RequestFile, with destination: Destination,
        limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        try exchange(request, FileToSend(request, file), with: destination, limits: limits)
    }

    private func exchange(
        _ request: OutgoingRequest, _ file: FileToSend?, with destination: Destination, limits: ExchangeLimits
    ) throws(TransportFailure) -> IncomingResponse {
        let process = try take()
        do throws(TransportFailure) {
            let response = try process.exchange(
                request.wireBytes, file, mail: try Self.mail(request), with: destination, limits: limits)
            giveBack(process)
            return response
        } catch {
            // Only what it says in order leaves it in order.
            if error == .sender || error == .file { remove(process) } else { giveBack(process) }
            // Whatever else it looks like: the end of the run came first, or at the same time.
            guard !state.withLock({ $0.isCancelled }) else { throw .cancelled }
            throw error
        }
    }

    /// What handing in mail needs beside the message; nil for what is no mail.
    private static func mail(_ request: OutgoingRequest) throws(TransportFailure) -> SendOrder.Mail? {
        guard let recipient = request.recipient else { return nil }
        guard let login = request.login else { throw .login }
        return SendOrder.Mail(recipient: recipient, sender: login.sender(at: request.host), login: login)
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
