import EscrowAttestation
public import EscrowDiagnostics
import EscrowFiles
public import EscrowOffloadWire
public import EscrowSandbox
public import EscrowServers
import Glibc
import Synchronization

/// A plugin's process on a server, as the host speaks with one on this device: bytes in, bytes out, an end.
///
/// Nothing that the server says is believed beyond what a plugin's own words are: sizes, times and order are held to here.
public final class RemoteProcess: Sendable {
    /// What the server said of the run as it began.
    public let begun: FromServer.Begun
    /// Bytes of stdin that went out together with the ask to begin.
    public let sentAtLaunch: Int
    /// The software that it proved to run, as a grant names it; nil where nothing was required.
    public let attested: String?

    private let connection: RemoteConnection
    private let target: RemoteTarget
    /// Where the connection goes after a run that ended in order; nil where it ends with the run.
    private let connections: RemoteConnections?
    /// When the connection was made.
    private let since: UInt64
    private let server: String
    private let limits: SandboxLimits
    private let started: UInt64
    /// When the device gives up, whatever the server says.
    private let deadline: UInt64
    private let state: Mutex<State>
    /// What was written and waits for more, or until an answer is waited for: a message costs each side the same whatever its size.
    private let unsent = Mutex<[UInt8]>([])

    private struct State {
        var written = 0
        var consumed = 0
        var output = 0
        /// Read from the server and not by the caller yet.
        var pending: ArraySlice<UInt8> = []
        var isOutputOver = false
        /// The first cause of the end on this side.
        var cause: Outcome.Status?
        var ended: Ended?
        var failure: Diagnostic?
        /// No frame comes any more.
        var isGone = false
        /// The connection is another run's now.
        var isGivenBack = false
    }

    /// How long a server may take to tell its end after a limit, in nanoseconds.
    private static let grace: UInt64 = 5_000_000_000

    /// Begins a run.
    ///
    /// - Parameters:
    ///   - opening: the host's first words to the plugin. They go out at once and save a wait, unless the server must first prove
    ///     what it is: then nothing does.
    ///   - connections: those that are kept between runs, in a host that stays.
    public init(
        _ server: EscrowServer, run: String, plugin: String, manifest: String, limits: SandboxLimits,
        opening: [UInt8] = [], over connections: RemoteConnections? = nil
    ) throws(Diagnostic) {
        self.server = server.id
        target = server.target
        self.connections = connections
        self.limits = limits
        let challenge = server.attestation.map { _ in
            Challenge(
                nonce: Self.random(Challenge.nonceBytes), server: server.target.pin,
                device: Challenge.fingerprint(ofCertificate: server.target.certificate), manifest: manifest)
        }
        let begin = Begin(
            run: run, plugin: plugin, manifest: manifest, limits: RemoteLimits(limits),
            nonce: challenge?.nonce ?? [])
        let early = challenge == nil && opening.count <= Self.mostEarly ? opening : []
        sentAtLaunch = early.count
        (connection, begun, since) = try Self.open(server, begin, early, connections)
        if let required = server.attestation, let challenge {
            // Nothing of the individual's was sent yet.
            do throws(AttestationRefusal) {
                try TPMQuoteVerifier(required).verify(begun.evidence, challenge, now: Int64(time(nil)))
            } catch {
                connection.end()
                throw .unattested(server.id, error)
            }
        }
        attested = server.attestation?.name
        started = monotonicNanoseconds()
        deadline = started + UInt64(limits.wallSeconds * 1e9) + Self.grace
        state = Mutex(State(written: sentAtLaunch))
    }

    deinit { if !state.withLock({ $0.isGivenBack }) { connection.end() } }

    /// Why the run failed, where that was the server, the way to it or the time; nil where the outcome says all.
    public var failure: Diagnostic? { state.withLock { $0.failure } }

    public func write(_ bytes: [UInt8]) throws(SandboxIOError) {
        guard isGoingOn else { throw .closed }
        // Counted first: the server may say that it was read before this returns.
        state.withLock { $0.written += bytes.count }
        let result = unsent.withLock { unsent in
            Result { () throws(SandboxIOError) in
                guard unsent.count + bytes.count >= Self.mostUnsent else { return unsent += bytes }
                try flush(&unsent)
                var rest = bytes[...]
                while !rest.isEmpty {
                    let piece = rest.prefix(FromDevice.mostBytes / 4)
                    rest = rest.dropFirst(piece.count)
                    guard isGoingOn else { throw .closed }
                    try send(.input(piece.count == bytes.count ? bytes : Array(piece)))
                }
            }
        }
        try result.get()
    }

    private static let mostUnsent = 1 << 16

    private func flush(_ unsent: inout [UInt8]) throws(SandboxIOError) {
        guard !unsent.isEmpty else { return }
        let bytes = unsent
        unsent.removeAll(keepingCapacity: true)
        guard isGoingOn else { throw .closed }
        try send(.input(bytes))
    }

    /// Sends what waits. Another thread that is at it sends it itself: whoever reads must not wait for who writes.
    private func flush() { unsent.withLockIfAvailable { try? flush(&$0) } }

    private var isGoingOn: Bool {
        state.withLock { $0.cause == nil && $0.ended == nil && !$0.isGone }
            && monotonicNanoseconds() < deadline
    }

