import EscrowConsent
public import EscrowDiagnostics
import EscrowHome
public import EscrowJSON
import EscrowLedger
import EscrowManifest
import EscrowSandbox
import EscrowSources
import EscrowTrust

/// What this machine can do, and how the escrow home stands.
public struct Doctor: Sendable {
    /// One wall of the sandbox.
    public struct WallRow: Sendable {
        public let name: String
        /// `present`, `lowered`, or `missing: ` and why.
        public let state: String
        public let purpose: String
        public let detail: String
    }

    /// One part of the home.
    public struct HomeRow: Sendable {
        public let name: String
        public let state: String
    }

    /// One limit: its values, and how it is held here.
    public struct LimitRow: Sendable {
        public let name: String
        /// What holds where a manifest says nothing, and the most that one may ask for.
        public let standard: Int
        public let most: Int
        /// The individual's own cap.
        public let cap: Int?
        /// Whether a breach is seen as such, or inferred from how the plugin failed.
        public let isExact: Bool
        public let holder: String
    }

    /// The walls.
    public let walls: [WallRow]
    /// The limits.
    public let limits: [LimitRow]
    /// The home's parts.
    public let home: [HomeRow]
    /// The first thing that stops runs here, if any.
    public let problem: Diagnostic?

    /// Looks at everything; changes nothing but what a killed command left half made. `egress` tries the program that sends
    /// requests and names it.
    public static func examine(
        home path: String, egress: () throws(Diagnostic) -> String
    ) -> Doctor {
        var problem: Diagnostic?
        var rows: [HomeRow] = []
        var configuration = HostConfiguration()
        func look(_ name: String, _ body: () throws(Diagnostic) -> String) {
            do { rows.append(HomeRow(name: name, state: try body())) } catch {
                rows.append(HomeRow(name: name, state: "\(error.code.rawValue): \(error.message)"))
                problem = problem ?? error
            }
        }
        let leftovers = Home.removeLeftovers(of: path)
        if leftovers > 0 {
            rows.append(
                HomeRow(name: "left behind", state: "removed \(leftovers) unfinished homes beside it"))
        }
        var host: Host?
        look("home") { () throws(Diagnostic) in
            host = try Host(home: try Home.open(at: path))
            return path
        }
        if let host {
            configuration = host.configuration
            look("walls") { () throws(Diagnostic) in
                try configuration.sandbox.check()
                let names = configuration.loweredNames
                return names.isEmpty ? "none lowered" : "lowered: \(names.joined(separator: ", "))"
            }
            look("sources") { () throws(Diagnostic) in "\(try host.sources().entries.count) configured" }
            look("watches") { () throws(Diagnostic) in WatchNeed(of: try host.sources()).summary }
            look("plugins") { () throws(Diagnostic) in "\(try host.plugins().list().count) installed" }
            look("grants") { () throws(Diagnostic) in "\(try host.grants.list().count) decisions" }
            look("runs") { () throws(Diagnostic) in try host.slots.summary() }
            look("ledger") { () throws(Diagnostic) in
                "whole, \(try host.ledgerReader().verify().count) entries"
            }
            look("room") { () throws(Diagnostic) in try host.ledgerRoom() }
        }
        for lost in LostProcesses.find() {
            rows.append(
                HomeRow(
                    name: "lost plugin",
                    state: "process \(lost.pid) was killed and does not end: \(lost.hold.rawValue)"))
        }
        let reports = Sandbox.doctor(configuration: configuration.sandbox)
        problem = problem ?? reports.lazy.compactMap(\.refusal).first
        look("egress", egress)
        return Doctor(
            walls: reports.map {
                let state: String =
                    switch $0.state {
                    case .present: "present"
                    case .lowered: "lowered"
                    case .missing(let reason): "missing: \(reason)"
                    }
                return WallRow(name: $0.name, state: state, purpose: $0.purpose, detail: $0.detail ?? "")
            }, limits: limits(configuration), home: rows, problem: problem)
    }

    private static func limits(_ configuration: HostConfiguration) -> [LimitRow] {
        let reports = Sandbox.limitReports(configuration: configuration.sandbox)
        return LimitName.allCases.compactMap { name in
            guard let report = reports.first(where: { $0.limit.member == name.rawValue }) else { return nil }
            return LimitRow(
                name: name.rawValue, standard: name.standard, most: name.most, cap: configuration.caps[name],
                isExact: report.isExact, holder: report.holder)
        }
    }

    /// The report for `--format json`.
    public var json: JSONValue {
        [
            "walls": .array(
                walls.map {
                    [
                        "name": .string($0.name), "state": .string($0.state), "purpose": .string($0.purpose),
                        "detail": .string($0.detail),
                    ]
                }),
            "limits": .array(
                limits.map {
                    [
                        "name": .string($0.name), "standard": .integer(Int64($0.standard)),
                        "most": .integer(Int64($0.most)), "cap": $0.cap.map { .integer(Int64($0)) } ?? .null,
                        "exact": .bool($0.isExact), "heldBy": .string($0.holder),
                    ]
                }),
            "home": .array(home.map { ["name": .string($0.name), "state": .string($0.state)] }),
            "good": .bool(problem == nil),
        ]
    }
}
