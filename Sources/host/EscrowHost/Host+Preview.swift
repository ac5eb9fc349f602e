import EscrowConsent
public import EscrowDiagnostics
import Synchronization

extension Host {
    /// Computes what an undecided request would hand over, for the individual's eyes: the app is given nothing, and nothing is
    /// decided. E0718 where it sends: what is sent cannot be taken back.
    public func preview(_ request: UndecidedRequest) throws(Diagnostic) -> ResultPreview {
        let viewer = Viewer()
        var asked = request.request
        asked.isPreview = true
        do throws(Diagnostic) {
            _ = try Runner(host: self, decider: viewer).run(asked)
        } catch {
            // That it was seen and not released is how such a run ends.
            guard let seen = viewer.seen.withLock({ $0 }) else { throw error }
            return seen
        }
        throw Diagnostic(.ownFault, "a preview was handed over")
    }

    /// Looks, and answers nothing.
    private final class Viewer: Decider {
        let seen = Mutex<ResultPreview?>(nil)
        var canAsk: Bool { true }
        func decide(_ description: DataflowDescription, _ decision: Decision) -> ConsentReply { .none }
        func review(_ description: DataflowDescription, _ result: ResultPreview) -> ConsentReply {
            seen.withLock { $0 = result }
            return .none
        }
    }
}
