import EscrowConsent
import EscrowDiagnostics
import EscrowEgress
import EscrowHome
import EscrowIdentity
import EscrowLocation
import EscrowLocationPrivacy
import EscrowManifest
import EscrowMinimisation
import EscrowRelational
import EscrowSchema
import EscrowTabular

/// Fills the individual's newest place into the requests of one run, masked by their rules as they stand when it is sent.
struct LocationDesk: PlaceSource {
    let host: Host
    let app: String
    /// The most that each endpoint may be told by what was decided.
    let allowed: [String: Telling]
    /// How much less of the individual's places is served.
    let limit: GrantLimit?

    func places(for endpoint: EgressEndpoint) throws(Diagnostic) -> Result<PlacesToSend, EgressRefusal> {
        guard let place = endpoint.place else { return .failure(.placeNotTold("no place is asked for")) }
        guard let point = try host.newestPlace(limit) else {
            return .failure(.placeNotTold("no place of yours is known"))
        }
        let (rules, key) = try host.location.masks(of: app)
        let telling = rules.now(
            .least(place.exactness, allowed[endpoint.name] ?? .none), app: app, service: place.service,
            minute: LocalDay.minuteNow(), at: point)
        let basis = rules.basis(of: telling, app: app, service: place.service)
        let desk = NoiseDesk(
            host: host, app: app, service: place.service, rules: rules, key: key,
            gazetteer: try GazetteerFile.load(),
            lists: try host.location.lists(for: telling).merging(
                try basis.map { (basis) throws(Diagnostic) in try host.location.lists(for: basis) } ?? [:]
            ) { one, _ in one },
            day: host.budgetDay)
        let parts = endpoint.fields.compactMap(\.part)
        // A mechanism of the publisher's choice masks what the app may be told anyway.
        guard let basis, let mechanism = telling.mechanism else {
            return try desk.masked(as: telling, of: point, beyond: 0, parts)
        }
        switch try desk.basis(as: basis, for: mechanism, of: point) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let basis):
            return try desk.masked(as: telling, of: basis.place, beyond: basis.metres, parts)
        }
    }
}

/// Masks one place for one service, within the app's account of noise.
private struct NoiseDesk {
    let host: Host
    let app: String
    let service: ServiceType
    let rules: [LocationRule]
    let key: MaskKey
    let gazetteer: Gazetteer
    let lists: [String: PlaceList]
    let day: Int

    /// - Parameter metres: how far the point is from the truth already.
    func masked(
        as telling: Telling, of point: Coordinates, beyond metres: Double, _ parts: [EgressField.PlacePart]
    ) throws(Diagnostic) -> Result<PlacesToSend, EgressRefusal> {
        try remembering(telling) { (memory, budget) throws(Mask.Refusal) in
            var generator = SystemRandomNumberGenerator()
            return try Disclosure(
                of: point, as: telling, key: key, gazetteer: gazetteer, lists: lists, memory: &memory,
                budget: budget, day: day, service: service, using: &generator
            ).flatMap { PlacesToSend($0, telling, gazetteer, parts, beyond: metres) }
        }
    }

    func basis(
        as telling: Telling, for mechanism: Mechanism, of point: Coordinates
    ) throws(Diagnostic) -> Result<Basis, EgressRefusal> {
        try remembering(telling) { (memory, budget) throws(Mask.Refusal) in
            try Basis(
                of: point, as: telling, for: mechanism, key: key, gazetteer: gazetteer, lists: lists,
                memory: &memory, budget: budget, day: day)
        }
    }

