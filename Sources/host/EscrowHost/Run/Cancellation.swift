import EscrowComputation
public import EscrowHome
import EscrowRelational
import EscrowSandbox
import Synchronization

extension Runner {
    /// Ends a run from another thread: its query, and its plugin.
    public final class Cancellation: Cancelling {
        private struct State {
            var isCancelled = false
            var hasReadData = false
            var access: Access?
            var process: (any PluginProcess)?
            var wakes: [@Sendable () -> Void] = []
        }
        private let state = Mutex(State())

        /// Nothing to cancel yet.
        public init() {}

        /// Whether somebody cancelled.
        public var isCancelled: Bool { state.withLock { $0.isCancelled } }

        /// Ends what runs, and whatever is about to.
        public func cancel() {
            state.withLock { state in
                state.isCancelled = true
                state.access?.cancel()
                state.process?.kill(reason: .cancelled)
                for wake in state.wakes { wake() }
            }
        }

        /// Calls `wake` when the run is cancelled; at once if it was already.
        public func whenCancelled(_ wake: @escaping @Sendable () -> Void) {
            state.withLock { state in
                state.wakes.append(wake)
                if state.isCancelled { wake() }
            }
        }

        /// The run ended: lets go of its query and its process, which whoever keeps this would keep too.
        public func release() {
            let held = state.withLock { state in
                defer { (state.access, state.process, state.wakes) = (nil, nil, []) }
                return (state.access, state.process, state.wakes)
            }
            // Freed here, outside the lock: a database connection is closed with its query.
            withExtendedLifetime(held) {}
        }

        /// Whether the run got as far as reading data.
        public var hasReadData: Bool { state.withLock { $0.hasReadData } }

        /// Takes note that data is about to be read by this access.
        func watch(_ access: Access) {
            state.withLock { state in
                state.hasReadData = true
                state.access = access
                if state.isCancelled { access.cancel() }
            }
        }

        func watch(_ process: any PluginProcess) {
            state.withLock { state in
                state.process = process
                if state.isCancelled { process.kill(reason: .cancelled) }
            }
        }
    }
}
