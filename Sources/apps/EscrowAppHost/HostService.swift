import Dispatch
package import EscrowAppWire
import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
public import EscrowHost
import EscrowJSON
public import EscrowLocation
import EscrowRelational
import EscrowTabular
import Glibc
import Synchronization

/// `escrow host --stdio`: one app on the other end of two pipes, its requests run side by side.
///
/// The app gets results, and of failures a code and a fixed sentence. Nobody is asked here: there is no terminal, and the
/// individual decides with `escrow grant`.
public final class HostService: Sendable {
    private let host: Host
    /// Where processes are kept ready; nil before it serves.
    private let warm = Mutex<WarmHost?>(nil)
    private let pipes: AppPipes
    private let version: String
    private let observe: @Sendable (RunFigures) -> Void
    private let live: LiveSource
    private let open = Mutex(OpenRequests())
    private let running = Mutex<[Int64: Runner.Cancellation]>([:])
    /// One entry for each request without an answer.
    private let answers = DispatchGroup()
    /// The threads that there may be: for all that is open, and as many whose answer the app has not read. An id is free before
    /// its answer is written, or an app that uses it again at once would be refused.
    private let room = DispatchSemaphore(value: 2 * AppWire.openCap)

    /// Prepares to serve an app over two descriptors. An app that reads nothing for `stallSeconds`, while something
    /// waits for it, loses its connection. `observe` is told what each run took that gave a result, before the app has
    /// it: for measurements on the individual's side. `live` says where this machine is to apps that follow. Throws E0001 where the
    /// system has no descriptors left.
    public init(
        host: Host, input: Int32, output: Int32, version: String, stallSeconds: Double = 60,
        live: LiveSource? = nil,
        observe: @escaping @Sendable (RunFigures) -> Void = { _ in }
    ) throws(Diagnostic) {
        self.host = host
        self.observe = observe
        self.live = live ?? .ofMachine(gpsdPort: host.gpsdPort)
        self.version = version
        pipes = try AppPipes(input: input, output: output, stallSeconds: stallSeconds)
    }

    /// Serves until the app closes its end, then ends what still runs. Throws where the connection itself is broken.
    public func serve() throws(Diagnostic) {
        Home.removeLeftovers(of: host.home.path)
        send(.greeting(version: version))
        var lines = LineBuffer(cap: AppWire.requestCap)
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let warm = try WarmHost(host)
        self.warm.withLock { $0 = warm }
        defer {
            for cancellation in running.withLock({ Array($0.values) }) { cancellation.cancel() }
            answers.wait()
            warm.close()
            // The app is gone and stderr is not for it: a ledger that cannot be written shows at the next command.
            try? host.recordUndecidedRest()
            // Now no answer waits for it.
            _ = try? host.tidyLedgerIfDue()
        }
        while true {
            let bytes = try pipes.read(into: &chunk)
            guard !bytes.isEmpty else { return }
            lines.append(bytes)
            do throws(AppWireError) {
                while let line = try lines.next() { try take(line) }
            } catch {
                send(.failure(id: nil, HostFailure(error)))
                throw error.diagnostic
            }
        }
    }

    /// Acts on one line. An error with an id is that request's answer; one without ends the connection.
    private func take(_ line: [UInt8]) throws(AppWireError) {
        let request: AppRequest
        do throws(AppWireError) {
            request = try AppRequest(line: line)
            if case .cancel(_, let target) = request {
                running.withLock { $0[target] }?.cancel()
                return
            }
            try open.withLock { (open: inout OpenRequests) throws(AppWireError) in try open.open(request.id) }
        } catch {
            guard let id = error.id else { throw error }
            send(.failure(id: id, HostFailure(error)))
            return
        }
        // Known before its thread begins: a cancel may be the very next line.
        let cancellation = Runner.Cancellation()
        running.withLock { $0[request.id] = cancellation }
        answers.enter()
        room.wait()
        start { [self] in
            switch request {
            case .run(let id, let body): run(id, body, cancellation)
            case .status(let id, let body): status(id, body)
            case .watch(let id, let body): watch(id, body, cancellation)
            case .follow(let id, let body, let mode): follow(id, body, mode, cancellation)
            case .cancel: break
            }
            // Whoever asks next finds a connection open; whoever asked has the answer.
            (try? hostForRun())?.refill()
            room.signal()
            answers.leave()
        }
    }

    private func hostForRun() throws(Diagnostic) -> Host {
        guard let warm = warm.withLock({ $0 }) else { return host }
        return try warm.forRun()
    }

    private func run(_ id: Int64, _ body: RunBody, _ cancellation: Runner.Cancellation) {
        do throws(Diagnostic) {
            let runner = Runner(
                host: try hostForRun(),
                cancellation: cancellation, patience: .stay)
            let result = try runner.run(RunRequest(body))
            observe(result.figures)
            finish(.result(id: id, AppResult(result)))
        } catch {
            finish(.failure(id: id, host.told(error, app: body.app, plugin: body.compute, cancellation)))
        }
        tidyIfOverdue()
    }

