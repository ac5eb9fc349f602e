import EscrowComputation
import EscrowDiagnostics
import EscrowHome
import EscrowManifest
import EscrowSandbox
import EscrowTrust

/// Step 6 of a run: where it computes, and its turn there.
extension Runner {
    /// A place, once it has room. Where the run had to wait for it, the plugin and the decision are looked at again: either may
    /// have been taken back meanwhile. Nothing was read yet.
    func place(_ run: Run) throws(Diagnostic) -> any ComputePlace {
        let place = try host.place(
            run: run.id, app: run.request.app,
            memoryMiB: RunLimits(run.plugin.manifest, caps: host.configuration.caps)[.memoryMiB], cancellation
        )
        if place.hasWaited {
            _ = try verify(run.request.plugin)
            try confirm(run)
        }
        guard let server = run.resolved.server else { return place }
        return ServerPlace(server, run: run.id, slot: place, over: host.connections)
    }
}

/// Where compute() runs: this device, whose walls hold every plugin. A place is held for one run, and given back when the
/// value goes.
protocol ComputePlace {
    /// Whether others had it first.
    var hasWaited: Bool { get }
    /// A process for one run of a plugin that was just verified. The opening is what the host will tell it first; a place that is far
    /// may send it along.
    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits, opening: @autoclosure () -> [UInt8]
    ) throws(Diagnostic) -> any PluginProcess
}

/// This device: a slot among the runs of the home, and the sandbox.
final class ThisDevice: ComputePlace {
    private let host: Host
    private let slot: RunSlot

    init(_ host: Host, _ slot: consuming RunSlot) {
        self.host = host
        self.slot = slot
    }

    var hasWaited: Bool { slot.hasWaited }

    func launch(
        _ plugin: borrowing VerifiedPlugin, limits: SandboxLimits, opening: @autoclosure () -> [UInt8]
    ) throws(Diagnostic) -> any PluginProcess {
        try host.launch(plugin, limits: limits)
    }
}