    /// With what was told so before, and what is left to planar Laplace: an app has one account for a day, whatever the spelling.
    private func remembering<Value>(
        _ telling: Telling, _ body: (inout TellingMemory, Double?) throws(Mask.Refusal) -> Value?
    ) throws(Diagnostic) -> Result<Value, EgressRefusal> {
        var limit: Double?
        if case .planarLaplace(let epsilon)? = telling.mechanism {
            limit = rules.budget(epsilon, app: app, service: service)
        }
        return try host.locationMemory.using(app: app, mask: telling.spelling, on: day) {
            (memory, elsewhere) throws(Diagnostic) in
            do throws(Mask.Refusal) {
                return try body(&memory, limit.map { max($0 - elsewhere, 0) }).map { .success($0) }
                    ?? .failure(.placeNotTold("your rules tell nothing of this place"))
            } catch {
                return .failure(EgressRefusal(.notGranted, error.diagnostic))
            }
        }
    }
}

extension PlacesToSend {
    fileprivate init?(
        _ disclosure: Disclosure, _ telling: Telling, _ gazetteer: Gazetteer,
        _ parts: [EgressField.PlacePart], beyond metres: Double
    ) {
        self.init(
            points: zip(disclosure.points, disclosure.countries).map { point, country in
                // Of what is told, not of the place.
                let region = parts.contains(.region) ? gazetteer.region(of: point.coordinates) : nil
                let radius =
                    parts.contains(.radius) ? metres + telling.radius(of: point.coordinates, gazetteer) : 0
                return Point(
                    latitude: point.latitude, longitude: point.longitude, country: country,
                    region: region ?? "", radius: "\(Int(radius.rounded(.up)))")
            }, truth: disclosure.truth, exactness: telling)
    }
}

extension Host {
    func places(
        for app: String, allowed: [String: Telling], limit: GrantLimit?
    ) -> any PlaceSource {
        LocationDesk(host: self, app: app, allowed: allowed, limit: limit)
    }

    /// Puts into a dataflow how exactly its endpoints are told the individual's place, by the rules as they stand.
    func describePlaces(_ description: inout DataflowDescription, _ manifest: Manifest) throws(Diagnostic) {
        guard manifest.egress.contains(where: { $0.place != nil }) else { return }
        let rules = try location.rules()
        var places: [String: Telling] = [:]
        for endpoint in manifest.egress {
            guard let place = endpoint.place else { continue }
            places[endpoint.name] = rules.most(
                place.exactness, app: description.app, service: place.service)
        }
        description.places = places
        description.egress = manifest.egress.map { $0.sentence(telling: places[$0.name]) }
    }

    /// The individual's newest place, as exactly as it is served under a limit.
    func newestPlace(_ limit: GrantLimit?) throws(Diagnostic) -> Coordinates? {
        let tables = try Self.minimised(
            try Self.served(try self.tables(), rows: limit?.rows ?? [:]), by: limit?.coarser ?? .none,
            granted: nil, hash: DeferredHash().keyedHash)
        return try Access(
            AccessRequest(
                sql: "SELECT latitude, longitude FROM Location WHERE latitude IS NOT NULL AND "
                    + "longitude IS NOT NULL ORDER BY timestamp DESC LIMIT 1",
                granted: [EgressPlace.table: Set(EgressPlace.columns)], columnTypes: [.real, .real]),
            tables: tables, assets: AssetTable(), materials: materials
        ).places().first?.place
    }
}

extension Access {
    /// The places of a query for latitude and longitude, and perhaps a time; what lies nowhere on the globe is left out.
    func places() throws(Diagnostic) -> [(place: Coordinates, time: Timestamp?)] {
        defer { close() }
        var places: [(place: Coordinates, time: Timestamp?)] = []
        while let batch = try next(maxRows: 1_024, maxBytes: 1 << 20) {
            for row in 0..<batch.rowCount {
                guard case .real(let latitude) = batch.cell(row: row, column: 0),
                    case .real(let longitude) = batch.cell(row: row, column: 1),
                    let point = Coordinates(latitude: latitude, longitude: longitude)
                else { continue }
                let hasTime = batch.schema.fields.count > 2
                places.append((point, hasTime ? batch.timestamp(row: row, column: 2) : nil))
            }
        }
        return places
    }
}
