import EscrowDiagnostics
import EscrowHost
import EscrowLocation
import EscrowLocationPrivacy
import EscrowPage
import Glibc
import Synchronization

extension PageDesk {
    /// More of a track, or of what was told, says little more, and makes the page wait.
    private static let (mostPlaces, mostTold) = (5_000, 2_000)

    /// What is told of the individual's places, attacked as `escrow location audit` does.
    func places() throws(Diagnostic) -> HTML {
        let reader = host.ledgerReader()
        let (told, book) = try past.withLock {
            (past) throws(Diagnostic) -> ([LocationAudit.Told], FlowBook) in
            try past.follow(reader)
            return (try past.places(reader, most: Self.mostTold), past.flows)
        }
        var findings: [LocationAudit.Finding] = []
        var map: PlaceMap?
        if !told.isEmpty {
            // Without sources, or with one that cannot be read, there is nothing to hold it against.
            let track = (try? host.ownPlaces(Self.mostPlaces)) ?? []
            findings = LocationAudit(track: track, gazetteer: try GazetteerFile.load()).findings(told)
            map = PlaceMap(
                real: track.map(\.place), told: told.map { ($0.place.place, $0.isDummy) },
                guesses: findings.last?.anchors.map { ($0.guess, $0.metres) } ?? [])
        }
        let follows = try host.live.follows()
        let results = Dictionary(follows.map { ($0.id, book.results(for: $0)) }) { first, _ in first }
        return PlacesView(
            follows: follows, results: results, permissions: try host.live.permissions(),
            rules: try host.location.rules(), spent: try host.spentToday(), findings: findings, map: map,
            now: Int64(time(nil))
        ).html(proof)
    }

    /// Decides when an app may be told live; what runs looks at it at its next update.
    func decideLive(_ form: FormBody) throws(Diagnostic) -> String {
        guard let app = form["app"], let permission = LiveStore.Permission(rawValue: form["when"] ?? ""),
            try host.live.permission(of: app) != nil
        else { throw Diagnostic(.answerUnclear, "that is no decision, so nothing is changed") }
        try host.allowLive(app, permission)
        return "\(app) \(permission.words)"
    }
}