    /// An app that stays for days does not keep the ledger from forgetting. The run of this thread has its answer.
    private func tidyIfOverdue() {
        guard running.withLock(\.isEmpty), let host = try? hostForRun(), host.isTidyingOverdue() else {
            return
        }
        _ = try? host.tidyLedgerIfDue()
    }

    private func status(_ id: Int64, _ body: RunBody) {
        do throws(Diagnostic) {
            let runner = Runner(host: try hostForRun())
            finish(.status(id: id, try runner.plan(RunRequest(body)).status))
        } catch {
            finish(.failure(id: id, HostFailure(error)))
        }
    }

    /// Tells where a dataflow stands, at once and whenever that changes, until the app withdraws the question.
    private func watch(_ id: Int64, _ body: RunBody, _ cancellation: Runner.Cancellation) {
        do throws(Diagnostic) {
            let changes = try HomeChanges(host.home.path, cancellation)
            var told: ConsentStatus?
            while !cancellation.isCancelled {
                let runner = Runner(host: try hostForRun())
                let status = try runner.plan(RunRequest(body)).status
                if status != told { send(.status(id: id, status)) }
                told = status
                // What ends by time alone is seen within half a minute.
                changes.wait(seconds: 30)
            }
            finish(.failure(id: id, HostFailure(AppWireError(.cancelled))))
        } catch {
            finish(.failure(id: id, HostFailure(error, cancellation)))
        }
    }

    /// Answers each update of where this machine is, until the app withdraws it or something forbids it.
    private func follow(
        _ id: Int64, _ body: RunBody, _ mode: FollowMode, _ cancellation: Runner.Cancellation
    ) {
        do throws(Diagnostic) {
            let follow = try AppFollow(RunRequest(body), mode, source: live, cancellation: cancellation) {
                [self] () throws(Diagnostic) in try hostForRun()
            }
            try follow.run { send(.result(id: id, AppResult($0))) }
            finish(.failure(id: id, HostFailure(AppWireError(.cancelled))))
        } catch {
            finish(.failure(id: id, host.told(error, app: body.app, plugin: body.compute, cancellation)))
        }
        tidyIfOverdue()
    }

    /// Sends a request's one answer and closes the request.
    private func finish(_ message: HostMessage) {
        if let id = message.id {
            running.withLock { $0[id] = nil }
            _ = open.withLock { $0.close(id) }
        }
        send(message)
    }

    /// Writes one line, whole.
    private func send(_ message: HostMessage) {
        let line: [UInt8]
        do throws(AppWireError) {
            line = try message.line()
        } catch {
            if let id = message.id { send(.failure(id: id, HostFailure(error))) }
            return
        }
        pipes.write(line)
    }

    /// Runs a closure on a thread of its own, which nobody joins.
    private func start(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 4 << 20)
        var thread = pthread_t()
        let box = Unmanaged.passRetained(Box(body))
        let error = pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        // No thread to be had: the request is answered by this one, and later lines wait.
        if error != 0 { box.takeRetainedValue().body() }
    }
}

extension HostFailure {
    /// A diagnostic as an app may see it: code, status and a fixed sentence, nothing that depends on the data.
    package init(_ diagnostic: Diagnostic, hasReadData: Bool = false) {
        let code = diagnostic.code.shown(hasReadData: hasReadData)
        self.init(code: code.rawValue, status: code.exitStatus.rawValue, message: code.exitStatus.appSentence)
    }

    /// The same of a request that the app may have withdrawn.
    init(_ diagnostic: Diagnostic, _ cancellation: Runner.Cancellation) {
        if cancellation.isCancelled {
            self.init(AppWireError(.cancelled))
        } else {
            self.init(diagnostic, hasReadData: cancellation.hasReadData)
        }
    }
}

extension Host {
    /// What an app is told of a request that failed. Why it did is kept for the individual, unless the app withdrew it.
    package func told(
        _ failure: Diagnostic, app: String, plugin: String, _ cancellation: Runner.Cancellation
    ) -> HostFailure {
        if !cancellation.isCancelled {
            noteFailure(failure, app: app, plugin: plugin, hasReadData: cancellation.hasReadData)
        }
        return HostFailure(failure, cancellation)
    }
}

extension RunRequest {
    /// The request of an app.
    package init(_ body: RunBody) {
        self.init(app: body.app, sql: body.sql, plugin: body.compute)
        place = body.place
        appWords = body.says ?? ""
        server = body.server == "device" ? nil : body.server
        for (name, value) in body.bindings { bindings[name] = value.cell }
        for (name, value) in body.arguments {
            arguments[name] = value.string ?? String(decoding: JSONWriter.line(value), as: UTF8.self)
        }
    }
}

extension RunPlan {
    /// Where the individual stands, as an app is told.
    package var status: ConsentStatus {
        switch decision.shownState {
        case .authorized, .limited: .authorized
        case .denied: .denied
        case .restricted: .restricted
        case .notDetermined: .notDetermined
        }
    }
}
