import EscrowConsent
import EscrowDiagnostics
import EscrowHome
import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowPlacement
import EscrowRelational
import EscrowServers
import EscrowTrust

/// Before step 3 of a run that says `auto`: which place, by rules, grants, the device's state and what past runs took.
extension Runner {
    /// What an app or the individual says where the place is the escrow's to choose.
    static let auto = "auto"

    /// The request with its place, and why that one. Nothing is read, sent or asked.
    func choose(_ request: RunRequest) throws(Diagnostic) -> (RunRequest, Placement) {
        let plugin = try verify(request.plugin)
        let id = plugin.manifest.id
        var places: [(place: Place, standing: Placement.Standing)] = []
        var goals: [Rule.Goal] = []
        var rules: [String] = []
        var device: DeviceState?
        for server in [nil] + host.serverIDs.map(Optional.some) {
            var here = request
            here.server = server
            let place = server.map(Place.server) ?? .device
            do throws(Diagnostic) {
                let resolved = try resolve(here, plugin)
                resolved.access.close()
                let decision = try host.decisions.decide(
                    for: resolved.description.dataflow, rules: resolved.rules, claimed: nil)
                let grounds = resolved.rules.grounds
                goals += grounds.goals.filter { !goals.contains($0) }
                rules += grounds.preferring.filter { !rules.contains($0) }
                device = device ?? grounds.facts.device
                places.append((place, Self.standing(decision, grounds)))
            } catch {
                // Another place may still do; what is wrong with the request itself is wrong on this device too.
                guard server != nil || error.code == .codeElsewhere else { throw error }
                places.append((place, .out(error.message)))
            }
        }
        let past = host.pastRuns(of: id)
        var byPlace: [Place: [PlaceModel.Past]] = [:]
        for run in past { byPlace[run.place, default: []].append(run.figures) }
        let placement = Placement(
            places, past: byPlace.mapValues { Array($0.suffix(32)) }, recent: past.map(\.figures.bytes),
            goals: goals.sorted(), rules: rules.sorted(), device: device ?? DeviceState())
        var chosen = request
        chosen.server = if case .server(let id) = placement.place { id } else { nil }
        chosen.placed = placement.why
        return (chosen, placement)
    }

    private static func standing(_ decision: Decision, _ grounds: Grounds) -> Placement.Standing {
        if decision.state == .notDetermined { return .undecided }
        guard decision.runs else { return .out(decision.why) }
        return grounds.waits.isEmpty
            ? .allowed : .out("it would wait: \(grounds.waitsFor.joined(separator: ", "))")
    }

    /// Where a run that failed at a server may go on: on this device, if the individual allowed it there, and if nothing can have been
    /// sent to the network yet. It is a run of its own, with records of its own.
    func fallback(
        from chosen: RunRequest, _ placement: Placement, after error: Diagnostic
    ) throws(Diagnostic) -> RunRequest? {
        guard let server = chosen.server, !cancellation.isCancelled,
            placement.candidates.contains(where: { $0.place == .device && $0.standing == .allowed })
        else { return nil }
        switch error.code {
        case .serverUnreachable, .serverLate, .serverBusy, .pluginNotRegistered, .anotherVersionThere,
            .rolledBackThere, .serverCannot:
            break
        case .serverLost:
            // The plugin may have had something sent before: a second run would send it twice.
            guard try verify(chosen.plugin).manifest.egress.isEmpty else { return nil }
        // A server that is not who it says, or breaks the protocol, is nothing to pass over.
        default: return nil
        }
        var again = chosen
        again.server = nil
        again.placed = "this device, since the run at the server \(server) failed: \(error.code.rawValue)"
        observer.explain(
            TerminalText.hanging(
                "\(error.message) [\(error.code.rawValue)]; computing on this device instead, as you allow",
                width: observer.columns))
        return again
    }
}

extension RunHost {
    var serverIDs: [String] { [] }
    func pastRuns(of plugin: String) -> [PastRun] { [] }
}

extension Host {
    /// The servers that the individual named. A list that cannot be read has none: an explicit name says why.
    var serverIDs: [String] { ((try? servers.list()) ?? []).map(\.id) }

    /// The last runs of a plugin that returned something, as the ledger has them; what was erased there is not learnt from.
    func pastRuns(of plugin: String) -> [PastRun] {
        guard let entries = try? ledgerReader().latest(Self.remembered) else { return [] }
        var begun: [String: Place] = [:]
        var past: [PastRun] = []
        for entry in entries {
            guard let run = entry.run else { continue }
            if entry.kind == .runIntent, entry.fields["plugin"]?.string == plugin {
                begun[run] = entry.fields["place"]?.string.flatMap(Place.init)?.machine ?? .device
            } else if entry.kind == .runEnd, let place = begun[run],
                entry.fields["outcome"]?.string == "returned"
            {
                func number(_ name: String) -> Double { Double(entry.fields[name]?.integer ?? 0) }
                past.append(
                    PastRun(
                        place: place,
                        figures: .init(
                            bytes: number("bytes") + number("assetBytes"),
                            seconds: number("milliseconds") / 1000,
                            cpuSeconds: Double(entry.fields["used"]?["cpuMs"]?.integer ?? 0) / 1000)))
            }
        }
        return past
    }

    /// How many records of the ledger are looked through.
    private static let remembered = 1024
}
