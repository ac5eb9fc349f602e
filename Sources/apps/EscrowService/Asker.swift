import EscrowConsent
import EscrowHost

/// Who asks the individual, as far as a no to them or a notification about them is remembered.
struct Asker: Hashable, Sendable {
    let app: String
    /// A program that only says that it is the app is not the app.
    let isProved: Bool

    init(_ app: String, _ proof: AppProof) {
        self.app = app
        isProved = proof != .claim
    }

    init(_ run: ServiceRun) { self.init(run.app, run.proof) }

    init(_ request: RunRequest) { self.init(request.app, request.proof) }

    /// Those whose no binds this one: a no to the app itself is one to all that say they are it, and not the other way round.
    var bound: [Asker] { isProved ? [self] : [self, Asker(app, .token)] }
}
