public import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
public import EscrowLocation
public import EscrowLocationPrivacy
import EscrowPlaces
import EscrowSources
import EscrowTableKit

/// What the individual changes of what is told of their places; each change is recorded.
extension Host {
    /// Their rules.
    public var location: LocationStore { LocationStore(directory: home.path) }
    /// What each app was told last, and what is spent of the day.
    public var locationMemory: LocationMemory { LocationMemory(directory: home.path) }
    /// Which day it is, as budgets count them: days of UTC since 1970 by the ledger's clock, which does not go back, and which no
    /// `TZ` of whoever starts this program turns. Where the ledger cannot be read nothing is told anyway.
    public var budgetDay: Int { Int(((try? ledger.now()) ?? .now()).milliseconds / 86_400_000) }
    /// Who may follow them live, and who does.
    public var live: LiveStore { LiveStore(directory: home.path) }

    /// What planar Laplace spent today for each app, by which masks, and of how much: the least that rules give any service of it.
    public func spentToday() throws(Diagnostic) -> [(app: String, mask: String, spent: Double, of: Double)] {
        let rules = try location.rules()
        var accounts: [(app: String, mask: String, spent: Double, of: Double)] = []
        for (app, mask, spent) in try locationMemory.spent(on: budgetDay) {
            var budget = Double.infinity
            if case .planarLaplace(let epsilon)? = Telling(mask)?.mechanism {
                for service in ServiceType.allCases {
                    budget = min(budget, rules.budget(epsilon, app: app, service: service))
                }
            }
            guard let index = accounts.firstIndex(where: { $0.app == app }) else {
                accounts.append((app, mask, spent, budget))
                continue
            }
            accounts[index].mask += ", " + mask
            accounts[index].spent += spent
            accounts[index].of = min(accounts[index].of, budget)
        }
        return accounts.map { ($0.app, $0.mask, $0.spent, $0.of.isFinite ? $0.of : 0) }
    }

    /// Adds a rule; gives it as it is kept.
    public func addLocationRule(_ rule: LocationRule) throws(Diagnostic) -> LocationRule {
        let rule = try location.add(rule)
        try recordLocation("rule-added", [("rule", rule.impersonalJSON)])
        return rule
    }

    /// Removes a rule.
    public func removeLocationRule(_ id: String) throws(Diagnostic) {
        let rule = try location.remove(id)
        try recordLocation("rule-removed", [("rule", rule.impersonalJSON)])
    }

    /// Keeps the places of a file as a list that rules may tell from, none nearer to another than `apart` metres.
    public func addPlaceList(
        _ name: String, from path: String, apart: Double
    ) throws(Diagnostic) -> (list: PlaceListEntry, leftOut: Int) {
        let file = try PlaceFile(path, most: PlaceList.most)
        let places = file.places.compactMap { Coordinates(latitude: $0.latitude, longitude: $0.longitude) }
        guard let list = PlaceList(places, apart: apart) else {
            throw Diagnostic(
                .placeListUnfit, "places of a list lie 100 to 100000 metres apart",
                help: "for example: --apart 200")
        }
        let entry = try location.keep(list, as: name)
        try recordLocation("list-added", [("list", entry.json)])
        return (entry, file.leftOut)
    }

    /// Removes a list of places.
    public func removePlaceList(_ name: String) throws(Diagnostic) {
        try location.removeList(name)
        try recordLocation("list-removed", [("list", .string(name))])
    }

    /// Draws other noise for every app.
    public func resetLocationNoise() throws(Diagnostic) {
        try location.resetNoise()
        try locationMemory.forget()
        try recordLocation("noise-reset", [])
    }

    /// Decides whether an app may follow live.
    public func allowLive(_ app: String, _ permission: LiveStore.Permission) throws(Diagnostic) {
        try live.allow(app, permission)
        try recordLocation(
            "live-decided", [("app", .string(app)), ("when", .string(permission.rawValue))])
    }

    /// Follows for as long as `body` takes: shown while it does and for a day after, and recorded.
    public func following(
        _ follow: LiveFollow, _ body: (borrowing LiveStore.Running) throws(Diagnostic) -> Int
    ) throws(Diagnostic) {
        let running = try live.begin(follow)
        try recordLocation(
            "live-began",
            [
                ("app", .string(follow.app)), ("plugin", follow.plugin.map(JSONValue.string) ?? .null),
                ("provider", .string(follow.provider)), ("mode", .string(follow.mode.rawValue)),
                ("accuracy", .string(follow.desired.rawValue)),
            ])
        var updates: Int?
        do throws(Diagnostic) { updates = try body(running) } catch {
            try recordLocation("live-ended", [("app", .string(follow.app)), ("updates", .null)])
            throw error
        }
        try recordLocation(
            "live-ended",
            [("app", .string(follow.app)), ("updates", updates.map { .integer(Int64($0)) } ?? .null)])
    }

    /// Keeps a place where `Location` reads it, and makes that a source when there is the first.
    public func keep(_ fix: LiveFix, desired: Exactness, hours: Int) throws(Diagnostic) {
        let track = LiveTrack(directory: home.path)
        try track.add(fix, desired: desired, keepingHours: hours)
        let isKnown = try sources().entries.contains {
            $0.kind.rawValue == "location" && $0.path == track.folder
        }
        if !isKnown { _ = try addSource(kind: "location", path: track.folder) }
    }

    private func recordLocation(
        _ change: String, _ fields: [(name: String, value: JSONValue)]
    ) throws(Diagnostic) {
        try ledger.append(.locationChanged, fields: .object([("change", .string(change))] + fields))
    }
}
