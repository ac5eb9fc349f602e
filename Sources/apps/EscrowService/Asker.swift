import EscrowConsent
import EscrowHost

extension Asker {
    init(_ run: ServiceRun) { self.init(run.app, run.proof) }

    init(_ request: RunRequest) { self.init(request.app, request.proof) }

    /// Those whose no binds this one: a no to the app itself is one to all that say they are it, and not the other way round.
    var bound: [Asker] { isProved ? [self] : [self, Asker(app, .token)] }
}