    private func send(_ message: FromDevice) throws(SandboxIOError) {
        do throws(FrameSocket.Fault) {
            try connection.send(.message(message.encoded), unless: { !isGoingOn })
        } catch { throw .closed }
    }

    /// Bytes that were written and that the plugin had not read when it wrote what was read last.
    public var unreadInput: Int { state.withLock { $0.written - $0.consumed } }

    public func closeInput() {
        flush()
        if isGoingOn { try? send(.closeInput) }
    }

    public func read(max: Int) throws(SandboxIOError) -> [UInt8] {
        flush()
        while true {
            let piece = state.withLock { state in
                let piece = state.pending.prefix(max)
                state.pending = state.pending.dropFirst(piece.count)
                return Array(piece)
            }
            if !piece.isEmpty { return piece }
            if state.withLock({ $0.isOutputOver || $0.isGone || $0.ended != nil }) { return [] }
            try take(connection.next(until: deadline))
        }
    }

    /// Takes one frame from the server, or the lack of one.
    private func take(_ received: RemoteConnection.Received) throws(SandboxIOError) {
        let isTooMuch = state.withLock { state -> Bool in
            switch received {
            case .late:
                state.cause = state.cause ?? .limit(.wall)
                state.isGone = true
            case .closed: lose(&state, .lost)
            case .frame(.ended(let end)): lose(&state, end == .complete ? .lost : end)
            case .frame(.message(let bytes)):
                guard let message = try? FromServer(bytes) else { return fail(&state) }
                switch message {
                case .output(let bytes, let consumed):
                    guard consumed >= state.consumed, consumed <= state.written, !state.isOutputOver else {
                        return fail(&state)
                    }
                    state.consumed = consumed
                    state.output += bytes.count
                    state.pending += bytes
                    state.isOutputOver = bytes.isEmpty
                    guard state.output <= limits.outputBytes else {
                        state.cause = state.cause ?? .limit(.output)
                        state.pending = []
                        return true
                    }
                case .ended(let ended):
                    state.ended = ended
                    state.isOutputOver = true
                case .begun, .refused: return fail(&state)
                }
            case .frame: return fail(&state)
            }
            return false
        }
        if isTooMuch {
            stopServer(.limit)
            throw .outputLimit
        }
    }

    private func fail(_ state: inout State) -> Bool {
        lose(&state, .protocolBroken)
        return false
    }

    /// What this side ended is no failure of the server's.
    private func lose(_ state: inout State, _ end: RemoteEnd) {
        state.isGone = true
        guard state.cause == nil, state.ended == nil, state.failure == nil else { return }
        state.failure = .server(server, end)
    }

    public func kill(reason: KillReason) { end(.killedByHost(reason), RemoteKill(reason)) }

    public func end(at limit: Outcome.Limit) { end(.limit(limit), .limit) }

    private func end(_ cause: Outcome.Status, _ reason: RemoteKill) {
        let isFirst = state.withLock { state in
            defer { if state.ended == nil { state.cause = state.cause ?? cause } }
            return state.cause == nil && state.ended == nil
        }
        if isFirst { stopServer(reason) }
    }

    /// Tells the server to end the plugin; where that cannot be said at once, the connection ends, which says the same.
    private func stopServer(_ reason: RemoteKill) {
        if !connection.sendAtOnce(.message(FromDevice.kill(reason).encoded)) { connection.end() }
    }

    /// Closes stdin and waits for the end.
    public func finish() -> Outcome {
        let isOver = { monotonicNanoseconds() > self.deadline }
        flush()
        if state.withLock({ $0.ended == nil && !$0.isGone }) {
            _ = try? connection.send(.message(FromDevice.finish.encoded), unless: isOver)
        }
        let isStopped = state.withLock { $0.cause != nil }
        let last = isStopped ? min(deadline, monotonicNanoseconds() + Self.grace) : deadline
        while state.withLock({ $0.ended == nil && !$0.isGone }) {
            let received = connection.next(until: last)
            if received == .late { break }
            _ = try? take(received)
            // What comes after the caller stopped reading is of no use.
            state.withLock { $0.pending = [] }
        }
        giveBack()
        return state.withLock { outcome($0) }
    }

    /// Keeps the connection for the next run, where this one ended in order; else ends it.
    private func giveBack() {
        let isInOrder = state.withLock { state in
            state.ended?.kind == .exited && state.cause == nil && state.failure == nil && !state.isGone
                && !state.isGivenBack
        }
        guard isInOrder, let connections, connection.sendAtOnce(.close) else {
            if !state.withLock({ $0.isGivenBack }) { connection.end() }
            return
        }
        state.withLock { $0.isGivenBack = true }
        connections.give(connection, target, since: since)
    }

    private func outcome(_ state: State) -> Outcome {
        let milliseconds = Double(monotonicNanoseconds() - started) / 1e6
        guard let ended = state.ended else {
            let status = state.cause ?? (state.failure == nil ? .limit(.wall) : .killedByHost(.hostError))
            return Outcome(status: status, whenMs: milliseconds, limits: limits, log: [])
        }
        return Outcome(ended, cause: state.cause, limits: limits, output: state.output)
    }
}
