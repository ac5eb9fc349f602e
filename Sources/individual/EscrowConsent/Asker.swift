/// Who asks the individual, as far as their questions, a no to them or a notification about them are told apart.
package struct Asker: Hashable, Sendable {
    package let app: String
    /// A program that only says that it is the app is not the app.
    package let isProved: Bool

    package init(_ app: String, _ proof: AppProof) {
        self.app = app
        isProved = proof != .claim
    }
}
