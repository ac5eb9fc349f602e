/// For whom a denial holds, by how the app is known.
///
/// Any program can say that it is an app. So a no that one of these was told must not keep the app itself, which is proved, from
/// anything; a no to the app itself is also one to all that say they are it.
extension Grant {
    /// Whether it says no to programs alone that only say that they are the app. A no by command names the app, and nobody who asks:
    /// it holds however the app is known.
    private var isToClaims: Bool { state == .denied && reason == .prompt && dataflow.proof == .claim }

    /// Whether it can hold for an app that is known so; of what was allowed, `covers` tells that.
    func holds(for proof: AppProof) -> Bool { proof == .claim || !isToClaims }

    /// Whether a denial holds for all for whom another one does.
    func reaches(as other: Grant) -> Bool { !isToClaims || other.isToClaims }
}
