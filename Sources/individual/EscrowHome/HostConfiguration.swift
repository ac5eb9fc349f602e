package import EscrowDiagnostics
import EscrowFiles
import EscrowJSON
package import EscrowManifest
package import EscrowSandbox

/// What the individual set for all runs, in `config.json` of the home; without the file, every wall is up and each
/// plugin has the limits of its manifest.
///
///     { "loweredWalls": ["user-namespace"], "limits": { "wallSeconds": 10 } }
package struct HostConfiguration: Sendable {
    /// Walls of the sandbox that the individual lowered on purpose, by name.
    package var loweredWalls: Set<Wall> = []
    /// The most that any plugin may use.
    package var caps = LimitCaps()
    /// How much may be under way at a time.
    package var runs = RunCaps.standard
    /// Stand-ins for servers of the internet.
    package var egress = EgressConfiguration()
    /// A file that stands for the device's state.
    package var deviceStandIn: String?
    /// The port of gpsd on this machine; nil for its own.
    package var gpsdPort: UInt16?

    /// What the ledger keeps, and for how long.
    package var ledger = LedgerConfiguration()
    /// Whether the records that a run reads are recorded.
    package var recordsReads: Bool { ledger.records }

    /// Their names, in the order of the walls.
    package var loweredNames: [String] { Wall.allCases.filter(loweredWalls.contains).map(\.rawValue) }

    /// A line for each, for the sheet that is shown before a run.
    package var warnings: [String] {
        Wall.allCases.filter(loweredWalls.contains).map {
            "this run goes without the wall \($0.rawValue), which you lowered: \($0.purpose)"
        }
    }

    /// How sandboxes are built.
    package var sandbox: SandboxConfiguration { SandboxConfiguration(loweredWalls: loweredWalls) }

    /// Every wall up, no caps.
    package init() {}

    /// Reads the file, if there is one. Throws E0018, or E0019 for a limit.
    package static func load(_ home: Home) throws(Diagnostic) -> HostConfiguration {
        let path = home.configurationPath
        var configuration = HostConfiguration()
        if let bytes = try SecureFile.readIfPresent(path, limit: 65_536) {
            configuration = try parse(bytes, file: path)
        }
        configuration.egress.ownServers = try OwnServers.load(home.path)
        return configuration
    }

    /// Reads the bytes of the file. Throws E0018, or E0019 for a limit.
    package static func parse(_ bytes: [UInt8], file path: String) throws(Diagnostic) -> HostConfiguration {
        var configuration = HostConfiguration()
        var limits: JSONNode?
        do throws(JSONError) {
            var object = try JSONObjectReader(try JSONParser.parse(bytes))
            if let walls = object.optional("loweredWalls") {
                for node in try walls.requireArray() {
                    guard let wall = Wall(rawValue: try node.requireString()) else {
                        throw JSONError(
                            .wrongType(expected: "the name of a wall, as `escrow doctor` prints it"),
                            at: node.position)
                    }
                    configuration.loweredWalls.insert(wall)
                }
            }
            limits = object.optional("limits")
            if let runs = object.optional("runs") { configuration.runs = try RunCaps(runs) }
            if let egress = object.optional("egress") {
                configuration.egress = try EgressConfiguration(egress)
            }
            if let device = object.optional("device") {
                var device = try JSONObjectReader(device)
                configuration.deviceStandIn = try device.required("standIn").requireString()
                try device.finish()
            }
            if let live = object.optional("live") {
                var live = try JSONObjectReader(live)
                let node = try live.required("gpsdPort")
                guard let port = UInt16(exactly: try node.requireInteger()), port > 0 else {
                    throw JSONError(.wrongType(expected: "a port"), at: node.position)
                }
                configuration.gpsdPort = port
                try live.finish()
            }
            if let ledger = object.optional("ledger") {
                configuration.ledger = try LedgerConfiguration(ledger)
            }
            try object.finish()
        } catch {
            throw Diagnostic(
                .configurationInvalid, "the configuration is not understood: \(error.message)",
                at: .init(file: path, line: error.position.line, column: error.position.column),
                help:
                    "its members are loweredWalls, limits, runs, egress, ledger, live and device; without the file every wall is up and nothing is capped"
            )
        }
        if let limits { configuration.caps = try LimitCaps(limits, file: path) }
        return configuration
    }
}
