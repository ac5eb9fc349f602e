import EscrowDiagnostics
import Glibc

extension Sandbox {
    private enum Proof {
        case passed
        case failed(Canary.Failure)
        /// No sandbox can be made, mostly since a wall is known to be missing without a canary.
        case notMade(Diagnostic)
    }

    /// Each wall of this machine: present, missing and why, or lowered. Runs the canary.
    public func doctor() -> [WallReport] {
        let proof: Proof
        do throws(Canary.Failure) {
            try proveWalls()
            proof = .passed
        } catch { proof = .failed(error) }
        return Self.examine(configuration, machine, controlGroups, proof)
    }

    /// The same for a machine on which no sandbox can be made.
    public static func doctor(configuration: SandboxConfiguration = .default) -> [WallReport] {
        do { return try Sandbox(configuration: configuration).doctor() } catch {
            let groups = configuration.usesControlGroups ? ControlGroups.find() : nil
            return examine(configuration, configuration.machine ?? .probe(), groups, .notMade(error))
        }
    }

    private static func examine(
        _ configuration: SandboxConfiguration, _ machine: Machine, _ groups: ControlGroups?, _ proof: Proof
    ) -> [WallReport] {
        var missing: [Wall: String] = [:]
        // What the canary says comes first; a reason about the whole is reported at the last wall.
        switch proof {
        case .failed(.wall(let wall, let reason, _)): missing[wall] = reason
        case .failed(.other(let diagnostic)): missing[.sealedProgram] = diagnostic.message
        case .notMade(let diagnostic):
            if machine.missingWalls.isEmpty, diagnostic.code != .wallNotLowerable {
                missing[.sealedProgram] = diagnostic.message
            }
        case .passed: break
        }
        for (wall, reason) in machine.missingWalls where missing[wall] == nil { missing[wall] = reason }
        // A canary that passed was seen in each namespace; otherwise the kernel is asked for them one by one.
        if case .passed = proof {
        } else {
            for (wall, error) in machine.namespaceErrors(configuration.loweredWalls)
            where missing[wall] == nil {
                missing[wall] = "the kernel refuses it: \(errnoSentence(error))"
            }
        }
        if groups == nil {
            missing[.controlGroup] =
                configuration.usesControlGroups ? "none can be made here" : "not asked for"
        }
        return Wall.allCases.map { wall in
            let state: WallReport.State =
                if configuration.loweredWalls.contains(wall), wall.canBeLowered {
                    .lowered
                } else if let reason = missing[wall] {
                    .missing(reason: reason)
                } else {
                    .present
                }
            return WallReport(wall: wall, state: state, detail: detail(of: wall, machine, groups, proof))
        }
    }

    private static func detail(
        of wall: Wall, _ machine: Machine, _ groups: ControlGroups?, _ proof: Proof
    ) -> String? {
        switch wall {
        case .landlock: machine.landlockABI >= 1 ? "Landlock ABI \(machine.landlockABI)" : nil
        case .seccomp:
            machine.notifyError == 0 ? "violations are named" : "violations are stopped but cannot be named"
        case .processNamespace: ProcMount.advice
        case .controlGroup:
            groups.map {
                "control groups v2 below \($0.parent): "
                    + $0.controllers.map(\.rawValue).sorted().joined(separator: ", ")
            }
                ?? "resource limits only: memory is limited by address space; runs are not refused for this"
        case .unprivilegedUser:
            machine.identity.isForeign
                ? "each run has a uid of its own from \(machine.identity.first)"
                : "plugins have this host's uid"
        case .sealedProgram:
            if case .passed = proof { "a test program was run and stopped as it must be" } else { nil }
        default: nil
        }
    }
}
