import EscrowComputation
import EscrowDiagnostics
import EscrowManifest
import EscrowRemote
import EscrowSandbox
import EscrowServers
import EscrowTrust

/// A server that the individual named. The run holds its turn on this device as well: the rows, the requests and the result pass
/// through it.
struct ServerPlace: ComputePlace {
    private let server: EscrowServer
    private let run: String
    private let slot: any ComputePlace
    private let connections: RemoteConnections?

    init(
        _ server: EscrowServer, run: String, slot: any ComputePlace, over connections: RemoteConnections?
    ) {
        self.server = server
        self.run = run
        self.slot = slot
        self.connections = connections
    }

    var hasWaited: Bool { slot.hasWaited }

    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits, opening: @autoclosure () -> [UInt8]
    ) throws(Diagnostic) -> any PluginProcess {
        try RemoteProcess(
            server, run: run, plugin: plugin.manifest.id, manifest: plugin.manifestDigest, limits: limits,
            opening: opening(), over: connections)
    }
}

extension RemoteProcess: PluginProcess {}
