import Dispatch
import EscrowFiles
import Glibc
import Synchronization

/// Looks names up on a thread of its own, so that the run's thread need not wait for a name server that does not answer:
/// getaddrinfo(3) itself can neither be bounded nor ended.
public final class InterruptibleResolver: Resolver {
    private struct State {
        var isCancelled = false
        var lookups: [ObjectIdentifier: Lookup] = [:]
    }

    /// One question. Its thread may outlive whoever asked.
    private final class Lookup: Sendable {
        let host: String
        let inner: any Resolver
        let answer = Mutex<[IPAddress]>([])
        let done = DispatchSemaphore(value: 0)

        init(_ host: String, _ inner: any Resolver) {
            self.host = host
            self.inner = inner
        }

        func run() {
            let found = inner.addresses(of: host)
            answer.withLock { $0 = found }
            done.signal()
        }
    }

    private let inner: any Resolver
    private let patience: Double
    private let state = Mutex(State())

    /// Takes who really looks names up, and how many seconds that may take.
    public init(_ inner: any Resolver = SystemResolver(), patience: Double = 10) {
        self.inner = inner
        self.patience = patience
    }

    /// Whether the run is over.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Ends the lookup under way and refuses every later one. Any thread may call it, and it does not wait.
    public func cancel() {
        state.withLock { state in
            state.isCancelled = true
            for lookup in state.lookups.values { lookup.done.signal() }
        }
    }

    /// All addresses of a name; empty where it has none, where they do not come in time, and after `cancel`.
    public func addresses(of host: String) -> [IPAddress] {
        let lookup = Lookup(host, inner)
        let mayAsk = state.withLock { state in
            if !state.isCancelled { state.lookups[ObjectIdentifier(lookup)] = lookup }
            return !state.isCancelled
        }
        guard mayAsk, SystemThread.start(name: "escrow-names", stackBytes: 8 << 20, lookup.run) else {
            return []
        }
        _ = lookup.done.wait(timeout: .now() + patience)
        let isCancelled = state.withLock { state in
            state.lookups[ObjectIdentifier(lookup)] = nil
            return state.isCancelled
        }
        return isCancelled ? [] : lookup.answer.withLock { $0 }
    }
}
